import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { KEYS } from '../../src/events/store/store.ts';
import { fakeLab, serve } from '../http/fake-lab.ts';
import { constantOf } from './constants.ts';

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'RELEASING.md', 'SECURITY.md', 'test/README.md', 'examples/labs/README.md'],
  ...readdirSync('docs', { recursive: true })
    .map((name) => path.join('docs', String(name)))
    .filter((name) => name.endsWith('.md') && !name.includes(`${path.sep}generated${path.sep}`)),
];

/** What a unit counts, in the unit of the constants: octets, milliseconds (their name ends in `MS`, `Ms` or `_ms`) or seconds. */
const OCTETS: Readonly<Record<string, number>> = {
  KiB: 2 ** 10,
  MB: 1e6,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  Mi: 2 ** 20,
};
const SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
};

const quantity = (number: string, unit: string | undefined, name: string): number => {
  const value = Number(number.replaceAll(',', ''));
  if (unit === undefined) return value;
  const octets = OCTETS[unit];
  if (octets !== undefined) return value * octets;
  const seconds = SECONDS[unit];
  assert.ok(seconds !== undefined, `the unit ${unit} is not known`);
  return /ms$/i.test(name) ? value * seconds * 1000 : value * seconds;
};

/** A number, a version or code, with the constant behind it: `10 s<!-- src/server/shutdown.ts#STEP_MS -->`. */
const QUOTED = /(?:([\d][\d,.]*)(?: ([A-Za-z]+))?|`([^`]+)`)<!-- (src\/[\w./-]+)#([\w.]+) -->/g;

const quotes = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(QUOTED)].map(([, number, unit, code, file = '', name = '']) => ({
    ...{ page, number, unit, code, file, name },
  })),
);

/** Paths of the project that a page has in backticks. */
const FOLDERS = /^(?:src|test|web|scripts|bench|examples|docs|symbols|\.ci)\/[\w./-]+$/;
const pathsOn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code).filter((code) => FOLDERS.test(code));

/** Where a proof of a promise is named without its folder. */
const sourceNames = new Set(
  ['src', 'web/src', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => path.basename(String(name))),
  ),
);

describe('a number on a page', () => {
  it('has its constant behind it where there is one', () => {
    const constants = new Set(quotes.map(({ file, name }) => `${file}#${name}`));
    assert.ok(constants.size >= 90, `${constants.size} constants are quoted`);
    const marks = pages.flatMap((page) => readFileSync(page, 'utf8').match(/<!-- src\//g) ?? []);
    assert.equal(quotes.length, marks.length, 'a mark stands behind no number');
  });

  for (const { page, number, unit, code, file, name } of quotes)
    it(`${number ?? code ?? ''} ${unit ?? ''} of ${page} is ${name} of ${file}`, () => {
      const value = constantOf(readFileSync(file, 'utf8'), name);
      if (typeof value === 'string') assert.ok((number ?? code ?? '').endsWith(value), `it is ${value}`);
      else assert.equal(quantity(number ?? '', unit, name), value);
    });
});

describe('a path on a page', () => {
  for (const page of pages)
    it(`of ${page} is there`, () => {
      const text = readFileSync(page, 'utf8');
      for (const one of pathsOn(text)) assert.ok(existsSync(one), `${one} does not exist`);
      for (const [, name = ''] of text.matchAll(/[`(]([a-z][\w-]*\.(?:ts|tsx|mjs))[`),]/g))
        assert.ok(sourceNames.has(name), `${name} does not exist`);
    });
});

describe('a page that the code names', () => {
  const sources = ['src', 'web/src', 'web/test', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((name) => path.join(folder, String(name)))
      .filter((name) => /\.(?:ts|tsx|mjs)$/.test(name)),
  );

  it('is there', () => {
    let named = 0;
    for (const file of [...sources, '.oxlintrc.json', '.ci/run'])
      for (const [page] of readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)) {
        named++;
        assert.ok(existsSync(page), `${file} names ${page}`);
      }
    assert.ok(named > 20, `${named} pages are named`);
  });
});

describe('a path of the interface on a page', async () => {
  const app = serve(fakeLab());
  const { paths } = (await app.inject('/v2/openapi.json')).json<{ paths: Record<string, Record<string, unknown>> }>();
  await app.close();
  const templates = Object.entries(paths).map(([path, methods]) => ({ parts: path.split('/'), methods }));
  const isName = (part = ''): boolean => part.startsWith('{');
  const fits = (parts: readonly string[], asked: readonly string[]): boolean =>
    parts.length === asked.length && parts.every((part, i) => part === asked[i] || isName(part) || isName(asked[i]));

  for (const page of pages)
    it(`of ${page} is one that the server has`, () => {
      const quoted = readFileSync(page, 'utf8').matchAll(
        /(?:\b(GET|POST|PUT|DELETE) |`)(\/v2\/[\w/{}.-]+)(?![\w/{}.…$-])/g,
      );
      for (const [, method, path = ''] of quoted) {
        const asked = path.replace(/[./]+$/, '').split('/');
        const found = templates.filter(({ parts }) => fits(parts, asked));
        const there = method === undefined || found.some(({ methods }) => method.toLowerCase() in methods);
        assert.ok(found.length > 0 && there, `${method ?? ''} ${path}`);
      }
    });
});

describe('the keys on the page of the log', () => {
  const page = readFileSync('docs/reference/log.md', 'utf8');
  const shown = [...page.matchAll(/^\| `([a-z][/.][^`]*)` +\|/gm)].map(([, key = '']) => key);
  const written: Record<string, string> = {
    'f/<position>': KEYS.event(7).replace(/\d+$/, '<position>'),
    'p/<stream>/<version>': KEYS.stream('<stream>', 7).replace(/\d+$/, '<version>'),
    'o/<object id>/<position>': KEYS.object('<object id>', 7).replace(/\d+$/, '<position>'),
    'h/<stream>': KEYS.head('<stream>'),
    'r/<collection>/<id>': KEYS.record('<collection>', '<id>'),
    'r.': KEYS.recordSum,
    'm/…': KEYS.checked.replace(/[^/]+$/, '…'),
  };

  it('are those of the store', () => {
    for (const [key, one] of Object.entries(written)) {
      assert.equal(one, key);
      assert.ok(shown.includes(key), `${key} is not on the page`);
    }
    assert.deepEqual(
      shown.filter((key) => !(key in written)),
      ['c/<project_id>/<version>…', 't/<project_id>/<version>'],
    );
    assert.match(readFileSync('src/projections/past/checkpoints.ts', 'utf8'), /`c\/\$\{/);
    assert.match(readFileSync('src/projections/past/timeline/chunks.ts', 'utf8'), /`t\/\$\{/);
  });
});
