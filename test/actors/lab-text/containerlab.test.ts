import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ApiError, type Client, connect } from '../../../src/client/index.ts';
import { filesNamedInContainerlab } from '../../../src/files/lab/containerlab/read.ts';
import { testServer, type TestServer } from '../../support/server.ts';

const FOLDER = path.resolve('examples/containerlab');
const PROJECT = '/v2/projects/{project_id}';

describe('labs of containerlab that are applied', () => {
  let server: TestServer;
  let topolog: Client;
  before(async () => {
    server = await testServer();
    topolog = connect({ url: server.url });
  });
  after(() => server.close());

  const bodyOf = (text: string, files: Record<string, string> = {}) => ({
    text,
    format: 'containerlab' as const,
    files,
  });
  const apply = (body: ReturnType<typeof bodyOf> & { start?: boolean; simulate?: boolean }) =>
    topolog.post('/v2/labs/apply', { body });
  const lastEvent = async (project_id: string): Promise<number> => {
    const { events } = await topolog.get(`${PROJECT}/events`, { path: { project_id }, query: { limit: 1000 } });
    return events.length;
  };

  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.clab.yml')))
    it(`${name} is the same lab the second time, and as it is written`, async () => {
      const text = readFileSync(path.join(FOLDER, name), 'utf8');
      const files = Object.fromEntries(
        filesNamedInContainerlab(text).map((file) => [file, readFileSync(path.join(FOLDER, file), 'utf8')]),
      );
      const { project_id, changes } = await apply(bodyOf(text, files));
      assert.ok(changes.length > 5 && changes.every(({ action }) => action === 'add'));
      const before = await lastEvent(project_id);
      assert.deepEqual((await apply(bodyOf(text, files))).changes, []);
      const answer = await topolog.fetch(`/v2/projects/${project_id}/lab?as=containerlab`);
      const written = await answer.text();
      assert.doesNotMatch(written, /^#/m);
      assert.deepEqual((await apply(bodyOf(written, files))).changes, [], written);
      assert.equal(await lastEvent(project_id), before);
    });

  it('have network systems simulated where that is asked for, and refused by name otherwise', async () => {
    const text = `name: sys
topology:
  nodes:
    r1: {kind: nokia_srlinux, image: srl}
    r2: {kind: nokia_srlinux, image: srl}
  links:
    - endpoints: ["r1:ethernet-1/1", "r2:ethernet-1/1"]
`;
    const refused = await apply(bodyOf(text)).catch((error: unknown) => error);
    assert.ok(refused instanceof ApiError && refused.status === 400);
    assert.match(refused.message, /r1 is of kind nokia_srlinux, [^;]*--simulate\); the same for r2$/);
    const { project_id } = await apply({ ...bodyOf(text), simulate: true, start: true });
    const nodes = await topolog.get(`${PROJECT}/nodes`, { path: { project_id } });
    assert.deepEqual(
      nodes.map(({ name, status }) => [name, status]),
      [
        ['r1', 'started'],
        ['r2', 'started'],
      ],
    );
    assert.equal((await topolog.get(`${PROJECT}/links`, { path: { project_id } })).length, 1);
  });
});
