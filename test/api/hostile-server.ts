import assert from 'node:assert/strict';
import { request, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { type Bag, id } from './api.ts';

/** A server in a process of its own, which an unhandled rejection would end, and what it must go on doing. */
export interface HostileServer {
  readonly url: string;
  /** An opened project for clients that behave. */
  readonly project_id: string;
  /** Body of an answer that must have this code. */
  get(code: number, method: string, path: string, body?: unknown): Promise<Bag>;
  /** Id of a new, opened project. */
  project(name: string): Promise<string>;
  /** Somebody else reads and writes, and the server has had nothing to say. */
  assertUnharmed(): Promise<void>;
  close(): Promise<void>;
}

export const hostileServer = async (): Promise<HostileServer> => {
  const dir = await tempDir();
  const server = await spawnServer(dir.path, ['--simulate']);
  const { url } = server;
  const get = async (code: number, method: string, path: string, body?: unknown): Promise<Bag> => {
    const answer = await request(url, method, path, body);
    assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
    return answer.body as Bag;
  };
  const project = async (name: string): Promise<string> =>
    id(await get(201, 'POST', '/v2/projects', { name }), 'project_id');
  const project_id = await project('lab');
  const said = server.output().length;
  return {
    url,
    project_id,
    get,
    project,
    async assertUnharmed() {
      await get(200, 'GET', '/v2/compute/version');
      const { drawing_id } = await get(201, 'POST', `/v2/projects/${project_id}/drawings`, { x: 1 });
      await get(204, 'DELETE', `/v2/projects/${project_id}/drawings/${String(drawing_id)}`);
      assert.equal(server.child.exitCode, null, server.output());
      assert.equal(server.output().slice(said), '', 'a defect was reported');
    },
    async close() {
      await server.kill('SIGTERM');
      await dir.remove();
      assert.equal(server.child.exitCode, 0, server.output());
    },
  };
};
