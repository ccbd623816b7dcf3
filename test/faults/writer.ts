import { Expectations, type Outcome, type Thing, type World } from './expectations.ts';
import type { Random } from './prng.ts';

/** One write of a writer: the request, and what the things are once it is answered. */
interface Write {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  done: Outcome;
  /** States between nothing and done that a crash can leave, e.g. stopped but not yet deleted. */
  between?: Outcome[];
}

export interface WriterCounts {
  answered: number;
  unanswered: number;
}

const MOST_NODES = 4;
const MOST_DRAWINGS = 12;

const idOf = (key: string): string => key.slice(key.indexOf('/') + 1);

/**
 * Writes one after another to things of its own, so that it knows what each must be. Several writers share a project, the
 * server and its batches.
 */
export class Writer {
  readonly expectations = new Expectations();
  readonly counts: WriterCounts = { answered: 0, unanswered: 0 };
  readonly problems: string[] = [];
  readonly #project: string;
  readonly #name: string;
  readonly #random: Random;
  #made = 0;

  constructor(name: string, projectId: string, random: Random) {
    this.#name = name;
    this.#project = `/v2/projects/${projectId}`;
    this.#random = random;
  }

  /** Writes until the server no longer answers, or `most` writes are answered. */
  async run(url: string, most = Infinity): Promise<void> {
    for (let count = 0; count < most; count++) {
      const write = this.#next();
      const before = Object.fromEntries(Object.keys(write.done).map((key) => [key, this.#world.get(key) ?? null]));
      const answer = await send(url, write);
      if (answer === null) {
        this.counts.unanswered++;
        const what = `${write.method} ${write.path} ${JSON.stringify(write.body ?? null)}`;
        this.expectations.unanswered({ what, outcomes: [before, ...(write.between ?? []), write.done] });
        return;
      }
      if (answer.status >= 300) {
        this.problems.push(`${write.method} ${write.path} was answered ${answer.status}: ${answer.text}`);
        return;
      }
      this.counts.answered++;
      this.expectations.answered(write.done);
    }
  }

  get #world(): World {
    return this.expectations.world;
  }

  #of(collection: string): [string, Thing][] {
    return [...this.#world].filter((e): e is [string, Thing] => e[0].startsWith(`${collection}/`) && e[1] !== null);
  }

  #next(): Write {
    const nodes = this.#of('node');
    const drawing = this.#random.pick(this.#of('drawing'));
    const node = this.#random.pick(nodes);
    const link = this.#random.pick(this.#of('link'));
    const turn = this.#random.below(12);
    if (turn < 2 || drawing === undefined) return this.#createDrawing();
    if (turn < 5) return this.#updateDrawing(drawing);
    if (turn === 5 || this.#of('drawing').length > MOST_DRAWINGS) return this.#deleteDrawing(drawing);
    if (node === undefined || (turn === 6 && nodes.length < MOST_NODES)) return this.#createNode();
    if (turn === 7) return this.#updateNode(node);
    if (turn === 8) return this.#turnNode(node);
    if (turn === 9 && nodes.length === MOST_NODES) return this.#deleteNode(node);
    if (turn === 10 && link !== undefined) return this.#deleteLink(link);
    return this.#createLink() ?? (link === undefined ? this.#createNode() : this.#updateLink(link));
  }

  #createDrawing(): Write {
    const drawing_id = this.#random.uuid();
    const fields = { x: this.#random.below(1000), svg: this.#svg() };
    const done = { [`drawing/${drawing_id}`]: { ...fields, locked: false } };
    return { method: 'POST', path: `${this.#project}/drawings`, body: { drawing_id, ...fields }, done };
  }

  /** Now and then a large one, so that batches are torn in the middle. */
  #svg(): string {
    const length = this.#random.below(20) === 0 ? 60_000 : this.#random.below(200);
    return `<svg>${'x'.repeat(length)}</svg>`;
  }

  #updateDrawing([key, thing]: [string, Thing]): Write {
    const body = this.#random.below(2) === 0 ? { x: this.#random.below(1000) } : { svg: this.#svg(), z: 3 };
    return { method: 'PUT', path: this.#path('drawings', key), body, done: { [key]: { ...thing, ...body } } };
  }

  #deleteDrawing([key]: [string, Thing]): Write {
    return { method: 'DELETE', path: this.#path('drawings', key), done: { [key]: null } };
  }

  #createNode(): Write {
    const node_id = this.#random.uuid();
    const fields = { name: `${this.#name}-${++this.#made}`, x: this.#random.below(1000) };
    const done = { [`node/${node_id}`]: { ...fields, status: 'stopped' } };
    const body = { node_id, node_type: 'simple_pc', compute_id: 'local', ...fields };
    return { method: 'POST', path: `${this.#project}/nodes`, body, done };
  }

  #updateNode([key, thing]: [string, Thing]): Write {
    const body =
      this.#random.below(2) === 0 ? { x: this.#random.below(1000) } : { name: `${this.#name}-${++this.#made}` };
    return { method: 'PUT', path: this.#path('nodes', key), body, done: { [key]: { ...thing, ...body } } };
  }

  #turnNode([key, thing]: [string, Thing]): Write {
    const start = thing['status'] === 'stopped';
    const done = { [key]: { ...thing, status: start ? 'started' : 'stopped' } };
    return { method: 'POST', path: `${this.#path('nodes', key)}/${start ? 'start' : 'stop'}`, body: {}, done };
  }

  #deleteNode([key, thing]: [string, Thing]): Write {
    const links = this.#of('link').filter(([, link]) => endsAt(link, idOf(key)));
    const kept = Object.fromEntries(links);
    const done = { [key]: null, ...Object.fromEntries(links.map(([link]) => [link, null])) };
    const between = [{ ...kept, [key]: { ...thing, status: 'stopped' } }];
    return { method: 'DELETE', path: this.#path('nodes', key), done, between };
  }

  #createLink(): Write | null {
    const links = this.#of('link');
    const free = this.#of('node').filter(([key]) => !links.some(([, link]) => endsAt(link, idOf(key))));
    const [a, b] = free;
    if (a === undefined || b === undefined) return null;
    const link_id = this.#random.uuid();
    const nodes = [a, b].map(([key]) => ({ node_id: idOf(key), adapter_number: 0, port_number: 0 }));
    const done = { [`link/${link_id}`]: { ends: nodes.map((n) => n.node_id), suspend: false, filters: {} } };
    return { method: 'POST', path: `${this.#project}/links`, body: { link_id, nodes }, done };
  }

  #updateLink([key, thing]: [string, Thing]): Write {
    const body =
      this.#random.below(2) === 0
        ? { suspend: thing['suspend'] !== true }
        : { filters: { delay: [this.#random.below(100) + 1, 0] } };
    return { method: 'PUT', path: this.#path('links', key), body, done: { [key]: { ...thing, ...body } } };
  }

  #deleteLink([key]: [string, Thing]): Write {
    return { method: 'DELETE', path: this.#path('links', key), done: { [key]: null } };
  }

  #path(collection: string, key: string): string {
    return `${this.#project}/${collection}/${idOf(key)}`;
  }
}

const endsAt = (link: Thing, nodeId: string): boolean => (link['ends'] as string[]).includes(nodeId);

/** null: no answer came. */
const send = async (url: string, { method, path, body }: Write): Promise<{ status: number; text: string } | null> => {
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The status is the answer: a body that is torn off takes nothing back.
    return { status: answer.status, text: await answer.text().catch(() => '') };
  } catch {
    return null;
  }
};
