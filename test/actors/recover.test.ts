import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../src/common/promises.ts';
import { isDeepStrictEqual } from 'node:util';
import { openConsole } from '../support/console.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

interface Node {
  node_id: string;
  name: string;
  status: string;
  console: number | null;
}

const PATIENCE_MS = 25_000;
const PING = 'ping 10.0.0.2 -c 1';

/** Two running PCs at a switch, a suspended and a stopped one, and a capture on the first link. */
class Lab {
  readonly #project = `/v2/projects/${randomUUID()}`;
  server: ServerProcess;
  readonly #dataDir: string;

  constructor(server: ServerProcess, dataDir: string) {
    this.server = server;
    this.#dataDir = dataDir;
  }

  async ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await request(this.server.url, method, `${this.#project}${path}`, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body as Record<string, unknown>;
  }

  async build(): Promise<void> {
    const project_id = this.#project.slice('/v2/projects/'.length);
    const made = await request(this.server.url, 'POST', '/v2/projects', { name: 'lab', project_id });
    assert.equal(made.status, 201, made.text);
    const sw = await this.#node('Switch', 'ethernet_switch');
    const pcs = [];
    for (const n of [1, 2, 3, 4])
      pcs.push(await this.#node(`PC${n}`, 'simple_pc', { startup_script: `ip 10.0.0.${n}/24` }));
    const links = [];
    for (const [port_number, node_id] of pcs.entries())
      links.push(await this.ask('POST', '/links', { nodes: [at(node_id, 0), at(sw, port_number)] }));
    await this.ask('POST', '/nodes/start', {});
    await this.ask('POST', `/nodes/${pcs[2] ?? ''}/suspend`, {});
    await this.ask('POST', `/nodes/${pcs[3] ?? ''}/stop`, {});
    await this.ask('POST', `/links/${String(links[0]?.['link_id'])}/start_capture`, {});
  }

  async #node(name: string, node_type: string, properties: object = {}): Promise<string> {
    const made = await this.ask('POST', '/nodes', { name, node_type, compute_id: 'local', properties });
    return String(made['node_id']);
  }

  async nodes(): Promise<Pick<Node, 'name' | 'status' | 'console'>[]> {
    const nodes = (await this.ask('GET', '/nodes')) as unknown as Node[];
    return nodes.map(({ name, status, console }) => ({ name, status, console }));
  }

  async capturing(): Promise<unknown[]> {
    const links = (await this.ask('GET', '/links')) as unknown as { capturing: boolean }[];
    return links.map((link) => link.capturing);
  }

  async kindsOfEvents(): Promise<string[]> {
    const { events } = await this.ask('GET', '/events?limit=1000');
    return (events as { type: string }[]).map((event) => event.type);
  }

  async ping(): Promise<void> {
    const [, pc1] = await this.nodes();
    const console = await openConsole(pc1?.console ?? 0);
    try {
      // A PC that has just been started may still be at its startup script.
      await this.until(async () => / bytes from 10\.0\.0\.2 icmp_seq=1/.test(await console.type(PING, /> $/)));
    } finally {
      console.close();
    }
  }

  /** Asks again and again, far longer than anything here takes; then says what it saw last. */
  async until(there: () => Promise<boolean>): Promise<void> {
    const isThere = await until(there, { every: 50, within: PATIENCE_MS });
    if (!isThere) assert.fail(`${JSON.stringify(await this.nodes())}\n${this.server.output()}`);
  }

  /** The next server on the same data. */
  async comeBack(flags: string[] = []): Promise<string> {
    this.server = await spawnServer(this.#dataDir, flags);
    // It is printed right after the line that says where the server listens.
    await this.until(() => Promise.resolve(/^recovered.*\n/m.test(this.server.output())));
    return /^recovered.*$/m.exec(this.server.output())?.[0] ?? '';
  }
}

const at = (node_id: string, port_number: number) => ({ node_id, adapter_number: 0, port_number });

const built = async (t: TestContext): Promise<{ lab: Lab; dataDir: string }> => {
  const dir = await tempDir();
  const lab = new Lab(await spawnServer(dir.path), dir.path);
  t.after(async () => {
    await lab.server.kill('SIGTERM');
    await dir.remove();
  });
  await lab.build();
  await lab.ping();
  return { lab, dataDir: dir.path };
};

describe('recovery', () => {
  it('adopts everything that ran when only the server was killed', async (t) => {
    const { lab, dataDir } = await built(t);
    const before = await lab.nodes();
    const fabric = await fabricPid(dataDir);
    await lab.server.kill('SIGKILL');
    const summary = await lab.comeBack();
    assert.match(summary, /still running\): 4 nodes adopted, 0 lost, 0 started again, 1 captures going on, 0 failed/);
    assert.equal(await fabricPid(dataDir), fabric);
    assert.deepEqual(await lab.nodes(), before);
    assert.deepEqual(await lab.capturing(), [true, false, false, false]);
    await lab.ping();
    assert.equal((await lab.kindsOfEvents()).filter((type) => type === 'node.adopted').length, 4);
  });

  it('starts again what ran when the server and the fabric were killed, with the same consoles', async (t) => {
    const { lab, dataDir } = await built(t);
    const before = await lab.nodes();
    await lab.server.kill('SIGKILL');
    process.kill(await fabricPid(dataDir), 'SIGKILL');
    const summary = await lab.comeBack();
    assert.match(summary, /new fabric was started\): 0 nodes adopted, 4 lost, \d started again, 1 captures/);
    // On a busy machine the server answers before all are up again.
    await lab.until(async () => isDeepStrictEqual(await lab.nodes(), before));
    assert.deepEqual(await lab.capturing(), [true, false, false, false]);
    await lab.ping();
  });

  it('leaves stopped what died when it is told not to resume', async (t) => {
    const { lab, dataDir } = await built(t);
    await lab.server.kill('SIGKILL');
    process.kill(await fabricPid(dataDir), 'SIGKILL');
    await lab.comeBack(['--no-resume']);
    assert.deepEqual(new Set((await lab.nodes()).map((n) => n.status)), new Set(['stopped']));
    assert.ok((await lab.kindsOfEvents()).includes('node.lost'));
  });

  it('brings everything back into a new fabric when only the fabric was killed', async (t) => {
    const { lab, dataDir } = await built(t);
    const before = await lab.nodes();
    process.kill(await fabricPid(dataDir), 'SIGKILL');
    await lab.until(async () => (await lab.kindsOfEvents()).filter((type) => type === 'node.lost').length === 4);
    await lab.until(async () => isDeepStrictEqual(await lab.nodes(), before));
    await lab.ping();
    assert.match(lab.server.output(), /the fabric \(process \d+\) has ended; starting another/);
  });

  it('brings a lab back as it was left after a clean stop', async (t) => {
    const { lab } = await built(t);
    const before = await lab.nodes();
    await lab.server.kill('SIGTERM');
    const summary = await lab.comeBack();
    // On a busy machine some are still on their way.
    assert.match(summary, /new fabric was started\): 0 nodes adopted, 0 lost, \d started again/);
    await lab.until(async () => isDeepStrictEqual(await lab.nodes(), before));
    await lab.ping();
  });
});
