import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { SERVE_HELP } from '../../src/server/config.ts';
import { createKinds } from '../../src/emulators/registry.ts';

const root = path.resolve('.');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'RELEASING.md', 'SECURITY.md', 'examples/labs/README.md'],
  ...readdirSync(path.join(root, 'docs'), { recursive: true })
    .map((name) => path.join('docs', String(name)))
    .filter((name) => name.endsWith('.md')),
];

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** Targets of the links of a page, without those that lead elsewhere. */
const linksOf = (file: string): string[] =>
  [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** Anchors of a page's headings, as they are made where such pages are shown. */
const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Lines of the first rows of tables below which no line of dashes makes them one. */
const brokenTables = (file: string): number[] => {
  const lines = withoutCode(read(file)).split('\n');
  const isRow = (line = ''): boolean => line.startsWith('|');
  return lines.flatMap((line, i) =>
    isRow(line) && !isRow(lines[i - 1]) && !/^\|(?: *:?-+:? *\|)+$/.test(lines[i + 1] ?? '') ? [i + 1] : [],
  );
};

const rowsOf = (text: string, heading: string): string[][] => {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return body
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};

const codesOf = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const flagsOf = (text: string): string[] => [...text.matchAll(/--[a-z][a-z0-9-]*/g)].map(([flag]) => flag);

describe('links', () => {
  for (const file of documents)
    it(`of ${file} lead to files and headings that exist`, () => {
      for (const target of linksOf(file)) {
        const [name = '', anchor] = target.split('#');
        const there = name === '' ? file : path.join(path.dirname(file), name);
        assert.ok(existsSync(path.join(root, there)), `${target} does not exist`);
        if (anchor !== undefined) assert.ok(anchorsOf(there).includes(anchor), `${target} is no heading`);
      }
    });

  it('of pages that are packed lead to what is packed', () => {
    const packing = spawnSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
      cwd: root,
      encoding: 'utf8',
    });
    const [{ files } = { files: [] }] = JSON.parse(packing.stdout) as { files: { path: string }[] }[];
    const packed = new Set(files.map((file) => file.path));
    for (const file of [...packed]) for (let up = path.dirname(file); up !== '.'; up = path.dirname(up)) packed.add(up);
    const pages = [...packed].filter((file) => file.endsWith('.md'));
    assert.ok(pages.includes('README.md'), packing.stderr);
    const outside = pages.flatMap((file) =>
      linksOf(file)
        .map((target) => target.split('#')[0] ?? '')
        // The film is as large as all the rest of the pages.
        .filter(
          (name) =>
            name !== '' &&
            !name.endsWith('.webm') &&
            !packed.has(path.join(path.dirname(file), name).replace(/\/$/, '')),
        )
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(outside, []);
  });

  it('reach every page of docs from the README, by way of pages that it links to', () => {
    const reached = new Set<string>();
    const follow = (file: string): void => {
      if (reached.has(file) || !file.endsWith('.md') || !existsSync(path.join(root, file))) return;
      reached.add(file);
      for (const target of linksOf(file)) follow(path.join(path.dirname(file), target.split('#')[0] ?? ''));
    };
    follow('README.md');
    assert.deepEqual(
      documents.filter((file) => !reached.has(file)),
      [],
    );
  });
});

describe('tables', () => {
  for (const file of documents)
    it(`of ${file} are not broken by an empty line`, () => assert.deepEqual(brokenTables(file), []));
});

describe('docs/reference/command-line.md', () => {
  it('lists every command as its help does, and no other', () => {
    const rows = [...read('docs/reference/command-line.md').matchAll(/^\| `topolog ([^`]+)` +\| (.+?) +\|$/gm)];
    assert.deepEqual(
      rows.map(([, usage = '', does = '']) => [usage.replaceAll(String.raw`\|`, '|'), does]),
      COMMANDS.map(({ name, takes, does }) => [`${name} ${takes}`.trim(), does]),
    );
  });
});

describe('docs/reference/settings.md', () => {
  it('lists the flags that topolog serve --help lists, in the same order', () => {
    const documented = rowsOf(read('docs/reference/settings.md'), 'Settings').flatMap(([flags = '']) => flagsOf(flags));
    assert.deepEqual(documented, flagsOf(SERVE_HELP));
  });

  it('has the default of each flag that help has a plain one for', () => {
    const helpOf = new Map(
      [...SERVE_HELP.matchAll(/^ {2}(--[a-z-]+) \S+ +.*\(([\d.-]+)\)$/gm)].map(([, flag = '', value]) => [flag, value]),
    );
    assert.ok(helpOf.size >= 8, `${helpOf.size} flags have a plain default`);
    for (const [flags = '', , value] of rowsOf(read('docs/reference/settings.md'), 'Settings')) {
      const [flag = ''] = flagsOf(flags);
      if (helpOf.has(flag)) assert.equal(value, helpOf.get(flag), flag);
    }
  });
});

describe('docs/reference/kinds.md', () => {
  it('lists every kind with its other name and its engines, first choice first', () => {
    const documented = rowsOf(read('docs/reference/kinds.md'), 'Kinds of nodes').map(([kind, alias, engines]) => ({
      kind: codesOf(kind)[0],
      alias: codesOf(alias)[0] ?? codesOf(kind)[0],
      engines: codesOf(engines),
    }));
    const registered = createKinds()
      .all()
      .map(({ name, alias, engines }) => ({ kind: name, alias, engines: engines.map((engine) => engine.name) }));
    const byKind = (a: { kind: string | undefined }, b: { kind: string | undefined }): number =>
      (a.kind ?? '').localeCompare(b.kind ?? '');
    assert.deepEqual(documented.sort(byKind), registered.sort(byKind));
  });
});

describe('README.md', () => {
  it('has at most 150 lines', () => {
    assert.ok(read('README.md').trimEnd().split('\n').length <= 150);
  });
});

describe('commands', () => {
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);

  for (const file of documents)
    it(`of ${file} are those that there are`, () => {
      for (const [, name = ''] of read(file).matchAll(/npm run (?:--silent )?([\w:]+)/g))
        assert.ok(scripts.includes(name), name);
    });
});
