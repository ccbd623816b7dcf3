import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { findMarked, type Marked, markOf } from '../../src/processes/marker.ts';
import type { Random } from '../faults/prng.ts';
import { readCounter } from '../support/echo-engine.ts';
import { ownPlaces, request, type ServerProcess, spawnServer } from '../support/server.ts';
import { Beat } from './recovery-beats.ts';
import { freePorts } from '../support/free-port.ts';
import { testProgram } from '../support/test-program.ts';
import { waitFor } from '../support/wait-for.ts';

const PROGRAM = testProgram('serve-with-echo');

/** Far beyond what anything here takes. Milliseconds. */
const LATE_MS = 25_000;

export interface LabNode {
  node_id: string;
  name: string;
  node_type: string;
  status: string;
  console: number | null;
  node_directory: string;
}

interface Echo {
  node: LabNode;
  beat: Beat;
}

/** A lab of processes outside (each echoing the beats of a peer) and of embedded PCs at a switch, on a server to be killed. */
export class RecoveryLab {
  readonly dataDir: string;
  readonly echoes: Echo[] = [];
  readonly pcs: LabNode[] = [];
  /** Nodes that are started and stopped all the time: one outside that boots slowly, one simulated. */
  readonly restless: LabNode[] = [];
  readonly #project: string;
  readonly #random: Random;
  server: ServerProcess;
  beating = true;
  /** File of the capture at the first PC. */
  #captured = '';

  private constructor(dataDir: string, server: ServerProcess, random: Random) {
    this.dataDir = dataDir;
    this.server = server;
    this.#random = random;
    this.#project = `/v2/projects/${random.uuid()}`;
  }

  static async build(dataDir: string, count: number, random: Random): Promise<RecoveryLab> {
    const lab = new RecoveryLab(dataDir, await spawnServer(dataDir, [], PROGRAM), random);
    await lab.#build(count);
    return lab;
  }

