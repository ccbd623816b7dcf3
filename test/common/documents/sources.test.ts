import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

/** Where JSON is parsed without bounds: folders and files, by why nobody from outside has written it. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  'it has looked at the bounds, or is a part of what was looked at': [
    'common/documents/json.ts',
    'common/documents/sealed.ts',
    'common/documents/pieces.ts',
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
    ...['actors/undo/', 'http/v2/events/routes.ts', 'http/v2/nodes/config-routes.ts'],
  ],
  'files that the server has written, where nobody else writes': [
    ...['files/write/store.ts', 'files/project/snapshot-files.ts'],
    ...['emulators/trace_tool/system-engine.ts', 'common/package.ts'],
  ],
  'what the server has signed, or said itself': [
    'http/cell/signature.ts',
    'http/server/inject.ts',
    'http/routing/openapi-schemas.ts',
    'files/lab/beside.ts',
    'files/lab/thread.ts',
  ],
  'programs of this machine that the server runs': [
    ...['fabric/io/json-lines.ts', 'emulators/machine_emulator/', 'emulators/switch_router_emulator/'],
    'emulators/container/service.ts',
  ],
  'the command line and the client library, which read for who runs them': ['cli/', 'client/', 'session/', 'replay/'],
};

/** Answers and streams that are read as a whole, by an API that has no bound. */
const WHOLE = /\.(?:json|text|arrayBuffer|blob)\(\)/;

const sources = readdirSync('src', { recursive: true })
  .map((file) => String(file).split(path.sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .map((file) => ({ file, text: readFileSync(path.join('src', file), 'utf8') }));
const places = Object.values(OWN).flat();
const isOwn = (file: string): boolean =>
  places.some((place) => file === place || (place.endsWith('/') && file.startsWith(place)));

describe('documents from outside', () => {
  it('are parsed within bounds: JSON.parse stands only where nobody from outside has written the text', () => {
    const found = sources.filter(({ text }) => /\bJSON\s*\.\s*parse\b/.test(text)).map(({ file }) => file);
    assert.deepEqual(
      found.filter((file) => !isOwn(file)),
      [],
      'boundedJson of src/common/documents/json.ts parses what comes from outside',
    );
    assert.deepEqual(
      places.filter((place) => !found.some((file) => file === place || file.startsWith(place))),
      [],
      'nothing is parsed there any more',
    );
  });

  it('are read within bounds: no answer of another machine is taken as a whole', () => {
    const found = sources.filter(({ file, text }) => WHOLE.test(text) && !/^(?:cli|client)\//.test(file));
    assert.deepEqual(
      found.map(({ file }) => file),
      [],
      'boundedText of src/common/documents/json.ts reads what comes from outside',
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
