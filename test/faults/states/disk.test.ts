import assert from 'node:assert/strict';
import { constants, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { tempDir } from '../../support/temp.ts';
import { seeded } from '../prng.ts';
import { Disk, writeTree } from './disk.ts';
import { choose, type Model, MODELS } from './models.ts';
import type { Op } from './record.ts';

const dir = await tempDir();
after(() => dir.remove());
const base = path.join(dir.path, 'base');
mkdirSync(base);

const NEW = constants.O_CREAT | constants.O_WRONLY;
const open = (h: string, name: string, flags = NEW): Op => ({ op: 'open', h, path: name, flags, mode: 0o600 });
const write = (h: string, text: string, at = 0): Op => ({ op: 'write', h, at, bytes: Buffer.from(text) });
const sync = (h: string): Op[] => [
  { op: 'sync', h, id: h },
  { op: 'synced', id: h },
];
const rename = (from: string, to: string): Op => ({ op: 'rename', path: from, to });
const synced = (h: string, name: string): Op[] => [open(h, name, 0), ...sync(h)];

/** `file` with `one` in it, on disk; then what replaces it by `two`. */
const first = [open('a', 'file'), write('a', 'one'), ...sync('a'), ...synced('b', '.')];
const second = [open('c', 'next'), write('c', 'two'), ...sync('c'), rename('next', 'file')];

/** Contents of the root in every state that a model makes of these operations with a hundred seeds. */
const states = (model: Model, ops: Op[]): Set<string> => {
  const disk = new Disk(base);
  for (const op of ops) disk.feed(op);
  const found = new Set<string>();
  for (let seed = 0; seed < 100; seed++) {
    const place = path.join(dir.path, 'state');
    rmSync(place, { recursive: true, force: true });
    writeTree(disk.root, place, choose(model, disk, seeded(seed)));
    const names = readdirSync(place).sort();
    found.add(names.map((name) => `${name}: ${readFileSync(path.join(place, name), 'latin1')}`).join(', '));
  }
  return found;
};

describe('states that a power cut leaves', () => {
  for (const model of MODELS) {
    it(`have a synced file with a synced name, whole (${model})`, () => {
      assert.deepEqual([...states(model, first)], ['file: one']);
    });

    it(`have either file when a directory is not synced after a rename (${model})`, () => {
      const found = [...states(model, [...first, ...second])];
      assert.ok(found.includes('file: two'), String(found));
      assert.ok(
        found.some((state) => state.startsWith('file: one')),
        String(found),
      );
    });

    it(`have the new file alone when it is (${model})`, () => {
      assert.deepEqual([...states(model, [...first, ...second, ...synced('d', '.')])], ['file: two']);
    });

    it(`know a sync by its end, not by its beginning (${model})`, () => {
      const [begins] = sync('d');
      const found = states(model, [...first, ...second, open('d', '.', 0), ...(begins === undefined ? [] : [begins])]);
      assert.ok([...found].some((state) => state.startsWith('file: one')));
    });

    it(`lack content that was never synced (${model})`, () => {
      const ops = [open('a', 'file'), write('a', 'one'), ...synced('b', '.')];
      assert.ok(states(model, ops).has('file: '), model);
    });
  }

  it('tears writes that were not synced in blocks, and nothing before them', () => {
    const before = 'x'.repeat(1000);
    const ops = [...first, write('a', before), ...sync('a'), write('a', 'y'.repeat(5000), 1000)];
    const found = [...states('torn', ops)];
    assert.ok(found.every((state) => state.startsWith(`file: ${before}`)));
    assert.ok(found.some((state) => state.includes('y') && !state.endsWith('y'.repeat(5000))));
  });

  it('may have both names of a rename between directories of which only one was synced, never none', () => {
    const moved: Op[] = [
      ...first,
      { op: 'mkdir', path: 'there', mode: 0o700 },
      ...synced('d', '.'),
      rename('file', 'there/file'),
    ];
    const disk = new Disk(base);
    for (const op of [...moved, ...synced('e', 'there')]) disk.feed(op);
    for (let seed = 0; seed < 20; seed++) {
      const place = path.join(dir.path, `moved${seed}`);
      writeTree(disk.root, place, choose('strict', disk, seeded(seed)));
      assert.deepEqual(readdirSync(path.join(place, 'there')), ['file']);
    }
  });
});
