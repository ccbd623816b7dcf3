import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Random } from '../prng.ts';
import { type Churner, list, makeProject, send } from './churner.ts';
import { until } from '../../../src/common/promises.ts';

type Bag = Record<string, unknown>;

/** What one thing is: as it was answered, or what was asked for and not answered. */
class Known<T> {
  #is: T;
  #under: T | null = null;

  constructor(is: T) {
    this.#is = is;
  }

  /** Asks for another one. */
  async become(wanted: T, ask: () => Promise<unknown>): Promise<void> {
    this.#under = wanted;
    await ask();
    this.#is = wanted;
    this.#under = null;
  }

  get is(): T {
    return this.#is;
  }

  /** From then on it is what it was found to be. */
  found(there: T, what: string): string[] {
    const fits = there === this.#is || there === this.#under;
    const wanted = JSON.stringify([this.#is, this.#under]);
    this.#is = there;
    this.#under = null;
    return fits ? [] : [`${what} is ${JSON.stringify(there)} and should be one of ${wanted}`];
  }
}

/** Moves a drawing, and takes that back. */
export class Undos implements Churner {
  readonly name = 'undos';
  readonly #random: Random;
  readonly #project: string;
  readonly #drawing: string;
  readonly #x = new Known(0);
  /** Where it was before each of the moves that can be undone. */
  #before: number[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.#project = random.uuid();
    this.#drawing = random.uuid();
  }

  get #at(): string {
    return `/v2/projects/${this.#project}`;
  }

