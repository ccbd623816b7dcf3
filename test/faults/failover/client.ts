import { setTimeout as sleep } from 'node:timers/promises';
import { Expectations, type Outcome, type Thing } from '../expectations.ts';
import type { Random } from '../prng.ts';
import { type Answer, ask, type Request, type Servers } from './ask.ts';

/** One write: what is asked, and what is so once it is answered. */
interface Write extends Request {
  /** What an event says that this write has made; no other write has the same. */
  mark: string;
  done: Outcome;
  /** Nothing is done, and nobody is to blame: a compute that was away. */
  mayFail?: boolean;
  /** Key of a thing that the answer names. */
  makes?: (id: string) => Outcome;
}

/** An answered write, and when. */
export interface Answered {
  /** Milliseconds since 1970: it was asked for the first time, and answered. */
  asked: number;
  at: number;
  /** Of the log, when it was answered. */
  position: number;
}

type Entry = [string, Thing];
type How = 'done' | 'refused' | 'again';

const MOST_DRAWINGS = 6;
/** Between two writes, and before the same is asked again. Milliseconds. */
const PAUSE_MS = 20;
const AGAIN_MS = 25;
/** Longest time until a write is answered by one of the servers, with all that happens to them. Milliseconds. */
const ANSWERED_MS = 90_000;

const idOf = (key: string): string => key.slice(key.indexOf('/') + 1);

interface Parts {
  name: string;
  project: string;
  /** PCs that nobody else writes to. */
  nodes: readonly Entry[];
  servers: Servers;
  random: Random;
}

/**
 * Writes one after another to things of its own, each time to one of the servers. What comes to nothing it asks again, at any of them:
 * with the same Idempotency-Key, or for the same state as before. So in the end each write is answered, and done once.
 */
