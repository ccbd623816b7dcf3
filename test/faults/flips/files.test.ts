import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileSorts } from '../../../src/cli/verify/options.ts';
import { createKinds } from '../../../src/emulators/registry.ts';
import { tempDir } from '../../support/temp.ts';
import { makeLab } from './lab.ts';
import { sortOf } from './rounds.ts';

/** Which modules of src write each sort of file: a file, or a folder with all below it. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  log: ['events/store/level-store.ts', 'events/store/witness.ts'],
  'log put aside': ['session/repair.ts'],
  users: ['http/access/users.ts'],
  'keys, computes, server id': ['common/secrets.ts'],
  'setting of a kind': ['actors/setting-commands.ts'],
  'server.json': ['server/found-server.ts'],
  fabric: ['fabric/client/supervise.ts', 'fabric/client/runtime-directory.ts', 'fabric/process/main.ts'],
  spool: ['session/spool.ts'],
  debug: ['server/facade.ts'],
  'project file, beside it': ['files/write/save.ts'],
  captures: ['fabric/capture/', 'computes/links/remote-plumbing.ts'],
  recordings: ['fabric/console/recorder.ts'],
  'files of nodes': [
    'emulators/',
    'fabric/models/',
    'files/read/old/node-files.ts',
    'files/project/node-directories.ts',
    'computes/nodes/files.ts',
    'actors/operation/commands.ts',
  ],
  'deleted nodes': ['files/project/deleted-nodes.ts'],
  snapshots: ['files/project/snapshot-files.ts', 'actors/snapshot/import-snapshots.ts'],
  'on their way': ['files/uploads.ts', 'files/project/staged-project.ts', 'files/project/files.ts', 'actors/transfer/'],
  images: ['emulators/shared/images/checksum.ts'],
  symbols: ['files/symbols/symbols.ts'],
  'what others put in its place': [
    'common/durable.ts',
    'files/project/prepared-file.ts',
    'files/project/tree.ts',
    'files/archive/',
  ],
  'a probe that is taken away': ['files/project/data-directory.ts'],
  'not in a data directory': ['cli/', 'events/store/view.ts', 'fabric/packets/files/tshark.ts', 'replay/make-lab.ts'],
};

/** Sorts that no embedded node makes: they hold messages, leases, and what a repair or a cell leaves. */
const UNSEEN = ['log put aside', 'cell', 'nat', 'cloud', 'spool'];

/** What of node:fs, and of our own, writes; `open` with something else than a mode to read. */
const WRITES =
  /^(?:writeFile|appendFile|createWriteStream|copyFile|cp|rename|link|symlink|truncate|writeSync|openOutput|writeDurably|writeNew|moveTo|prepareFile)(?:Sync)?$/;
const OPENS = /(?:(?<!static |async |[.#\w])open(?:Sync)?\)?|\b(?:files|disk)\.(?:open|rename|copyFile|writeFile))\(/;
const READS = /\bopen(?:Sync)?\(.*(?:'r'|O_RDONLY\b)|\bopen\(\w+\)/;

const writes = (text: string): boolean =>
  [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)].some(([, names = '', from = '']) =>
    names.split(',').some((name) => {
      const imported = name.trim().replace(/ as .*/, '');
      if (WRITES.test(imported)) return /fs|durable|prepared-file|process\/output/.test(from);
      if (!/^(?:open|openSync|promises)$/.test(imported) || !/^node:fs/.test(from)) return false;
      return text.split('\n').some((line) => OPENS.test(line) && !READS.test(line));
    }),
  );

const BECOMES = { named: 'named', log: 'named, or every answer is as before', idle: 'no effect' } as const;

const modules = readdirSync('src', { recursive: true })
  .map((file) => String(file).split(path.sep).join('/'))
  .filter((file) => file.endsWith('.ts') && writes(readFileSync(path.join('src', file), 'utf8')));
const places = Object.values(WRITERS).flat();
const isAt = (file: string, place: string): boolean =>
  file === place || (place.endsWith('/') && file.startsWith(place));

describe('the files that are written', () => {
  it('are written by modules that are known to write them', () => {
    assert.deepEqual(
      modules.filter((file) => !places.some((place) => isAt(file, place))),
      [],
      'say here, and in src/cli/verify/options.ts, what sort of file it writes',
    );
    assert.deepEqual(
      places.filter((place) => !modules.some((file) => isAt(file, place))),
      [],
      'nothing is written there any more',
    );
  });

  it('have each a row in docs/reference/guarantees.md that says what becomes of a changed octet', () => {
    const page = readFileSync('docs/reference/guarantees.md', 'utf8');
    const said = fileSorts(createKinds()).map(({ name, what, changed, unless = '' }) => [
      name,
      what,
      BECOMES[changed],
      unless,
    ]);
    const cells = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const rows = cells.map((row) => row.slice(1, -1)).filter((row) => said.some(([name]) => name === row[0]));
    assert.deepEqual(rows, said);
  });
});

describe('a data directory with something of everything', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let files: string[];
  before(async () => {
    dir = await tempDir();
    const base = path.join(dir.path, 'base');
    await makeLab(path.join(dir.path, 'data'), base);
    const entries = await readdir(base, { recursive: true, withFileTypes: true });
    files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)));
  });
  after(() => dir.remove());

  it('has no file that no sort says', () => {
    assert.deepEqual(
      files.filter((file) => sortOf(file) === undefined),
      [],
    );
  });

  it('has a file of each sort', () => {
    const seen = new Set(files.map((file) => sortOf(file)?.what));
    const unseen = fileSorts(createKinds()).filter(({ what }) => !seen.has(what));
    assert.deepEqual(unseen.map(({ name }) => name).toSorted(), UNSEEN.toSorted());
  });
});
