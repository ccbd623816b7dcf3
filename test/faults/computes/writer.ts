import { Expectations, type Outcome, type Thing, type World } from '../expectations.ts';
import type { Random } from '../prng.ts';
import type { Troubles } from './troubles.ts';

/** One write: the request, what the things are once it is answered, and the machines that have to do with it. */
interface Write {
  sort: string;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  done: Outcome;
  /** States between nothing and done that a fault can leave. */
  between?: Outcome[];
  machines: string[];
}

type Entry = [string, Thing];

const MOST_NODES = 6;
/** A request that takes longer than this hangs. Milliseconds. */
const HANGS_MS = 60_000;
/** Before the next write after one that came to nothing. Milliseconds. */
const AGAIN_MS = 20;

const idOf = (key: string): string => key.slice(key.indexOf('/') + 1);
const endsOf = (thing: Thing | null | undefined): string[] => (thing?.['ends'] as string[] | undefined) ?? [];
const placeOf = (node: Thing | null | undefined): string => (node?.['compute_id'] as string | undefined) ?? 'local';
const endsAt = (link: Thing, nodeId: string): boolean => (link['ends'] as string[]).includes(nodeId);
const shuffled = <T>(items: readonly T[], random: Random): T[] =>
  items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);

interface Parts {
  name: string;
  project: string;
  /** Ids of all computes. */
  computes: readonly string[];
  random: Random;
  troubles: Troubles;
}

