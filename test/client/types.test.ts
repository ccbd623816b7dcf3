import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fakeLab, serve } from '../http/fake-lab.ts';
import { testServer } from '../support/server.ts';

const root = path.resolve('.');
const { clientTypes } = (await import(pathToFileURL(path.join(root, 'scripts/client-types.mjs')).href)) as {
  clientTypes: (document: unknown) => Promise<string>;
};
const app = serve(fakeLab());
after(() => app.close());
const document = (await app.inject('/v2/openapi.json')).json<object>();

describe('the types of the client', () => {
  it('are those of the document; npm run docs:client writes them', async () => {
    assert.equal(readFileSync(path.join(root, 'src/client/api.ts'), 'utf8'), await clientTypes(document));
  });

  it('are made of the very document that a server serves', async () => {
    const server = await testServer();
    const { body } = await server.request('GET', '/v2/openapi.json');
    await server.close();
    const withoutVersion = ({ info, ...rest }: { info?: object }): object => ({
      ...rest,
      info: { ...info, version: '' },
    });
    assert.deepEqual(withoutVersion(body as object), withoutVersion(document));
  });
});
