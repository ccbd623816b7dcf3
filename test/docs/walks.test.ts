import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const MOST_FILES = 12;

interface Step {
  at: number;
  file: string;
  /** Step that leads here; 0: it is the first. */
  from: number;
  /** The earlier file does not import this one: it has an interface that somebody put together. */
  given: boolean;
  by: string;
}

const [, part = ''] = readFileSync('docs/explanation/architecture.md', 'utf8').split('\n## Five walks\n');
const walks = (part.split('\n## ')[0] ?? '')
  .split('\n### ')
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    steps: [...text.matchAll(/^\| (\d+) +\| `([^`]+)` +\|[^|]+\| (?:(\d+)(, given)?)? *\| (?:`([^`]+)`)? *\|$/gm)].map(
      ([, at, file = '', from, given, by = '']): Step => ({
        at: Number(at),
        file,
        from: Number(from ?? 0),
        given: given !== undefined,
        by,
      }),
    ),
  }));

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, name = '']) =>
    path.join(path.dirname(file), name),
  );

const names = (file: string, name: string): boolean =>
  new RegExp(`(?<![\\w.])${name.replace('.', '\\.')}\\b|\\.${name.replace('.', '\\.')}\\b`).test(
    readFileSync(file, 'utf8'),
  );

/** Room of a file; those of the page are one. */
const roomOf = (file: string): string => (file.startsWith('web/') ? 'web' : (file.split('/')[1] ?? ''));

/** The rooms in order. The log is left out: every room above it appends to it. */
const roomsOf = (steps: readonly Step[]): string[] =>
  steps
    .map(({ file }) => roomOf(file))
    .filter((room) => room !== 'events')
    .filter((room, i, all) => room !== all[i - 1]);

describe('the walks of docs/explanation/architecture.md', () => {
  it('are five', () => assert.equal(walks.length, 5));

  for (const { title, steps } of walks)
    describe(title, () => {
      it(`has at most ${MOST_FILES} files, each once and in order`, () => {
        assert.ok(steps.length >= 8 && steps.length <= MOST_FILES, `${steps.length} steps`);
        assert.deepEqual(
          steps.map(({ at }) => at),
          steps.map((_, i) => i + 1),
        );
        const files = steps.map(({ file }) => file);
        for (const file of files) assert.ok(existsSync(file), `${file} does not exist`);
        assert.deepEqual([...new Set(files)], files);
      });

      it('goes from each file to one that it imports, or has an interface of', () => {
        for (const { at, file, from, given, by } of steps.slice(1)) {
          assert.ok(from >= 1 && from < at, `step ${at} comes from ${from}`);
          const before = steps[from - 1]?.file ?? '';
          const isImported = importsOf(before).includes(file);
          assert.equal(isImported, !given, `${before} ${isImported ? 'imports' : 'does not import'} ${file}`);
          for (const end of [before, file]) assert.ok(names(end, by), `${end} has no ${by}`);
        }
      });

      it('goes forward only: no room is entered twice, but for the answer', () => {
        const rooms = roomsOf(steps);
        const way = rooms.length > 1 && rooms.at(-1) === 'http' && rooms[0] === 'http' ? rooms.slice(0, -1) : rooms;
        assert.deepEqual([...new Set(way)], way);
      });
    });
});
