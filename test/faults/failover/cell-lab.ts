import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { programFile } from '../../../src/common/package.ts';
import { request } from '../../support/server.ts';
import { basic, userLine } from '../../support/users.ts';
import { Host } from '../computes/host.ts';
import type { Thing } from '../expectations.ts';
import type { Servers } from './ask.ts';
import { Databases } from './databases.ts';
import { until } from '../../../src/common/promises.ts';

const run = promisify(execFile);

export const CELL = 'lab';
const NAMES = ['s1', 's2'];
const COMPUTES = ['c1', 'c2'];
/** PCs at each compute; each is cabled to the switch there, and the switches to each other. */
const PCS = 3;
/** First UDP port of the first machine: they must not take each other's while one of them is away. */
const UDP_PORTS = 20_000;
/** Longest wait for a server that writes, and how often it is looked for. Milliseconds. */
const WRITER_MS = 60_000;
const LOOK_MS = 25;

interface Health {
  cell: { owner: string; epoch: number | null; writer: { owner: string; url: string } | null };
}

/** Two servers of one cell over a database and its standby, and a lab of theirs that runs on two computes. */
export class CellLab implements Servers {
  readonly databases: Databases;
  readonly servers: Host[] = [];
  readonly computes: Host[] = [];
  /** Of a client that has logged in, in the beginning. */
  headers: Record<string, string> = {};
  project = '';
  /** By key, as writers expect them. */
  readonly pcs: [string, Thing][] = [];

  private constructor(databases: Databases) {
    this.databases = databases;
  }

  static async start(directory: string): Promise<CellLab> {
    const lab = new CellLab(await Databases.start());
    try {
      await lab.#startServers(directory);
      await lab.#build(directory);
      return lab;
    } catch (error) {
      await lab.close();
      throw error;
    }
  }

  get urls(): string[] {
    return this.servers.map(({ url }) => url);
  }

  async #startServers(directory: string): Promise<void> {
    const [key, users] = [path.join(directory, 'cell-key'), path.join(directory, 'users')];
    await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o600 });
    await writeFile(users, userLine('ada', 'lovelace'), { mode: 0o600 });
    const own = [
      '--files',
      path.join(directory, 'files'),
      '--cell',
      CELL,
      '--cell-key',
      key,
      '--lease',
      '2',
      '--users',
      users,
    ];
    for (const [n, name] of NAMES.entries()) {
      const flags = [...own, '--log', await this.databases.urlOf(name), ...udpPorts(n)];
      this.servers.push(await Host.start(name, { directory, flags }));
      if (n === 0) await this.databases.takeNotes();
    }
    const login = await request(this.urls[0] ?? '', 'POST', '/v2/login', {}, basic('ada', 'lovelace'));
    assert.equal(login.status, 200, login.text);
    this.headers = { cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '' };
  }

  async #build(directory: string): Promise<void> {
    for (const [n, name] of COMPUTES.entries())
      this.computes.push(await Host.start(name, { directory, isFar: true, flags: udpPorts(NAMES.length + n) }));
    for (const { name, way } of this.computes)
      await this.#made('/computes', { compute_id: name, name, protocol: 'http', ...way });
    this.project = `/v2/projects/${String((await this.#made('/projects', { name: 'lab' }))['project_id'])}`;
    const switches: string[] = [];
    for (const compute_id of COMPUTES) {
      const hub = await this.#node({ name: `switch-${compute_id}`, node_type: 'ethernet_switch', compute_id });
      for (let port = 0; port < PCS; port++) {
        const name = `pc-${compute_id}-${port}`;
        const pc = await this.#node({ name, node_type: 'simple_pc', compute_id });
        this.pcs.push([`node/${pc}`, { name, compute_id, status: 'stopped' }]);
        await this.#link([pc, 0], [hub, port]);
      }
      switches.push(hub);
    }
    const [a = '', b = ''] = switches;
    await this.#link([a, PCS], [b, PCS]);
    for (const id of switches) await this.#made(`${this.project.slice(3)}/nodes/${id}/start`, {});
  }

  get projectId(): string {
    return this.project.slice(-36);
  }

  async #node(body: object): Promise<string> {
    return String((await this.#made(`${this.project.slice(3)}/nodes`, body))['node_id']);
  }

  async #link(...ends: [string, number][]): Promise<void> {
    const nodes = ends.map(([node_id, port_number]) => ({ node_id, adapter_number: 0, port_number }));
    await this.#made(`${this.project.slice(3)}/links`, { nodes });
  }

  async #made(place: string, body: object): Promise<Record<string, unknown>> {
    const answer = await request(this.urls[0] ?? '', 'POST', `/v2${place}`, body, this.headers);
    assert.ok(answer.status < 300, `POST ${place}: ${answer.text}`);
    return answer.body as Record<string, unknown>;
  }

  /** Null: it does not answer at the moment, or there is no writer. */
  async healthOf({ url }: Host): Promise<Health['cell'] | null> {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`${url}/v2/health`, { headers: this.headers, signal }).catch(() => null);
    const health = (await answer?.json().catch(() => null)) as Health | null | undefined;
    return answer?.status === 200 ? (health?.cell ?? null) : null;
  }

  async writer(): Promise<Host> {
    const look = async (): Promise<Host | null> => {
      for (const server of this.servers) {
        const cell = await this.healthOf(server);
        if (cell?.writer?.owner === cell?.owner && cell !== null) return server;
      }
      return null;
    };
    const found = await until(look, { every: LOOK_MS, within: WRITER_MS });
    if (found === null) throw new Error(`no server of the cell writes for ${WRITER_MS / 1000} s`);
    return found;
  }

  async standby(): Promise<Host> {
    const writer = await this.writer();
    return this.servers.find((server) => server !== writer) ?? writer;
  }

  /** What users do at their shell. */
  async command(server: Host, ...words: string[]): Promise<string> {
    const args = [programFile('cli/topolog'), ...words, '--data-dir', server.dataDir];
    return (await run(process.execPath, args)).stdout;
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end()));
    await Promise.all(this.computes.map((compute) => compute.end()));
    await this.databases.close();
  }
}

const udpPorts = (n: number): string[] => ['--udp-ports', `${UDP_PORTS + n * 1_000}-${UDP_PORTS + n * 1_000 + 999}`];
