import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { checkMachine } from '../../src/actors/check/loop.ts';
import { weatherMachine } from '../../src/actors/weather/runs.ts';
import { serverMachine } from '../../src/cluster/server-machine.ts';
import { captureMachine, nodeMachine, projectMachine } from '../../src/projections/states.ts';

interface Charts {
  machineChart: (machine: unknown) => string;
  machinePages: (machines: Record<string, unknown>) => Record<string, string>;
}

const { machineChart, machinePages } = (await import(
  pathToFileURL(path.resolve('scripts/machine-chart.mjs')).href
)) as Charts;
const folder = path.resolve('docs/reference/machines');

describe('the charts of the machines', () => {
  const pages = machinePages({
    nodeMachine,
    projectMachine,
    captureMachine,
    serverMachine,
    checkMachine,
    weatherMachine,
  });

  for (const [name, text] of Object.entries(pages))
    it(`docs/reference/machines/${name} is what npm run docs:machines writes`, () => {
      assert.equal(readFileSync(path.join(folder, name), 'utf8'), text);
    });

  it('are the only files of docs/reference/machines', () => {
    assert.deepEqual(readdirSync(folder).sort(), Object.keys(pages).sort());
  });

  it('show every state of the node machine and every event that it takes', () => {
    const chart = machineChart(nodeMachine);
    for (const state of Object.keys(nodeMachine.states)) assert.match(chart, new RegExp(`\\b${state}\\b`));
    for (const event of nodeMachine.events as string[])
      assert.ok(chart.includes(event), `${event} is not in the chart`);
  });
});

describe('a chart', () => {
  it('has transitions of the machine itself, guards, effects and ends', () => {
    const config = {
      initial: 'off',
      on: { found: [{ guard: 'hot', target: '.on' }, { target: '.off' }] },
      states: {
        off: { on: { go: 'on', away: { target: 'gone' } } },
        on: { invoke: { src: 'heat' }, on: { again: {} } },
        gone: { type: 'final' },
      },
    };
    assert.deepEqual(
      machineChart({ config })
        .trimEnd()
        .split('\n')
        .map((line) => line.trim()),
      [
        'stateDiagram-v2',
        'direction TB',
        'classDef effect stroke-width:3px',
        'state "in any state" as any_state',
        '[*] --> off',
        'off --> on: go',
        'off --> gone: away',
        'on --> on: again',
        'gone --> [*]',
        'any_state --> on: found [hot]',
        'any_state --> off: found',
        'on: on<br/>effect heat',
        'class on effect',
      ],
    );
  });
});
