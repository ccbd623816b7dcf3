import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { draft, SYSTEM_CALLER } from '../../src/actors/context.ts';
import { eachEvent } from '../../src/events/read.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, testLab } from './test-lab.ts';
import { waitFor } from '../support/wait-for.ts';

type Bag = Record<string, unknown>;
interface Node {
  node_id: string;
  name: string;
  status: string;
  properties: Bag;
}

const LIFE = /^(server|node)\.(took_over|unreachable|reachable|adopted|lost|start_requested|started|stopped)$/;
const PLACES = { adapter_number: 0, port_number: 0 };

/** A lab whose log goes from one server's data directory to another's: a switch, PC1 that runs, and PC2 that does not. */
class TakenLab {
  readonly #root: string;
  #at = 'a';
  server!: ServerProcess;
  project = '';
  #since = 0;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(t: TestContext, settings: object = {}): Promise<TakenLab> {
    const dir = await tempDir();
    t.after(dir.remove);
    const lab = new TakenLab(dir.path);
    t.after(() => lab.server.kill('SIGTERM'));
    await lab.start();
    const made = (await lab.ask(201, 'POST', '/v2/projects', { name: 'lab', ...settings })) as Bag;
    lab.project = `/v2/projects/${String(made['project_id'])}`;
    const ids: string[] = [];
    for (const [name, node_type] of [
      ['SW', 'ethernet_switch'],
      ['PC1', 'simple_pc'],
      ['PC2', 'simple_pc'],
    ])
      ids.push(
        ((await lab.ask(201, 'POST', `${lab.project}/nodes`, { name, node_type, compute_id: 'local' })) as Node)
          .node_id,
      );
    const [sw = '', pc1 = ''] = ids;
    const nodes = [sw, pc1].map((node_id) => ({ node_id, ...PLACES }));
    await lab.ask(201, 'POST', `${lab.project}/links`, { nodes });
    await lab.act('PC1', 'start', 200);
    await lab.happened();
    return lab;
  }

  get #dataDir(): string {
    return path.join(this.#root, this.#at);
  }

  async start(flags: string[] = []): Promise<void> {
    this.server = await spawnServer(this.#dataDir, flags);
  }

  /** Ends the server, and starts another one (`a`, `b`) on the same log. */
  async takeOver(to: string, { signal = 'SIGKILL', fabric = false, flags = [] }: Taken = {}): Promise<void> {
    if (fabric) process.kill(await fabricPid(this.#dataDir), 'SIGKILL');
    await this.server.kill(signal);
    const log = path.join(this.#dataDir, 'log');
    this.#at = to;
    if (log !== path.join(this.#dataDir, 'log')) {
      await rm(path.join(this.#dataDir, 'log'), { recursive: true, force: true });
      await cp(log, path.join(this.#dataDir, 'log'), { recursive: true });
    }
    await this.start(flags);
  }

  async ask(code: number, method: string, where: string, body?: object): Promise<unknown> {
    const answer = await request(this.server.url, method, where, body);
    assert.equal(answer.status, code, `${method} ${where}: ${answer.text}`);
    return answer.body;
  }

  async nodes(): Promise<Record<string, Node>> {
    const nodes = (await this.ask(200, 'GET', `${this.project}/nodes`)) as Node[];
    return Object.fromEntries(nodes.map((node) => [node.name, node]));
  }

  async statuses(): Promise<Record<string, string>> {
    const nodes = Object.values(await this.nodes());
    return Object.fromEntries(
      nodes.map(({ name, status, properties }) => [
        name,
        properties['unreachable'] === undefined ? status : `${status}, unreachable`,
      ]),
    );
  }

  async act(name: string, action: string, code: number): Promise<Bag> {
    const id = (await this.nodes())[name]?.node_id ?? '';
    return (await this.ask(code, 'POST', `${this.project}/nodes/${id}/${action}`, {})) as Bag;
  }

  /** What was put on record of servers and nodes since the last call: types, with the names of nodes. */
  async happened(): Promise<string[]> {
    const names = new Map(Object.values(await this.nodes()).map(({ node_id, name }) => [node_id, name]));
    const { events } = (await this.ask(200, 'GET', `/v2/events?from=${this.#since + 1}&limit=1000`)) as {
      events: AnyEvent[];
    };
    this.#since = events.at(-1)?.position ?? this.#since;
    return events
      .filter(({ type }) => LIFE.test(type) && type !== 'server.started')
      .map(({ type, data }) => ('node_id' in data ? `${type} ${names.get(data.node_id ?? '') ?? ''}` : type));
  }

  /** Once the nodes are like this. */
  async becomes(wanted: Record<string, string>): Promise<void> {
    await waitFor(`nodes are ${JSON.stringify(wanted)}`, async () => {
      const now = await this.statuses();
      return Object.entries(wanted).every(([name, status]) => now[name] === status);
    });
  }
}

interface Taken {
  signal?: NodeJS.Signals;
  /** The fabric is killed as well, and what ran with it. */
  fabric?: boolean;
  flags?: string[];
}

const AWAY = { SW: 'started, unreachable', PC1: 'started, unreachable', PC2: 'stopped' };

describe('nodes of a server that was killed, when another one takes over', { concurrency: 2 }, () => {
  it('stay where they are, and nothing is asked of them', async (t) => {
    const lab = await TakenLab.open(t);
    await lab.takeOver('b');
    assert.deepEqual(await lab.statuses(), AWAY);
    assert.deepEqual(await lab.happened(), ['server.took_over', 'node.unreachable SW', 'node.unreachable PC1']);
    const { PC1 } = await lab.nodes();
    assert.match(String(PC1?.properties['unreachable']), /^it runs at \S+, which wrote this log before$/);
    const refused = await lab.act('PC1', 'stop', 409);
    assert.deepEqual([refused['code'], refused['name']], ['compute_unreachable', 'local']);
    assert.match(String(refused['message']), /^Compute local cannot be reached: it runs at /);
    const [link] = (await lab.ask(200, 'GET', `${lab.project}/links`)) as [Bag];
    await lab.ask(409, 'POST', `${lab.project}/links/${String(link['link_id'])}/start_capture`, {});
    await lab.ask(409, 'DELETE', `${lab.project}/nodes/${PC1?.node_id ?? ''}`);
    // The others go on here.
    await lab.act('PC2', 'start', 200);
    assert.deepEqual(await lab.statuses(), { ...AWAY, PC2: 'started' });
  });

  it('are looked at when that server writes again, and then those of the other are away', async (t) => {
    const lab = await TakenLab.open(t);
    await lab.takeOver('b');
    await lab.act('PC2', 'start', 200);
    await lab.happened();
    await lab.takeOver('a');
    assert.deepEqual(await lab.statuses(), { SW: 'started', PC1: 'started', PC2: 'started, unreachable' });
    const told = await lab.happened();
    assert.deepEqual(
      [told.slice(0, 4), told.slice(4).sort()],
      [
        ['server.took_over', 'node.unreachable PC2', 'node.reachable SW', 'node.reachable PC1'],
        ['node.adopted PC1', 'node.adopted SW'],
      ],
    );
    await lab.act('PC1', 'stop', 200);
    await lab.takeOver('b');
    assert.deepEqual(await lab.statuses(), { SW: 'started, unreachable', PC1: 'stopped', PC2: 'started' });
  });

  it('are lost where they no longer run then, and are started again', async (t) => {
    const lab = await TakenLab.open(t);
    await lab.takeOver('b', { fabric: true });
    assert.deepEqual(await lab.statuses(), AWAY);
    await lab.happened();
    await lab.takeOver('a');
    await lab.becomes({ SW: 'started', PC1: 'started' });
    const told = await lab.happened();
    for (const what of ['node.reachable PC1', 'node.lost PC1', 'node.started PC1'])
      assert.ok(told.includes(what), what);
  });

  it('stay away over starts of the server that took over, which knows its own', async (t) => {
    const lab = await TakenLab.open(t);
    await lab.takeOver('b');
    await lab.act('PC2', 'start', 200);
    await lab.happened();
    await lab.takeOver('b');
    assert.deepEqual(await lab.happened(), ['node.adopted PC2']);
    assert.deepEqual(await lab.statuses(), { ...AWAY, PC2: 'started' });
    await lab.takeOver('b', { signal: 'SIGTERM' });
    await lab.becomes({ ...AWAY, PC2: 'started' });
  });

  it('run here at once where the project says so', async (t) => {
    const lab = await TakenLab.open(t, { on_takeover: 'restart' });
    await lab.takeOver('b');
    await lab.becomes({ SW: 'started', PC1: 'started', PC2: 'stopped' });
    const told = await lab.happened();
    assert.deepEqual(told.slice(0, 3), ['server.took_over', 'node.unreachable SW', 'node.unreachable PC1']);
    for (const type of ['lost', 'start_requested', 'started'])
      assert.equal(told.filter((what) => what === `node.${type} PC1`).length, 1, type);
    await lab.act('PC1', 'stop', 200);
    await lab.act('PC1', 'start', 200);
    await lab.takeOver('a');
    // What had stayed there is not taken for what was started at the other one.
    await lab.becomes({ SW: 'started', PC1: 'started' });
    assert.ok(!(await lab.happened()).includes('node.adopted PC1'));
  });

  it('stay stopped with --no-resume, also where the project says that they run here', async (t) => {
    const lab = await TakenLab.open(t, { on_takeover: 'restart' });
    await lab.takeOver('b', { flags: ['--no-resume'] });
    assert.deepEqual(await lab.statuses(), { SW: 'stopped', PC1: 'stopped', PC2: 'stopped' });
    await lab.act('PC1', 'start', 200);
  });

  it('run here as soon as somebody gives them up there', async (t) => {
    const lab = await TakenLab.open(t);
    await lab.takeOver('b');
    assert.equal(((await lab.ask(200, 'GET', lab.project)) as Bag)['on_takeover'], 'leave');
    await lab.ask(200, 'PUT', lab.project, { on_takeover: 'restart' });
    await lab.becomes({ SW: 'started', PC1: 'started' });
    await lab.ask(200, 'PUT', lab.project, { on_takeover: 'leave' });
    await lab.takeOver('b');
    assert.deepEqual(await lab.statuses(), { SW: 'started', PC1: 'started', PC2: 'stopped' });
  });

  it('end with their project', async (t) => {
    const lab = await TakenLab.open(t);
    await lab.takeOver('b');
    await lab.happened();
    await lab.ask(204, 'POST', `${lab.project}/close`, {});
    const lost = (await lab.happened()).filter((what) => what.startsWith('node.lost'));
    assert.deepEqual(lost, ['node.lost SW', 'node.lost PC1']);
    await lab.ask(201, 'POST', `${lab.project}/open`, {});
    assert.deepEqual(await lab.statuses(), { SW: 'started', PC1: 'stopped', PC2: 'stopped' });
    await lab.act('PC1', 'start', 200);
    await lab.takeOver('a');
    assert.deepEqual(await lab.statuses(), AWAY);
  });
});

describe('nodes of a server that ended by itself, when another one takes over', () => {
  it('ended with it, and can be started here', async (t) => {
    const lab = await TakenLab.open(t);
    await lab.takeOver('b', { signal: 'SIGTERM' });
    const told = await lab.happened();
    assert.deepEqual(told, ['server.stopped', 'server.took_over', 'node.lost SW', 'node.lost PC1']);
    assert.deepEqual(await lab.statuses(), { SW: 'stopped', PC1: 'stopped', PC2: 'stopped' });
    await lab.act('PC1', 'start', 200);
    await lab.becomes({ SW: 'started', PC1: 'started' });
  });

  it('are started again here where the project says so', async (t) => {
    const lab = await TakenLab.open(t, { on_takeover: 'restart' });
    await lab.takeOver('b', { signal: 'SIGTERM' });
    await lab.becomes({ SW: 'started', PC1: 'started', PC2: 'stopped' });
  });
});

describe('what a log tells of the server before', () => {
  const STARTED = { version: '1', pid: 1, recovered: {} };
  const serverOf = (id: string) => ({ settings: { server: { id, name: id } } });
  const lab = async (t: TestContext) => {
    const dir = await tempDir();
    t.after(dir.remove);
    return (id: string) => testLab({ dir: dir.path, ...serverOf(id) });
  };
  type Lab = Awaited<ReturnType<typeof testLab>>;
  const startOf = ({ log }: Lab, said: object) =>
    log.append([draft(SYSTEM_CALLER, null, 'server.started', { ...STARTED, ...said })]);
  const running = async ({ commands }: Lab, name: string): Promise<void> => {
    const { project_id } = await commands.createProject(CALLER, { name });
    const node = { name: 'PC1', kind: 'simple_pc', compute_id: 'local' };
    const { node_id } = await commands.createNode(CALLER, project_id, node, 'make_unique');
    await commands.actOnNode(CALLER, { project_id, node_id }, 'start');
  };
  const takenOver = async ({ log }: Lab): Promise<unknown[]> => {
    const told: unknown[] = [];
    await eachEvent(log.store, ({ type, data }) => {
      if (type === 'server.took_over' || type === 'node.unreachable') told.push([type, data.server]);
    });
    return told;
  };

  it('holds though the one that took over was killed before it told its start', async (t) => {
    const open = await lab(t);
    const a = await open('a');
    await startOf(a, { server: 'a', name: 'a' });
    await running(a, 'one');
    await a.close();
    const b = await open('b');
    await b.lab.takeOver();
    await running(b, 'two');
    await b.close();
    const again = await open('b');
    await again.lab.takeOver();
    const told = [
      ['server.took_over', 'b'],
      ['node.unreachable', 'a'],
    ];
    assert.deepEqual(await takenOver(again), told);
    await again.close();
    const c = await open('c');
    await c.lab.takeOver();
    assert.deepEqual(await takenOver(c), [...told, ['server.took_over', 'c'], ['node.unreachable', 'b']]);
    assert.match(c.reports.join(), /this server takes over from b, where 1 nodes run/);
    await c.close();
  });

  it('is nothing where that was of a version that did not say which it was', async (t) => {
    const open = await lab(t);
    const a = await open('a');
    await startOf(a, {});
    await running(a, 'one');
    await a.close();
    const b = await open('b');
    await b.lab.takeOver();
    assert.deepEqual(await takenOver(b), []);
    await b.close();
  });
});