export class Client {
  readonly expectations = new Expectations();
  readonly problems: string[] = [];
  /** Tries that came to nothing: refused as there was no writer, or without an answer. */
  readonly counts = { answered: 0, refused: 0, unanswered: 0 };
  readonly answered: Answered[] = [];
  /** Each mark of a write, and whether it was answered; since the last look. */
  readonly marks = new Map<string, boolean>();
  readonly #parts: Parts;
  readonly #etags = new Map<string, string>();
  /** What came of them is not known before all has settled. */
  readonly #unknown = new Set<string>();
  #count = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const [key, node] of parts.nodes) this.expectations.answered({ [key]: node });
  }

  async run(over: AbortSignal): Promise<void> {
    for (; !over.aborted && this.problems.length === 0; await sleep(PAUSE_MS)) {
      const write = this.#next();
      const before = Object.fromEntries(Object.keys(write.done).map((key) => [key, this.#thing(key)]));
      const asked = Date.now();
      const answer = await this.#carryOut(write);
      if (answer !== null) this.answered.push({ asked, at: Date.now(), position: answer.position });
      else if (this.problems.length === 0) {
        for (const key of Object.keys(write.done)) this.#unknown.add(key);
        this.expectations.unanswered({ what: `${write.method} ${write.path}`, outcomes: [before, write.done] });
      }
    }
  }

  /** Everything has settled: what is, is known. */
  known(): void {
    this.#unknown.clear();
    this.#etags.clear();
    this.marks.clear();
    this.answered.length = 0;
  }

  /** Null: it was refused for good. */
  async #carryOut(write: Write): Promise<Answer | null> {
    const { servers, random } = this.#parts;
    this.marks.set(write.mark, false);
    for (const until = Date.now() + ANSWERED_MS; Date.now() < until; await sleep(AGAIN_MS)) {
      const url = random.pick(servers.urls) ?? '';
      const request = await this.#guarded(write, url);
      const answer = request === null ? null : await ask(url, request, servers);
      const how = answer === null ? 'again' : await this.#judge(write, answer, url);
      if (answer !== null && how === 'done') return this.#done(write, answer);
      if (this.problems.length > 0) return null;
      this.counts[answer === null ? 'unanswered' : 'refused']++;
      if (how === 'refused') return null;
    }
    this.problems.push(`${write.method} ${write.path} was not answered for ${ANSWERED_MS / 1000} s`);
    return null;
  }

  /** What is put or removed is so only in the state that this client knows; null: that could not be found out. */
  async #guarded(write: Write, url: string): Promise<Request | null> {
    const { method, path } = write;
    if (method === 'POST') return write;
    const etag = this.#etags.get(path) ?? (await this.#read(path, url))?.etag;
    if (etag === undefined) return null;
    this.#etags.set(path, etag);
    return { ...write, headers: { 'If-Match': etag } };
  }

  /** Null: it cannot be read at the moment, or there is none. */
  async #read(path: string, url: string): Promise<Answer | null> {
    const read = await ask(url, { method: 'GET', path }, this.#parts.servers);
    return read?.status === 200 ? read : null;
  }

  async #judge(write: Write, answer: Answer, url: string): Promise<How> {
    const { status, text } = answer;
    if (status < 300) return 'done';
    if (status === 503) return 'again';
    // It was done before, and not answered then: nobody else removes these.
    if (status === 404 && write.method === 'DELETE') return 'done';
    if (status === 412) return this.#otherState(write, url);
    if (status === 409 && text.includes('was cut off')) return this.#cutOff(write, text);
    if (write.mayFail === true && [408, 409, 504].includes(status)) return 'refused';
    this.problems.push(
      `${write.method} ${write.path} ${JSON.stringify(write.body ?? null)} answers ${status}: ${text}`,
    );
    return 'refused';
  }

  /** It has been done, or something else has happened to it meanwhile. */
  async #otherState({ path, body }: Write, url: string): Promise<How> {
    this.#etags.delete(path);
    const read = await this.#read(path, url);
    if (read === null) return 'again';
    const there = JSON.parse(read.text) as Record<string, unknown>;
    if (body !== undefined && Object.entries(body).every(([field, value]) => there[field] === value)) return 'done';
    this.#etags.set(path, read.etag);
    return 'again';
  }

  /** A server died in the middle of it, and its events tell how far it was. */
  async #cutOff(write: Write, text: string): Promise<How> {
    const [path] = /\/v2\/events\?request=[\w-]+/.exec(text) ?? [];
    const { servers, random } = this.#parts;
    if (write.makes === undefined || path === undefined) return 'refused';
    const events = await ask(random.pick(servers.urls) ?? '', { method: 'GET', path }, servers);
    const id = /"drawing_id":"([\w-]{36})"/.exec(events?.text ?? '')?.[1];
    if (id === undefined) return 'again';
    write.done = write.makes(id);
    return 'done';
  }

  #done(write: Write, answer: Answer): Answer {
    this.counts.answered++;
    this.marks.set(write.mark, true);
    if (answer.status === 201 && write.makes !== undefined)
      write.done = write.makes((JSON.parse(answer.text) as { drawing_id: string }).drawing_id);
    if (write.method === 'PUT' && answer.status < 300) this.#etags.set(write.path, answer.etag);
    this.expectations.answered(write.done);
    return answer;
  }

  #thing(key: string): Thing | null {
    return this.expectations.world.get(key) ?? null;
  }

  #of(collection: string): Entry[] {
    return [...this.expectations.world].filter(
      (entry): entry is Entry =>
        entry[0].startsWith(`${collection}/`) && entry[1] !== null && !this.#unknown.has(entry[0]),
    );
  }

  #next(): Write {
    const { random } = this.#parts;
    const [drawings, nodes] = [this.#of('drawing'), this.#of('node')];
    const [drawing, node] = [random.pick(drawings), random.pick(nodes)];
    const turn = random.below(10);
    if (node !== undefined && turn < 2) return this.#turnNode(node);
    if (node !== undefined && turn < 4) return this.#renameNode(node);
    if (drawing === undefined || (turn < 7 && drawings.length < MOST_DRAWINGS)) return this.#draw();
    if (turn === 9 && drawings.length === MOST_DRAWINGS) return this.#erase(drawing);
    return this.#move(drawing);
  }

  #draw(): Write {
    const svg = `<svg><text>${this.#parts.name} ${++this.#count}</text></svg>`;
    const body = { x: 0, y: 0, svg };
    const made = (id: string): Outcome => ({ [`drawing/${id}`]: { x: 0, svg } });
    return { ...this.#keyed(`${this.#parts.project}/drawings`, body), mark: `drawn ${svg}`, done: {}, makes: made };
  }

  #move([key, drawing]: Entry): Write {
    const x = ++this.#count;
    const put = this.#put(`drawings/${idOf(key)}`, { x });
    return { ...put, mark: `moved ${idOf(key)} ${x}`, done: { [key]: { ...drawing, x } } };
  }

  #erase([key]: Entry): Write {
    const path = `${this.#parts.project}/drawings/${idOf(key)}`;
    return { method: 'DELETE', path, mark: `erased ${idOf(key)}`, done: { [key]: null } };
  }

  #renameNode([key, node]: Entry): Write {
    const name = `${this.#parts.name}-${++this.#count}`;
    const put = this.#put(`nodes/${idOf(key)}`, { name });
    return { ...put, mark: `named ${idOf(key)} ${name}`, done: { [key]: { ...node, name } }, mayFail: true };
  }

  #turnNode([key, node]: Entry): Write {
    const verb = node['status'] === 'stopped' ? 'start' : 'stop';
    const status = verb === 'start' ? 'started' : 'stopped';
    const keyed = this.#keyed(`${this.#parts.project}/nodes/${idOf(key)}/${verb}`, {});
    const mark = `${verb} ${keyed.headers['Idempotency-Key']}`;
    return { ...keyed, mark, done: { [key]: { ...node, status } }, mayFail: true };
  }

  #put(path: string, body: object): Request & { method: 'PUT' } {
    return { method: 'PUT', path: `${this.#parts.project}/${path}`, body };
  }

  #keyed(path: string, body: object): Request & { headers: { 'Idempotency-Key': string } } {
    const key = `${this.#parts.name}-${this.#parts.random.uuid()}`;
    return { method: 'POST', path, body, headers: { 'Idempotency-Key': key } };
  }
}
