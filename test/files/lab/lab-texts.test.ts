import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { TopologError } from '../../../src/common/errors.ts';
import { readLab, renameInLab, updateLab, writeLab } from '../../../src/files/lab/lab-texts.ts';
import { LAB_FORMATS } from '../../../src/files/lab/formats.ts';
import type { LabFormat } from '../../../src/files/lab/model.ts';

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const lines = (change: (line: string, n: number) => string = (line) => line): string =>
  [
    'lab: large\nversion: 1\nsettings: { grid_size: 50 }\nnodes:',
    ...many(600, (n) =>
      change(`  PC${n}: { kind: simple_pc, address: 10.0.0.1/24, properties: { startup_script_path: null } }`, n),
    ),
    'links:',
    ...many(300, (n) => `  - ["PC${2 * n}:0", "PC${2 * n + 1}:0"]`),
  ].join('\n');
const input = { text: lines((line) => line.replace(', properties: { startup_script_path: null }', '')), files: {} };
const { yaml } = LAB_FORMATS;

/** What everybody shares has read and written nothing. */
const notHere = (t: TestContext): (() => void) => {
  const mocks = [t.mock.method(yaml as LabFormat, 'read'), t.mock.method(yaml as LabFormat, 'write')];
  return () => {
    for (const { mock } of mocks) {
      assert.equal(mock.callCount(), 0);
      mock.restore();
    }
  };
};
const refusal = async (work: () => unknown): Promise<Pick<TopologError, 'code' | 'message' | 'details'>> => {
  try {
    await work();
  } catch (error) {
    const { code, message, details } = error as TopologError;
    return { code, message, details };
  }
  return assert.fail('it was taken');
};

describe('a large text of a lab', () => {
  it('is read in a thread of its own, as a small one is read', async (t) => {
    const end = notHere(t);
    const { lab, notes, placeOf } = await readLab('yaml', input);
    end();
    const here = yaml.read(input);
    assert.deepEqual({ lab, notes }, { lab: here.lab, notes: here.notes });
    for (const path of [[], ['nodes', 'PC7'], ['nodes', 'PC7', 'kind'], ['links', 9], ['settings', 'grid_size']])
      for (const one of [path, [...path, 'x', 3]]) {
        assert.deepEqual(placeOf(one), here.placeOf(one));
      }
  });

  it('is refused as a small one is refused', async () => {
    for (const [from, to] of [
      ['PC9: {', 'PC9: {{'],
      ['kind: simple_pc', 'kin: simple_pc'],
    ]) {
      const text = input.text.replace(from ?? '', to ?? '');
      const told = await refusal(() => readLab('yaml', { text, files: {} }));
      assert.deepEqual(told, await refusal(() => yaml.read({ text, files: {} })));
    }
    const text = input.text.replace('grid_size: 50', 'scene_width: .inf');
    assert.equal((await refusal(() => readLab('yaml', { text, files: {} }))).code, 'invalid_request');
  });

  it('is written and changed there as well', async (t) => {
    const { lab } = yaml.read(input);
    const end = notHere(t);
    const written = await writeLab('yaml', lab);
    const renamed = await renameInLab(input.text, new Map([['PC7', 'R7']]));
    const path = ['nodes', 'PC8'];
    const node = lab.nodes[8] ?? assert.fail();
    const fields = [{ field: 'z', from: 4 }];
    const updated = await updateLab(input.text, [
      { type: 'node', action: 'change', path, fields, is: { ...node, z: 4 } },
    ]);
    end();
    assert.deepEqual(written.text, yaml.write(lab).text);
    assert.ok(renamed.includes('  R7: {') && renamed.includes('"R7:0"') && !renamed.includes('PC7:'));
    assert.match(updated, /PC8: \{.*z: 4/);
  });
});
