import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Document, operationsOf } from '../../fuzz/document.ts';
import { fakeLab, serve } from '../../http/fake-lab.ts';
import { unknownIn, withoutBound } from './costs/bounded.ts';
import { COSTS } from './costs/list.ts';
import { FrameAttack } from './frames.ts';
import { attackAll } from './run.ts';

/** Other seeds: TOPOLOG_HOSTILE_SEED=7 node scripts/test.mjs faults/hostile; longer: npm run faults -- hostile */
const SEED = Number(process.env['TOPOLOG_HOSTILE_SEED'] ?? 20_261_122);

describe('a short attack', () => {
  it('of 20,000 frames of every kind leaves every embedded node well', { timeout: 120_000 }, async (t) => {
    const { problems, ...figures } = await new FrameAttack(SEED).run(20_000);
    t.diagnostic(JSON.stringify(figures));
    assert.deepEqual(problems, []);
    assert.equal(figures.frames, 20_000);
    // Where most of them end at the door, the rest of the house is not tested.
    assert.ok(figures.reached > 400, `only ${figures.reached} parts of src/fabric ran`);
  });

  it('with texts of every class in every body finds nothing undocumented', { timeout: 120_000 }, async (t) => {
    const report = (line: string): void => t.diagnostic(line);
    assert.deepEqual(
      await attackAll({ seed: SEED, seconds: 3, frames: 0, only: ['fields'], isTimed: false, report }),
      [],
    );
  });
});

describe('what a caller can make costly', () => {
  it('is in the list of costs, or has a bound, for every operation of the interface', async (t) => {
    const app = serve(fakeLab());
    t.after(() => app.close());
    const operations = operationsOf((await app.inject('/v2/openapi.json')).json<Document>());
    assert.ok(operations.length > 200, `${operations.length} operations`);
    assert.deepEqual(withoutBound(operations), []);
    assert.deepEqual(unknownIn(operations), []);
  });

  it('is told with its bound and its longest pause', () => {
    const page = readFileSync('docs/reference/guarantees.md', 'utf8');
    const [, table = ''] = /^## What a caller can make costly\n([\s\S]*?)(?=^## )/m.exec(page) ?? [];
    const told = [...table.matchAll(/^\| (.*?) +\|.*\d+ ms.*\|$/gm)].map(([, name]) => name);
    for (const { name } of COSTS) assert.ok(told.includes(name), `${name} is not in the table`);
  });
});