  async prepare(url: string): Promise<void> {
    await makeProject(url, this.#project, this.name);
    await send(url, ['POST', `${this.#at}/drawings`], { drawing_id: this.#drawing, svg: '<svg/>', x: 0 });
  }

  async step(url: string): Promise<void> {
    const before = this.#random.below(2) === 0 ? this.#before.pop() : undefined;
    if (before !== undefined) return this.#x.become(before, () => send(url, ['POST', `${this.#at}/undo`], {}));
    const was = this.#x.is;
    // Never where it is: that would be no edit.
    const x = was + 1 + this.#random.below(1000);
    await this.#x.become(x, () => send(url, ['PUT', `${this.#at}/drawings/${this.#drawing}`], { x }));
    this.#before.push(was);
  }

  async check(url: string): Promise<string[]> {
    const [drawing] = await list(url, `${this.#at}/drawings`);
    this.#before = [];
    return this.#x.found(Number(drawing?.['x']), 'the drawing');
  }
}

const STATES = ['started', 'stopped'] as const;
/** Longest time until a weather is over. Milliseconds. */
const OVER_MS = 60_000;

/** A lab with a node, whose check changes, whose start-up text changes and is collected, and with weather that cuts its link and ends by itself. */
export class Labs implements Churner {
  readonly name = 'labs';
  readonly #random: Random;
  readonly #project: string;
  readonly #node: string;
  #check = '';
  readonly #wanted = new Known<string>('started');
  readonly #script = new Known('set pcname A0');
  /** The script that was collected last, as far as nobody has changed it since. */
  readonly #collected = new Known('');
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#project = random.uuid();
    this.#node = random.uuid();
  }

  get #at(): string {
    return `/v2/projects/${this.#project}`;
  }

  async prepare(url: string): Promise<void> {
    await makeProject(url, this.#project, this.name);
    const other = this.#random.uuid();
    for (const [node_id, name] of [
      [this.#node, 'A'],
      [other, 'B'],
    ])
      await send(url, ['POST', `${this.#at}/nodes`], {
        ...{ node_id, name, node_type: 'vpcs', compute_id: 'local' },
        properties: { startup_script: this.#script.is },
      });
    const nodes = [this.#node, other].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await send(url, ['POST', `${this.#at}/links`], { nodes });
    const entries = [{ at: '50ms', for: '400ms', suspend: true }];
    await send(url, ['PUT', `${this.#at}/weather`], { entries });
    const { body } = await send(url, ['POST', `${this.#at}/checks`], { state: { node: 'A', is: 'started' } });
    this.#check = String((body as Bag)['check_id']);
  }

  async step(url: string): Promise<void> {
    const turn = this.#random.below(4);
    // It may be on already.
    if (turn === 0) await send(url, ['POST', `${this.#at}/weather/start`], {}, [409]);
    else if (turn === 1) {
      const is = this.#random.pick(STATES) ?? 'started';
      const at = `${this.#at}/checks/${this.#check}`;
      await this.#wanted.become(is, () => send(url, ['PUT', at], { state: { node: 'A', is } }));
    } else if (turn === 2) {
      const startup_script = `set pcname A${++this.#made}`;
      const properties = { startup_script };
      await this.#script.become(startup_script, () =>
        send(url, ['PUT', `${this.#at}/nodes/${this.#node}`], { properties }),
      );
    } else {
      const nodes = [this.#node];
      await this.#collected.become(this.#script.is, () =>
        send(url, ['POST', `${this.#at}/configs/collect`], { nodes }),
      );
    }
  }

  async check(url: string): Promise<string[]> {
    const { text } = await send(url, ['GET', `${this.#at}/nodes/${this.#node}/files/startup.vpc`]);
    const { body } = await send(url, ['GET', `${this.#at}/checks/${this.#check}`]);
    const { is } = (body as { state: { is: string } }).state;
    return [
      ...this.#script.found(text.trim(), 'the start-up text'),
      ...this.#wanted.found(is, 'the check'),
      ...this.#collected.found(await this.#lastCollected(url), 'the collected text'),
      ...(await this.#isOver(url)),
    ];
  }

  async #lastCollected(url: string): Promise<string> {
    const at = `${this.#at}/nodes/${this.#node}/configs`;
    const last = (await list(url, at)).at(-1);
    if (last === undefined) return '';
    const { body } = await send(url, ['GET', `${at}/${String(last['position'])}`]);
    return (body as { files: { content: string }[] }).files.map(({ content }) => content.trim()).join();
  }

  async #isOver(url: string): Promise<string[]> {
    let seen: Bag = {};
    const isOff = async (): Promise<boolean> => {
      seen = (await send(url, ['GET', `${this.#at}/weather`])).body as Bag;
      return seen['state'] === 'off' && (seen['links'] as unknown[]).length === 0;
    };
    if (await until(isOff, { every: 50, within: OVER_MS })) return [];
    return [`the weather does not end: ${JSON.stringify(seen)}`];
  }
}

/** Makes labs of one that is there, as it is and as it was, and deletes them again; each is there whole, or not at all. */
export class Copies implements Churner {
  readonly name = 'copies';
  readonly #random: Random;
  readonly #dataDir: string;
  readonly #project: string;
  /** By their names; true: that was answered. */
  readonly #made = new Map<string, boolean>();
  #gone: string[] = [];

  constructor(random: Random, dataDir: string) {
    this.#random = random;
    this.#dataDir = dataDir;
    this.#project = random.uuid();
  }

  async prepare(url: string): Promise<void> {
    await makeProject(url, this.#project, this.name);
    for (const name of ['A', 'B'])
      await send(url, ['POST', `/v2/projects/${this.#project}/nodes`], {
        ...{ name, node_type: 'vpcs', compute_id: 'local', properties: { startup_script: `set pcname ${name}\n` } },
      });
  }

  async step(url: string): Promise<void> {
    const how = this.#random.below(2) === 0 ? 'fork' : 'duplicate';
    const name = `${how} ${this.#random.uuid()}`;
    this.#made.set(name, false);
    await send(url, ['POST', `/v2/projects/${this.#project}/${how}`], { name });
    this.#made.set(name, true);
  }

  async check(url: string): Promise<string[]> {
    const projects = await list(url, '/v2/projects');
    const problems = this.#gone
      .filter((id) => existsSync(path.join(this.#dataDir, 'projects', id)))
      .map((id) => `the directory of the copy ${id} is left over`);
    this.#gone = [];
    for (const [name, isAnswered] of this.#made) {
      const [copy, more] = projects.filter((one) => one['name'] === name).map((one) => String(one['project_id']));
      if (more !== undefined) problems.push(`${name} was made twice`);
      if (copy === undefined && isAnswered) problems.push(`${name} was answered and is not there`);
      if (copy !== undefined) problems.push(...(await this.#whole(url, copy, name)));
    }
    this.#made.clear();
    return problems;
  }

  async #whole(url: string, id: string, name: string): Promise<string[]> {
    const at = `/v2/projects/${id}`;
    await send(url, ['POST', `${at}/open`], {});
    const nodes = await list(url, `${at}/nodes`);
    const texts: string[] = [];
    for (const { node_id } of nodes)
      texts.push((await send(url, ['GET', `${at}/nodes/${String(node_id)}/files/startup.vpc`], undefined, [404])).text);
    await send(url, ['DELETE', at]);
    this.#gone.push(id);
    const there = texts.map((text) => text.trim()).toSorted();
    return there.join() === 'set pcname A,set pcname B' ? [] : [`${name} has the nodes ${JSON.stringify(there)}`];
  }
}
