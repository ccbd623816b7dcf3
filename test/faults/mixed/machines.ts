import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../prng.ts';
import { type Churner, makeProject, send } from './churner.ts';

/** A state that no machine keeps: the write was not answered, or was refused as the fabric was away. */
type Wanted = 'started' | 'stopped' | null;

const REFUSED = [408, 409, 503];
/** Longest time until what is under way has ended. Milliseconds. */
const SETTLES_MS = 60_000;

/** Resolves once a node is as wanted, or, where either may be, the same for a while. */
const settled = async (read: () => Promise<string>, wanted: Wanted): Promise<string> => {
  let last = await read();
  for (const until = Date.now() + SETTLES_MS; Date.now() < until;) {
    if (wanted !== null && last === wanted) return last;
    await sleep(wanted === null ? 1500 : 100);
    const now = await read();
    if (wanted === null && now === last) return now;
    last = now;
  }
  return last;
};

/** Starts and stops one node of a kind. */
export class Machine implements Churner {
  readonly name: string;
  readonly project_id: string;
  readonly node_id: string;
  readonly #type: string;
  readonly #properties: object;
  #wanted: Wanted = 'stopped';
  /** As the last check has found it. */
  status = 'stopped';

  constructor(random: Random, name: string, type: string, properties: object = {}) {
    this.project_id = random.uuid();
    this.node_id = random.uuid();
    this.name = name;
    this.#type = type;
    this.#properties = properties;
  }

  async prepare(url: string): Promise<void> {
    await makeProject(url, this.project_id, this.name);
    await send(url, ['POST', `/v2/projects/${this.project_id}/nodes`], {
      ...{ node_id: this.node_id, name: this.name, node_type: this.#type, compute_id: 'local' },
      properties: this.#properties,
    });
  }

  async step(url: string): Promise<void> {
    const start = this.#wanted !== 'started';
    this.#wanted = null;
    const { status } = await send(url, ['POST', `${this.#path}/${start ? 'start' : 'stop'}`], {}, REFUSED);
    if (status < 300) this.#wanted = start ? 'started' : 'stopped';
  }

  async check(url: string): Promise<string[]> {
    const read = async () => ((await send(url, ['GET', this.#path])).body as { status: string }).status;
    this.status = await settled(read, this.#wanted);
    const problems =
      this.#wanted === null || this.#wanted === this.status
        ? []
        : [`${this.name} was answered ${this.#wanted} and is ${this.status}`];
    this.#wanted = this.status === 'started' ? 'started' : 'stopped';
    return problems;
  }

  get #path(): string {
    return `/v2/projects/${this.project_id}/nodes/${this.node_id}`;
  }
}

/** Starts and stops a capture on a link of two embedded nodes. */
export class Captures implements Churner {
  readonly name = 'captures';
  readonly #project: string;
  readonly #link: string;
  readonly #nodes: string[];
  #wanted: boolean | null = false;

  constructor(random: Random) {
    this.#project = random.uuid();
    this.#link = random.uuid();
    this.#nodes = [random.uuid(), random.uuid()];
  }

  async prepare(url: string): Promise<void> {
    await makeProject(url, this.#project, this.name);
    for (const node_id of this.#nodes)
      await send(url, ['POST', `/v2/projects/${this.#project}/nodes`], {
        ...{ node_id, name: `PC${node_id.slice(0, 4)}`, node_type: 'vpcs', compute_id: 'local' },
      });
    const nodes = this.#nodes.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await send(url, ['POST', `/v2/projects/${this.#project}/links`], { link_id: this.#link, nodes });
    await send(url, ['POST', `/v2/projects/${this.#project}/nodes/start`], {});
  }

  async step(url: string): Promise<void> {
    const start = this.#wanted !== true;
    this.#wanted = null;
    const { status } = await send(url, ['POST', `${this.#path}/${start ? 'start' : 'stop'}_capture`], {}, REFUSED);
    if (status < 300) this.#wanted = start;
  }

  async check(url: string): Promise<string[]> {
    const read = async () => {
      const link = (await send(url, ['GET', this.#path])).body as { capturing: boolean };
      return link.capturing ? 'started' : 'stopped';
    };
    const wanted = this.#wanted === null ? null : this.#wanted ? 'started' : 'stopped';
    const status = await settled(read, wanted);
    this.#wanted = status === 'started';
    return wanted === null || wanted === status ? [] : [`the capture was answered ${wanted} and is ${status}`];
  }

  get #path(): string {
    return `/v2/projects/${this.#project}/links/${this.#link}`;
  }
}
