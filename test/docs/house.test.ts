import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createKinds } from '../../src/emulators/registry.ts';
import { tempDir } from '../support/temp.ts';

interface House {
  HOUSE: readonly { room: string; concern: string; imports: readonly string[]; owns?: readonly string[] }[];
}
const { HOUSE } = (await import(pathToFileURL(path.resolve('scripts/house.mjs')).href)) as House;
const SRC = path.resolve('src');
const PAGE = path.resolve('web/src');

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Files of src that a file imports, and packages. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import)\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? path.relative(SRC, path.resolve(path.dirname(file), name)) : name,
  );

/** The same without what is imported as types alone. */
const valuesOf = (file: string): string[] => {
  const isTyped = (clause: string): boolean =>
    /^type\s/.test(clause) || /^\{\s*(?:type\s[^,}]*,?\s*)+\}/.test(clause.trim());
  const code = readFileSync(file, 'utf8').replace(
    /^(?:import|export)\s+((?:type\s+)?[\w*{][^;'"]*?)from\s*'[^']+';/gm,
    (all, clause: string) => (isTyped(clause) ? '' : all),
  );
  return [...code.matchAll(/(?:from|import\(|import)\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? path.relative(SRC, path.resolve(path.dirname(file), name)) : name,
  );
};

/** Which files of a folder import which, types and lazy imports included; by paths in the folder. */
const importsBetween = (folder: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    filesOf(folder).map((file) => [
      path.relative(folder, file),
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, name = '']) =>
        path.relative(folder, path.resolve(path.dirname(file), name)),
      ),
    ]),
  );

/** The first cycle in a graph of imports, as `a → b → a`; null: there is none. */
const firstCycle = (graph: ReadonlyMap<string, readonly string[]>): string | null => {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file].join(' → ');
    if (done.has(file)) return null;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle !== null) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle !== null) return cycle;
  }
  return null;
};

/** What only one kind has, beside its names. */
const OF_ONE_KIND = ['licence', 'license', 'iourc', 'idle pc', 'idlepc'];

