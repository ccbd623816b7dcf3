import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../prng.ts';
import { Host } from '../computes/host.ts';
import { type Churner, makeProject, send } from './churner.ts';
import { until } from '../../../src/common/promises.ts';

type Bag = Record<string, unknown>;

/** Longest time until both servers agree. Milliseconds. */
const AGREE_MS = 60_000;
const REFUSED = [408, 409, 502, 503];

/**
 * Moves a node to another server and back, and gives it files there: it is at one of them, with what was written last. One whose move was
 * cut off after its event is made there by its next start.
 */
export class Moves implements Churner {
  readonly name = 'moves';
  readonly #directory: string;
  readonly #random: Random;
  readonly #project: string;
  readonly #node: string;
  #far: Host | null = null;
  /** Where it may be. */
  #places = ['local'];
  /** Of its file: what may be in it. */
  #contents = [''];
  #made = 0;

  constructor(random: Random, directory: string) {
    this.#random = random;
    this.#directory = directory;
    this.#project = random.uuid();
    this.#node = random.uuid();
  }

  get #at(): string {
    return `/v2/projects/${this.#project}/nodes/${this.#node}`;
  }

  async prepare(url: string): Promise<void> {
    this.#far = await Host.start('far', { directory: this.#directory });
    await send(url, ['POST', '/v2/computes'], {
      ...{ compute_id: 'far', name: 'far', protocol: 'http', host: '127.0.0.1', port: this.#far.port },
    });
    await makeProject(url, this.#project, this.name);
    await send(url, ['POST', `/v2/projects/${this.#project}/nodes`], {
      ...{ node_id: this.#node, name: 'PC', node_type: 'vpcs', compute_id: 'local' },
    });
  }

  async step(url: string): Promise<void> {
    if (this.#random.below(2) === 0) await this.#move(url);
    else await this.#write(url);
    // Moves are requests between servers: more of them would only wait for one another.
    await sleep(20);
  }

  async #move(url: string): Promise<void> {
    const compute_id = this.#places.at(-1) === 'local' ? 'far' : 'local';
    this.#places.push(compute_id);
    const { status } = await send(url, ['PUT', this.#at], { compute_id }, REFUSED);
    if (status < 300) this.#places = [compute_id];
  }

  async #write(url: string): Promise<void> {
    const content = `write ${++this.#made}`;
    this.#contents.push(content);
    const { status } = await send(url, ['POST', `${this.#at}/files/note.txt`], content, REFUSED);
    if (status < 300) this.#contents = [content];
  }

  async check(url: string): Promise<string[]> {
    let problems: string[] = ['it was not looked at'];
    const isWell = async (): Promise<boolean> => (problems = await this.#look(url)).length === 0;
    await until(isWell, { every: 100, within: AGREE_MS });
    return problems;
  }

  /** What is not so yet. */
  async #look(url: string): Promise<string[]> {
    const { body } = await send(url, ['GET', this.#at]);
    const place = String((body as Bag)['compute_id']);
    const far = await send(this.#far?.url ?? '', ['GET', this.#at], undefined, [404]);
    const file = await send(url, ['GET', `${this.#at}/files/note.txt`], undefined, [404, ...REFUSED]);
    const content = file.status === 404 ? '' : file.text;
    const problems: string[] = [];
    if (!this.#places.includes(place)) problems.push(`the node is at ${place}, not at ${this.#places.join(' or ')}`);
    if ((far.status !== 404) !== (place === 'far')) {
      problems.push(`the node is at ${place}, and far says ${far.status}`);
      const isCutOff = this.#places.length > 1;
      if (place === 'far' && isCutOff)
        for (const action of ['start', 'stop']) await send(url, ['POST', `${this.#at}/${action}`], {}, REFUSED);
    }
    if ((file.status !== 200 && file.status !== 404) || !this.#contents.includes(content))
      problems.push(`its file is answered ${file.status}: ${content}, not ${this.#contents.join(' or ')}`);
    if (problems.length === 0) [this.#places, this.#contents] = [[place], [content]];
    return problems;
  }

  async end(): Promise<void> {
    await this.#far?.end();
  }
}
