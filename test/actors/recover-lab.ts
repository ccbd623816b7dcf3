import assert from 'node:assert/strict';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { findMarked, type Marked, markOf } from '../../src/processes/marker.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { type Answer, request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { testProgram } from '../support/test-program.ts';
import { waitFor } from '../support/wait-for.ts';

/** A server that also has nodes which are processes of the tests' own. */
const WITH_ECHO = testProgram('serve-with-echo');

export interface Made {
  node_id: string;
  name: string;
  status: string;
  node_directory: string;
  properties: Record<string, unknown>;
}

/** One project on a server that is to be killed. */
export class KilledLab {
  readonly dataDir: string;
  server: ServerProcess;
  project = '';
  projectPath = '';

  private constructor(dataDir: string, server: ServerProcess) {
    this.dataDir = dataDir;
    this.server = server;
  }

  /** Everything of it is ended with the test. */
  static async open(t: TestContext, project: object = {}): Promise<KilledLab> {
    const dir = await tempDir();
    t.after(dir.remove);
    const dataDir = path.join(dir.path, 'data');
    const lab = new KilledLab(dataDir, await spawnServer(dataDir, [], WITH_ECHO));
    t.after(() => lab.server.kill('SIGTERM'));
    const { body } = await lab.try('POST', '/v2/projects', { name: 'lab', ...project });
    const made = body as { project_id: string; path: string };
    lab.project = `/v2/projects/${made.project_id}`;
    lab.projectPath = made.path;
    return lab;
  }

  try(method: string, where: string, body?: object): Promise<Answer> {
    return request(this.server.url, method, where, body);
  }

  async ask(method: string, where: string, body?: object): Promise<unknown> {
    const answer = await this.try(method, `${this.project}${where}`, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.text}`);
    return answer.body;
  }

  async node(name: string, node_type: string, properties: object = {}): Promise<Made> {
    return (await this.ask('POST', '/nodes', { name, node_type, compute_id: 'local', properties })) as Made;
  }

  act(node: Made, action: string): Promise<Answer> {
    return this.try('POST', `${this.project}/nodes/${node.node_id}/${action}`, {});
  }

  async statuses(): Promise<Record<string, string>> {
    const nodes = (await this.ask('GET', '/nodes')) as Made[];
    return Object.fromEntries(nodes.map(({ name, status }) => [name, status]));
  }

  async events(): Promise<AnyEvent[]> {
    return ((await this.ask('GET', '/events?limit=1000')) as { events: AnyEvent[] }).events;
  }

  /** Resolves once so many events of these types are on record. */
  async told(count: number, ...types: AnyEvent['type'][]): Promise<void> {
    const found = async (): Promise<AnyEvent[]> => (await this.events()).filter(({ type }) => types.includes(type));
    await waitFor(`${count} ${types.join(', ')} are on record`, async () => (await found()).length >= count);
  }

  /** The project's record once it says this. */
  async projectIs(status: 'opened' | 'closed'): Promise<void> {
    const read = async (): Promise<{ status: string }> => (await this.ask('GET', '')) as { status: string };
    await waitFor(`the project is ${status}`, async () => (await read()).status === status);
  }

  async processes(): Promise<Marked[]> {
    return findMarked(await markOf(this.dataDir));
  }

  /** Kills the server; with its fabric when `both`. */
  async kill(both = false): Promise<void> {
    await this.server.kill('SIGKILL');
    if (both) process.kill(await fabricPid(this.dataDir), 'SIGKILL');
  }

  async comeBack(flags: string[] = [], program = WITH_ECHO): Promise<void> {
    this.server = await spawnServer(this.dataDir, flags, program);
  }
}