/** Where such a word is something else, or a name that is stored or part of the interface. */
const NAMED: readonly (readonly [file: string, line: RegExp])[] = [
  ['actors/runtime/secrets.ts', /const SECRET = /],
  ['actors/setting-commands.ts', /'license\.changed'/],
  // Those of packages.
  // An example.
  ['cli/node/add.ts', /^topolog add lab /],
  ['cli/commands.ts', /^topolog --licences /],
  ['cli/topolog.ts', /LICENCES|--licences/],
  ['common/package.ts', /Licences|LICENCES|LICENSES/],
  ['emulators/kit/contract.ts', /eventData\(.*license: string/],
  ['emulators/shared/host/interfaces.ts', /^'docker',$/],
  ['events/schemas.ts', /'license\.changed'/],
  // Words of that format.
  ['files/lab/containerlab/keys.ts', /^license: /],
  ['files/lab/containerlab/systems.ts', /^'ext-container',$/],
  ['files/symbols/themes.ts', /^\w+: \['\w+', '\w+'\],$/],
  ['http/routing/openapi.ts', /name: 'MIT'/],
  ['http/v2/compute/ports.ts', /^nio_nat: /],
  ['projections/fold/fold.ts', /'license\.changed'/],
  ['replay/requests.ts', /'license\.changed'/],
];

/** Words of names in one form: `dockerHost`, `docker_host` and `docker-host` are `docker host`. */
const wordsOf = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();

const withoutComments = (code: string): string =>
  code.replace(/\/\*[^]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1');

describe('the house', () => {
  it('has a line in scripts/house.mjs for every folder of src, and no other', () => {
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(folders.map(({ name }) => name).sort(), HOUSE.map(({ room }) => room).sort());
  });

  it('is on the page of the architecture as it is there', () => {
    const page = readFileSync('docs/explanation/architecture.md', 'utf8');
    const [, table = ''] = /<!-- house -->([^]*)<!-- \/house -->/.exec(page) ?? [];
    const rows = table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
    const shown = rows.map(([, room, concern, imports, owns]) => [room, concern, imports, owns]);
    const expected = HOUSE.map(({ room, concern, imports, owns = [] }) => [
      `src/${room}/`,
      concern.replaceAll('`', ''),
      imports.length === 0 ? '-' : imports.join(', '),
      owns.join(', '),
    ]);
    assert.deepEqual(shown, expected);
  });

  for (const { room, imports, owns = [] } of HOUSE)
    it(`${room} imports what its line says`, () => {
      const files = filesOf(path.join(SRC, room));
      const used = new Set(files.flatMap(importsOf));
      const roomsIn = (names: readonly string[]): string[] =>
        names
          .filter((name) => /^[a-z]+\//.test(name) && HOUSE.some((one) => name.startsWith(`${one.room}/`)))
          .filter((name) => !name.startsWith(`${room}/`) && !name.startsWith('common/'));
      for (const name of roomsIn(files.flatMap(valuesOf)))
        assert.ok(
          imports.some((one) => name === one || name.startsWith(`${one}/`)),
          `${room} imports ${name}`,
        );
      const rank = (name: string | undefined): number => HOUSE.findIndex((one) => one.room === name);
      for (const name of roomsIn([...used]))
        assert.ok(
          name === 'main.ts' || rank(name.split('/')[0]) < rank(room),
          `${room} imports types of ${name}, which stands below it`,
        );
      for (const one of imports)
        assert.ok(
          [...used].some((name) => name === one || name.startsWith(`${one}/`)),
          `${room} does not import ${one}`,
        );
      for (const name of owns) assert.ok(used.has(name), `${room} does not import ${name}`);
    });

  it('imports from above only: no room imports one that stands below it', () => {
    HOUSE.forEach(({ room, imports }, at) => {
      for (const one of imports.filter((name) => name !== 'main.ts'))
        assert.ok(HOUSE.findIndex((other) => one.split('/')[0] === other.room) < at, `${room} imports ${one}`);
    });
  });

  it('has no files that import one another in a cycle, types included', () => {
    for (const folder of [SRC, PAGE]) assert.equal(firstCycle(importsBetween(folder)), null);
  });

  it('sees a cycle, of types and through a lazy import as well', async () => {
    const folder = await tempDir();
    try {
      writeFileSync(path.join(folder.path, 'a.ts'), "import type { B } from './b.tsx';\n");
      writeFileSync(path.join(folder.path, 'b.tsx'), "export const C = lazy(() => import('./c.ts'));\n");
      writeFileSync(path.join(folder.path, 'c.ts'), "export { a } from './a.ts';\n");
      assert.equal(firstCycle(importsBetween(folder.path)), 'a.ts → b.tsx → c.ts → a.ts');
    } finally {
      await folder.remove();
    }
  });

  it('has the names of kinds, and what only one of them has, in the folders of kinds', () => {
    // The fabric's models are what nodes of some kinds are.
    const own = /^(?:client\/api\.ts|emulators\/(?!kit\/|shared\/|ports\/)|fabric\/models\/)/;
    const names = createKinds()
      .all()
      .flatMap(({ name, alias }) => [name, alias]);
    const words = [...names.map(wordsOf), ...OF_ONE_KIND].join('|');
    const word = new RegExp(`(?<![a-z0-9])(?:${words})(?![a-z0-9])`);
    const found = filesOf(SRC)
      .map((file) => path.relative(SRC, file))
      .filter((file) => !own.test(file))
      .flatMap((file) => {
        const lines = withoutComments(readFileSync(path.join(SRC, file), 'utf8')).split('\n');
        const named = lines.map((line) => line.trim()).filter((line) => word.test(wordsOf(line)));
        return named
          .filter((line) => !NAMED.some(([one, is]) => one === file && is.test(line)))
          .map((line) => [file, line]);
      });
    assert.deepEqual(found, []);
  });

  it('has no folder with more than 17 files side by side', () => {
    for (const folder of [SRC, PAGE]) {
      const counts = new Map<string, number>();
      for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
        if (file.isFile()) counts.set(file.parentPath, (counts.get(file.parentPath) ?? 0) + 1);
      const kinds = path.join(SRC, 'emulators');
      for (const [where, count] of counts)
        if (path.dirname(where) !== kinds) assert.ok(count <= 17, `${where} has ${count} files`);
    }
  });
});
