import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

interface Title {
  file: string;
  line: number;
  ids: string[];
  title: string;
}
type Sections = Record<string, { id: string; says: string }[]>;
interface Table {
  titlesOf: (file: string, text: string) => Title[];
  titlesIn: (folder: string) => Title[];
  gaps: (titles: Title[], sections?: Sections) => { untested: string[]; unknown: string[] };
  specPage: (titles: Title[], sections?: Sections) => string;
}

const script = (name: string): string => pathToFileURL(path.resolve('scripts', name)).href;
const { gaps, specPage, titlesIn, titlesOf } = (await import(script('spec-table.mjs'))) as Table;
const { SECTIONS } = (await import(script('spec-entries.mjs'))) as { SECTIONS: Sections };

describe('the table of the interface and its tests', () => {
  const titles = titlesIn(path.resolve('test/api'));

  it('has a test for every entry', () => {
    assert.deepEqual(gaps(titles).untested, []);
  });

  it('has an entry for every id that a test names', () => {
    assert.deepEqual(gaps(titles).unknown, []);
  });

  it('is what npm run docs:spec writes', () => {
    const written = readFileSync(path.resolve('docs/reference/generated/spec-tests.md'), 'utf8');
    assert.ok(written === specPage(titles), 'docs/reference/generated/spec-tests.md is out of date: npm run docs:spec');
  });

  it('has no entry twice', () => {
    const ids = Object.values(SECTIONS)
      .flat()
      .map((entry) => entry.id);
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
    );
  });
});

describe('the titles of a test file', () => {
  const read = (text: string): [string[], string][] => titlesOf('a.test.ts', text).map((t) => [t.ids, t.title]);

  it('are ids in brackets at the beginning, and the rest', () => {
    assert.deepEqual(read("it('[rule 1] [GET /a 200] is read [fast]', () => {});"), [
      [['rule 1', 'GET /a 200'], 'is read [fast]'],
    ]);
    assert.deepEqual(read("it('is read', () => {}); it.skip('[rule 2] later'); other('[rule 3]');"), [[[], 'is read']]);
  });

  it('begin with those of the suites around them', () => {
    const text = "describe('a node', () => { describe('that runs', () => { it('[rule 1] stops', () => {}); }); });";
    assert.deepEqual(read(text), [[['rule 1'], 'a node that runs stops']]);
  });

  it('have constants and the items of the loops around them filled in', () => {
    const text = [
      "const ONE = '/one';",
      "for (const kind of ['a', 'b'] as const) {",
      '  const GET = `GET ${ONE}/${kind}`;',
      "  for (const x of ['1', '2']) it(`[${GET} 200] [${x}] of ${kind}`, () => {});",
      '}',
    ].join('\n');
    assert.deepEqual(read(text), [
      [['GET /one/a 200', '1'], 'of a'],
      [['GET /one/b 200', '1'], 'of b'],
      [['GET /one/a 200', '2'], 'of a'],
      [['GET /one/b 200', '2'], 'of b'],
    ]);
  });

  it('may have at their end what only running the test tells, and nothing of that in an id', () => {
    assert.deepEqual(read('it(`[rule 1] holds for ${next()}`, () => {});'), [[['rule 1'], 'holds for …']]);
    assert.throws(() => read('it(`[rule ${next()}] holds`, () => {});'), /a\.test\.ts:1: the id \[rule …\]/);
    assert.throws(() => read('it(name, () => {});'), /a\.test\.ts:1/);
  });

  it('leave gaps that are found', () => {
    const sections = {
      Rules: [
        { id: 'rule 1', says: 'one' },
        { id: 'rule 2', says: 'a | b' },
      ],
    };
    const titles = titlesOf('a.test.ts', "it('[rule 1] holds'); it('[rule 3] too');");
    assert.deepEqual(gaps(titles, sections), { untested: ['rule 2'], unknown: ['a.test.ts:1: rule 3'] });
    assert.match(specPage(titles, sections), /\| `rule 1` \| one \| holds \(`a`\) \|\n\| `rule 2` \| a \\\| b \|  \|/);
  });
});
