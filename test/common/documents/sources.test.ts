import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

/** Where JSON is parsed without bounds: folders and files, by why nobody from outside has written it. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  'it has looked at the bounds, or is a part of what was looked at': [
    'common/json.ts',
    'common/sealed.ts',
    'files/fields/json.ts',
  ],
  'the log, and what was made of it': [
    ...[
      'events/',
      'projections/',
      'why/',
      'actors/recovery/',
      'actors/runtime/keyed-requests.ts',
      'actors/setting-commands.ts',
    ],
    ...['actors/undo/', 'http/v2/events/events.ts', 'http/v2/nodes/configs.ts'],
  ],
  'files that the server has written, where nobody else writes': [
    ...['files/write/save.ts', 'files/project/snapshot-files.ts'],
    ...['emulators/trace_tool/system-engine.ts', 'common/package.ts'],
  ],
  'what the server has signed, or said itself': [
    'cluster/signature.ts',
    'http/server/server.ts',
    'http/routing/openapi-schemas.ts',
    'files/lab/problems.ts',
    'files/lab/thread.ts',
  ],
  'programs of this machine that the server runs': [
    ...['fabric/io/json-lines.ts', 'emulators/machine_emulator/', 'emulators/switch_router_emulator/'],
    'emulators/container/service.ts',
  ],
  'the command line and the client library, which read for who runs them': ['cli/', 'client/', 'session/', 'replay/'],
};

/** Where files are read as a whole and without a bound: folders and files, by why nobody from outside chooses their size. */
const OWN_FILES: Readonly<Record<string, readonly string[]>> = {
  'it has looked at the size, or is this package': [
    ...['files/project/files.ts', 'fabric/models/host/shell/files.ts', 'common/package.ts', 'files/symbols/symbols.ts'],
  ],
  'the log, and secrets of the server': ['events/store/', 'common/secrets.ts'],
  'files that the server has written, where nobody else writes': [
    ...[
      'files/write/save.ts',
      'files/project/snapshot-files.ts',
      'files/project/staged-project.ts',
      'files/uploads.ts',
    ],
    ...['server/found-server.ts', 'fabric/client/supervise.ts', 'fabric/client/fabric-process.ts'],
  ],
  'settings and licences of the administrator': [
    ...['cluster/cell-config.ts', 'http/access/users.ts'],
    ...['emulators/switch_router_emulator/license.ts', 'emulators/desktop_vm_b/list-vms.ts'],
  ],
  'the kernel, and the accounts of this machine': [
    ...['fabric/io/path-mtu.ts', 'processes/', 'emulators/nat/', 'emulators/shared/process/', 'emulators/shared/host/'],
    ...['emulators/shared/network/', 'emulators/shared/desktop-vm/'],
    'emulators/switch_router_emulator/files/netio.ts',
  ],
  'the command line, which reads for who runs it': ['cli/'],
};

/** Answers and streams that are read as a whole, by an API that has no bound. */
const WHOLE = /\.(?:json|text|arrayBuffer|blob)\(\)/;

const sources = readdirSync('src', { recursive: true })
  .map((file) => String(file).split(path.sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .map((file) => ({ file, text: readFileSync(path.join('src', file), 'utf8') }));
/** Files with this in them that no place of the list has, and places without one. */
const heldAgainst = (what: RegExp, list: Readonly<Record<string, readonly string[]>>) => {
  const places = Object.values(list).flat();
  const isIn = (file: string, place: string): boolean =>
    file === place || (place.endsWith('/') && file.startsWith(place));
  const found = sources.filter(({ text }) => what.test(text)).map(({ file }) => file);
  return {
    others: found.filter((file) => !places.some((place) => isIn(file, place))),
    empty: places.filter((place) => !found.some((file) => isIn(file, place))),
  };
};

describe('documents from outside', () => {
  it('are parsed within bounds: JSON.parse stands only where nobody from outside has written the text', () => {
    const { others, empty } = heldAgainst(/\bJSON\s*\.\s*parse\b/, OWN);
    assert.deepEqual(others, [], 'boundedJson of src/common/json.ts parses what comes from outside');
    assert.deepEqual(empty, [], 'nothing is parsed there any more');
  });

  it('are read within bounds: readFile stands only where nobody from outside chooses the size of the file', () => {
    const { others, empty } = heldAgainst(/\breadFile(?:Sync)?\(/, OWN_FILES);
    assert.deepEqual(others, [], 'readBounded of src/common/file.ts reads what comes from outside');
    assert.deepEqual(empty, [], 'nothing is read there any more');
  });

  it('are read within bounds: no answer of another machine is taken as a whole', () => {
    const found = sources.filter(({ file, text }) => WHOLE.test(text) && !/^(?:cli|client)\//.test(file));
    assert.deepEqual(
      found.map(({ file }) => file),
      [],
      'boundedText of src/common/json.ts reads what comes from outside',
    );
  });

  it('are read as YAML in one place, which has bounds of its own', () => {
    const found = sources.filter(({ text }) => /from 'yaml'/.test(text)).map(({ file }) => file);
    assert.deepEqual(
      found.filter((file) => !/^(?:cli\/|files\/lab\/)/.test(file)),
      [],
    );
  });
});
