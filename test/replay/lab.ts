import assert from 'node:assert/strict';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { createReplay, type ReplayOptions, type ReplayReport } from '../../src/replay/replay.ts';
import type { ReplayHost } from '../../src/replay/host.ts';
import { readSession, type SessionContent } from '../../src/replay/read-session.ts';
import { request, type TestServer } from '../support/server.ts';

export const FAST: ReplayOptions = { speed: null, engine: 'auto', keep: false, consoles: false };

export const hostOf = (server: TestServer): ReplayHost => ({
  filesDir: server.dataDir,
  version: 'test',
  send: async (method, path, body, id) =>
    request(server.url, method, path, body ?? undefined, { 'x-request-id': id, 'x-topolog-user': 'replayer' }),
});

/** The whole session of a project. */
export const sessionOf = async (server: TestServer, projectId: string): Promise<SessionContent> =>
  readSession((await server.request('GET', `/v2/projects/${projectId}/session`)).text);

export const replayOf = async (
  server: TestServer,
  projectId: string,
  options: Partial<ReplayOptions> = {},
): Promise<ReplayReport> => {
  const replay = createReplay(hostOf(server), await sessionOf(server, projectId), { ...FAST, ...options });
  return replay.run(new AbortController().signal, () => undefined);
};

export interface Made {
  id: string;
  post(path: string, body?: unknown): Promise<Record<string, unknown>>;
  put(path: string, body: unknown): Promise<Record<string, unknown>>;
  remove(path: string): Promise<void>;
  /** A request that must be refused with this status. */
  refused(status: number, method: string, path: string, body?: unknown): Promise<void>;
}

/** A new project; its requests must succeed. */
export const makeProject = async (server: TestServer, name: string, settings: object = {}): Promise<Made> => {
  const made = await server.request('POST', '/v2/projects', { name, ...settings });
  assert.equal(made.status, 201, made.text);
  const id = (made.body as { project_id: string }).project_id;
  const at = (path: string): string => (path.startsWith('/v2') ? path : `/v2/projects/${id}${path}`);
  const done = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await server.request(method, at(path), body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.body ?? {}) as Record<string, unknown>;
  };
  return {
    id,
    post: (path, body) => done('POST', path, body),
    put: (path, body) => done('PUT', path, body),
    remove: async (path) => {
      await done('DELETE', path);
    },
    async refused(status, method, path, body) {
      const answer = await server.request(method, at(path), body);
      assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    },
  };
};

/** Every event of a project, in order. */
export const eventsIn = async (server: TestServer, project_id: string): Promise<AnyEvent[]> => {
  const events: AnyEvent[] = [];
  for await (const line of server.client().lines('/v2/projects/{project_id}/events', { path: { project_id } }))
    events.push(JSON.parse(line) as AnyEvent);
  return events;
};

const NOT_OF_THE_LAB = /^(node_directory|path|pid|console|command_line|file_sha256|lport|rport|count)$/;

/** Events as texts in which things have their names instead of ids, sorted: equal for equal histories. */
export const wellKnown = (events: readonly AnyEvent[], projectName: string): string[] => {
  const names = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'project.created') names.set(event.data.project_id, 'project');
    if (event.type === 'node.created') names.set(event.data.node_id, `node ${event.data.name}`);
    if (event.type === 'link.created')
      names.set(event.data.link_id, event.data.nodes.map((end) => names.get(end.node_id) ?? '?').join(' to '));
    if (event.type === 'drawing.created') names.set(event.data.drawing_id, `drawing ${event.data.svg}`);
  }
  const suffix = projectName.slice(projectName.indexOf(' (replay'));
  const said = (text: string): string =>
    [...names].reduce((t, [id, name]) => t.replaceAll(id, name), text.replaceAll(suffix, ''));
  return events
    .filter((f) => f.type !== 'project.file_written' && f.type !== 'warning.raised')
    .map((f) => said(JSON.stringify([f.type, f.data, f.by], (k, v: unknown) => (NOT_OF_THE_LAB.test(k) ? null : v))))
    .sort();
};