/** Writes one after another to PCs and links of its own, on all machines, so that it knows what each must be. */
export class LabWriter {
  readonly expectations = new Expectations();
  readonly problems: string[] = [];
  readonly counts = { answered: 0, refused: 0, unanswered: 0 };
  readonly #parts: Parts;
  #made = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Writes until it is over. `url`: of the controller. */
  async run(url: string, over: AbortSignal): Promise<void> {
    while (!over.aborted && this.problems.length === 0) {
      const write = this.#next();
      const before = Object.fromEntries(Object.keys(write.done).map((key) => [key, this.#world.get(key) ?? null]));
      const watch = this.#parts.troubles.watch(['local', ...write.machines]);
      const answer = await send(url, write);
      const wasWell = watch.wasWell();
      if (answer !== null && answer.status < 300) {
        this.counts.answered++;
        this.expectations.answered(write.done);
      } else {
        this.counts[answer === null ? 'unanswered' : 'refused']++;
        const what = `${write.method} ${write.path} ${JSON.stringify(write.body ?? null)} (${answer?.text ?? 'no answer'})`;
        this.expectations.unanswered({ what, outcomes: [before, ...(write.between ?? []), write.done] });
        if (wasWell)
          this.problems.push(`${what}, and ${write.machines.join()} had nothing, before: ${JSON.stringify(before)}`);
        await this.#settled(write, over);
      }
      if (answer?.hung === true) this.problems.push(`${write.method} ${write.path} hangs`);
      if (wasWell) watch.noted(write.sort);
    }
  }

  /** What came of a write is not known before the end of the round: what it was about is left alone until then. */
  readonly #unknown = new Set<string>();

  known(): void {
    this.#unknown.clear();
  }

  async #settled(write: Write, over: AbortSignal): Promise<void> {
    for (const [key, thing] of Object.entries(write.done)) {
      this.#unknown.add(key);
      for (const id of endsOf(thing ?? this.#world.get(key))) this.#unknown.add(`node/${id}`);
    }
    if (!over.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }

  get #world(): World {
    return this.expectations.world;
  }

  #of(collection: string): Entry[] {
    return [...this.#world].filter(
      (e): e is Entry => e[0].startsWith(`${collection}/`) && e[1] !== null && !this.#unknown.has(e[0]),
    );
  }

  /** Links whose state is not known are at their nodes all the same. */
  #isFree(nodeId: string): boolean {
    const links = [...this.#world].filter(([key, thing]) => key.startsWith('link/') && thing !== null);
    return !links.some(([, link]) => link !== null && endsAt(link, nodeId));
  }

  #next(): Write {
    const { random } = this.#parts;
    const nodes = this.#of('node');
    const [node, link] = [random.pick(nodes), random.pick(this.#of('link'))];
    const turn = random.below(12);
    if (node === undefined || (turn < 3 && nodes.length < MOST_NODES)) return this.#createNode();
    if (turn < 6) return this.#turnNode(node);
    if (turn === 6) return this.#moveNode(random.pick(nodes.filter(([, { status }]) => status === 'stopped')) ?? node);
    if (turn === 7 && nodes.length >= MOST_NODES / 2) return this.#deleteNode(node);
    if (turn === 8 && link !== undefined) return this.#deleteLink(link);
    if (turn === 9 && link !== undefined) return this.#updateLink(link);
    return this.#createLink() ?? this.#turnNode(node);
  }

  #createNode(): Write {
    const { random, name: own, computes, project } = this.#parts;
    const node_id = random.uuid();
    const compute_id = random.pick(computes) ?? 'local';
    const name = `${own}-${++this.#made}`;
    const done = { [`node/${node_id}`]: { name, compute_id, status: 'stopped' } };
    const body = { node_id, node_type: 'simple_pc', compute_id, name };
    return { sort: 'create', method: 'POST', path: `${project}/nodes`, body, done, machines: [compute_id] };
  }

  #turnNode([key, thing]: Entry): Write {
    const verb = thing['status'] === 'stopped' ? 'start' : 'stop';
    const done = { [key]: { ...thing, status: verb === 'start' ? 'started' : 'stopped' } };
    const machines = [String(thing['compute_id'])];
    return { sort: verb, method: 'POST', path: `${this.#path('nodes', key)}/${verb}`, body: {}, done, machines };
  }

  #moveNode([key, thing]: Entry): Write {
    if (thing['status'] !== 'stopped') return this.#turnNode([key, thing]);
    const compute_id = this.#parts.random.pick(this.#parts.computes) ?? 'local';
    const done = { [key]: { ...thing, compute_id } };
    const machines = [compute_id, ...this.#machinesOf([key, thing])];
    return { sort: 'move', method: 'PUT', path: this.#path('nodes', key), body: { compute_id }, done, machines };
  }

  #deleteNode([key, thing]: Entry): Write {
    const kept = Object.fromEntries(this.#linksOf(key));
    const done = { [key]: null, ...Object.fromEntries(Object.keys(kept).map((link) => [link, null])) };
    const between = [{ ...kept, [key]: { ...thing, status: 'stopped' } }];
    const machines = this.#machinesOf([key, thing]);
    return { sort: 'delete', method: 'DELETE', path: this.#path('nodes', key), done, between, machines };
  }

  #createLink(): Write | null {
    const { random, project } = this.#parts;
    const free = this.#of('node').filter(([key]) => this.#isFree(idOf(key)));
    const [a, b] = shuffled(free, random);
    if (a === undefined || b === undefined) return null;
    const link_id = random.uuid();
    const nodes = [a, b].map(([key]) => ({ node_id: idOf(key), adapter_number: 0, port_number: 0 }));
    const done = { [`link/${link_id}`]: { ends: nodes.map((n) => n.node_id), suspend: false } };
    const machines = [a, b].map(([, { compute_id }]) => String(compute_id));
    return { sort: 'link', method: 'POST', path: `${project}/links`, body: { link_id, nodes }, done, machines };
  }

  #updateLink([key, thing]: Entry): Write {
    const body = { suspend: thing['suspend'] !== true };
    const machines = this.#endsOf(thing);
    const done = { [key]: { ...thing, ...body } };
    return { sort: 'suspend', method: 'PUT', path: this.#path('links', key), body, done, machines };
  }

  #deleteLink([key, thing]: Entry): Write {
    const machines = this.#endsOf(thing);
    return { sort: 'unlink', method: 'DELETE', path: this.#path('links', key), done: { [key]: null }, machines };
  }

  #linksOf(nodeKey: string): Entry[] {
    return this.#of('link').filter(([, link]) => endsAt(link, idOf(nodeKey)));
  }

  /** Of a node, and of those that it is linked with. */
  #machinesOf([key, thing]: Entry): string[] {
    return [String(thing['compute_id']), ...this.#linksOf(key).flatMap(([, link]) => this.#endsOf(link))];
  }

  #endsOf(link: Thing): string[] {
    return endsOf(link).map((id) => placeOf(this.#world.get(`node/${id}`)));
  }

  #path(collection: string, key: string): string {
    return `${this.#parts.project}/${collection}/${idOf(key)}`;
  }
}

interface Answer {
  status: number;
  text: string;
  hung?: boolean;
}

/** null: no answer came. */
const send = async (url: string, { method, path, body }: Write): Promise<Answer | null> => {
  const patience = AbortSignal.timeout(HANGS_MS);
  try {
    const answer = await fetch(`${url}${path}`, {
      ...{ method, signal: patience },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The status is the answer: a body that is torn off takes nothing back.
    return { status: answer.status, text: await answer.text().catch(() => '') };
  } catch {
    return patience.aborted ? { status: 504, text: 'no answer', hung: true } : null;
  }
};
