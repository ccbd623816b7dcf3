import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { PLANTED } from './planted.ts';
import type { Outcome } from './simulation.ts';

const MAIN = path.join(import.meta.dirname, 'main.js');

/** In a process of its own: the simulation has its own clock, timers and files. */
const simulate = async (...flags: string[]): Promise<Outcome[]> => {
  const child = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
};

const shown = (outcomes: readonly Outcome[]): string =>
  outcomes
    .filter(({ problems }) => problems.length > 0)
    .map(({ seed, problems }) => `npm run simulate -- --seed ${seed} --seeds 1 --verbose: ${problems.join('; ')}`)
    .join('\n');

describe('the simulation', () => {
  it('finds nothing with some seeds', async () => {
    const outcomes = await simulate('--first', '1', '--seeds', '6');
    assert.equal(outcomes.length, 6);
    assert.equal(shown(outcomes), '');
  });

  it('gives the same log for the same seed, octet for octet, whatever ran before', async () => {
    const [[first], both] = await Promise.all([
      simulate('--first', '3', '--seeds', '1'),
      simulate('--first', '2', '--seeds', '2'),
    ]);
    assert.ok(first !== undefined && first.events > 100);
    assert.deepEqual(both[1], first);
  });

  // A few that are found soon: `npm run simulate -- --planted all` has them all.
  for (const planted of [
    'append-not-awaited',
    'no-fsync',
    'cables-forgotten',
    'nodes-request-forgotten',
    'opening-forgotten',
  ])
    it(`finds a planted fault: ${planted}`, async () => {
      const outcomes = await simulate('--first', '1', '--seeds', '30', '--planted', planted);
      const found = outcomes.find(({ problems }) => problems.length > 0) ?? assert.fail('no seed finds it');
      const { aim } = PLANTED.find(({ name }) => name === planted) ?? {};
      const without = await simulate('--first', String(found.seed), ...(aim === undefined ? [] : ['--aim', aim]));
      assert.equal(shown(without), '');
    });

  it('has the text of each planted fault once in its module', () => {
    for (const { name, module, original } of PLANTED) {
      const text = readFileSync(path.resolve(import.meta.dirname, '../../src', module), 'utf8');
      assert.equal(text.split(original).length, 2, name);
    }
  });
});