  async #build(count: number): Promise<void> {
    const project_id = this.#project.slice('/v2/projects/'.length);
    assert.equal((await request(this.server.url, 'POST', '/v2/projects', { name: 'lab', project_id })).status, 201);
    const ports_mapping = Array.from({ length: count }, (_, n) => ({
      ...{ name: `Ethernet${n}`, port_number: n, type: 'access', vlan: 1 },
    }));
    const sw = await this.#node('Switch', 'ethernet_switch', { ports_mapping });
    for (let n = 0; n < count; n++) {
      const pc = await this.#node(`PC${n + 1}`, 'simple_pc', { startup_script: `ip 10.0.0.${n + 1}/24` });
      this.pcs.push(pc);
      const link = await this.ask('POST', '/links', { nodes: [at(pc, 0), at(sw, n)] });
      if (n > 0) continue;
      await this.ask('POST', `/links/${String(link['link_id'])}/start_capture`, {});
      this.#captured = String((await this.ask('GET', `/links/${String(link['link_id'])}`))['capture_file_path']);
    }
    for (let n = 0; n < count; n++) this.echoes.push(await this.#echo(`E${n + 1}`));
    this.restless.push(await this.#node('R1', 'echo', { boot_ms: 120 }));
    const simulated = { engine: 'simulated', simulate: { delay_ms: 120 } };
    this.restless.push(await this.#node('R2', 'simple_pc', simulated));
    await Promise.all([...this.pcs, ...this.echoes.map(({ node }) => node)].map((node) => this.act(node, 'start')));
    await this.within('the lab runs', this.everythingRuns());
  }

  async #node(name: string, node_type: string, properties: object = {}): Promise<LabNode> {
    return (await this.ask('POST', '/nodes', {
      name,
      node_type,
      compute_id: 'local',
      properties,
    })) as unknown as LabNode;
  }

  /** A process outside whose port has a cable to a peer of ours. */
  async #echo(name: string): Promise<Echo> {
    const node = await this.#node(name, 'echo');
    const [lport = 0] = await freePorts(1);
    const beat = await Beat.open(() => (this.beating ? lport : null));
    const compute = this.#project.replace('/v2/', '/v2/compute/');
    const nio = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport: beat.port };
    const path_ = `${compute}/echo/nodes/${node.node_id}/adapters/0/ports/0/nio`;
    const added = await request(this.server.url, 'POST', path_, nio);
    assert.equal(added.status, 201, added.text);
    return { node, beat };
  }

  async ask(method: string, path_: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await request(this.server.url, method, `${this.#project}${path_}`, body);
    // Where both are killed, the fabric may go a moment before the server: such a request is cut off as well.
    if ((answer.body as { code?: string } | null)?.code === 'fabric_lost') throw new Error(answer.text);
    assert.ok(answer.status < 300, `${method} ${path_}: ${answer.text}`);
    return answer.body as Record<string, unknown>;
  }

  async act(node: LabNode, action: 'start' | 'stop'): Promise<void> {
    await this.ask('POST', `/nodes/${node.node_id}/${action}`, {});
  }

  async nodes(): Promise<LabNode[]> {
    return (await this.ask('GET', '/nodes')) as unknown as LabNode[];
  }

  /** Every node's own processes, by its id. */
  async processes(): Promise<Map<string, Marked[]>> {
    const found = new Map<string, Marked[]>();
    for (const marked of await findMarked(await markOf(this.dataDir)))
      found.set(marked.node_id, [...(found.get(marked.node_id) ?? []), marked]);
    return found;
  }

  /** Resolves once every emulator outside has counted on: they run, whatever else does not. */
  async countersGoOn(): Promise<void> {
    await Promise.all(
      this.echoes.map(async ({ node }) => {
        const before = await readCounter(node.node_directory);
        await waitFor('it counts on', async () => {
          const now = await readCounter(node.node_directory);
          return now !== null && now.ticks > (before?.ticks ?? 0);
        });
      }),
    );
  }

  /** Resolves once more has been captured of the first PC. */
  async captureGrows(): Promise<void> {
    const { size } = await stat(this.#captured);
    await waitFor('the capture grows', async () => (await stat(this.#captured)).size !== size);
  }

  /** Rejects, with what the server has said and what there is, when something does not come about in a generous time. */
  async within<T>(what: string, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => void this.#state().then((state) => reject(new Error(`${what}: not in time; ${state}`))),
        LATE_MS,
      );
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #state(): Promise<string> {
    const nodes = await this.nodes().then(
      (all) => all.map(({ name, status }) => `${name} ${status}`).join(', '),
      (error: unknown) => String(error),
    );
    return `nodes: ${nodes}; the server has said: ${this.server.output()}`;
  }

  /** Resolves once every wanted node says that it is started, every echo comes back and every PC answers at its console. */
  async everythingRuns(): Promise<void> {
    const wanted = new Set([...this.pcs, ...this.echoes.map(({ node }) => node)].map(({ node_id }) => node_id));
    const nodes = await waitFor('every node is started', async () => {
      const all = await this.nodes();
      const running = all.filter(({ node_id, status }) => wanted.has(node_id) && status === 'started');
      return running.length === wanted.size ? all : null;
    });
    this.#takeConsoles(nodes);
    await Promise.all([
      ...this.echoes.map(({ beat }) => beat.back()),
      ...this.pcs.map((pc) => this.#consoleAnswers(pc)),
    ]);
  }

  /** A console whose port was still held by an earlier lab when its PC started is at another one. */
  #takeConsoles(nodes: readonly LabNode[]): void {
    for (const [index, pc] of this.pcs.entries())
      this.pcs[index] = nodes.find(({ node_id }) => node_id === pc.node_id) ?? pc;
  }

  async #consoleAnswers({ console }: LabNode): Promise<void> {
    await waitFor('the console answers', () => promptOf(console ?? 0));
  }

  async comeBack(): Promise<void> {
    this.server = await spawnServer(this.dataDir, [], PROGRAM);
  }

  /** A server that is killed while it recovers. */
  async comeBackInVain(ms: number): Promise<void> {
    const args = [PROGRAM, 'serve', ...(await ownPlaces(this.dataDir))];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    await new Promise((later) => setTimeout(later, ms));
    const ended = once(child, 'exit');
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  }

  /** Keeps the restless nodes busy and writes drawings until the server does not answer; returns what was answered. */
  async beRestless(signal: AbortSignal): Promise<Answered> {
    const answered: Answered = { drawings: [], actions: new Map() };
    const goOn = async (work: () => Promise<void>): Promise<void> => {
      while (!signal.aborted) {
        try {
          await work();
        } catch (error) {
          // What was cut off may have happened or not.
          if (error instanceof assert.AssertionError) throw error;
          return;
        }
      }
    };
    await Promise.all([
      goOn(async () => {
        const drawing = await this.ask('POST', '/drawings', { svg: '<svg></svg>', x: this.#random.below(1000) });
        answered.drawings.push(String(drawing['drawing_id']));
        await new Promise((later) => setTimeout(later, 20));
      }),
      ...this.restless.map((node) =>
        goOn(async () => {
          for (const action of ['start', 'stop'] as const) {
            answered.actions.set(node.node_id, null);
            await this.act(node, action);
            answered.actions.set(node.node_id, action);
          }
        }),
      ),
    ]);
    return answered;
  }

  close(): void {
    for (const { beat } of this.echoes) beat.close();
  }
}

export interface Answered {
  drawings: string[];
  /** Last action of a node; null: it was not answered. */
  actions: Map<string, 'start' | 'stop' | null>;
}

const at = ({ node_id }: LabNode, port_number: number) => ({ node_id, adapter_number: 0, port_number });

/** Whether a console prints anything to somebody who connects. */
const promptOf = async (port: number): Promise<boolean> => {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
};
