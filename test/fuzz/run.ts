import { seeded } from '../faults/prng.ts';
import { Client, type Ending, type Reply } from './client.ts';
import { type Document, operationsOf, Schemas, sharedStatuses } from './document.ts';
import { type Judge, judgeOf } from './judge.ts';
import { type FuzzRequest, Requests } from './requests.ts';
import type { WatchedServer } from './watched-server.ts';
import { World } from './world.ts';

const CONNECTIONS = 48;
/** Requests between one new lab and the next. */
const LAB_EVERY = 200;
/** Ids that the server alone gives. */
const SERVER_IDS: Readonly<Record<string, RegExp>> = {
  '{snapshot_id}': /"snapshot_id":"([0-9a-f-]{36})"/,
  '{replay_id}': /"replay_id":"([0-9a-f-]{36})"/,
};
const NOBODY = '00000000-0000-4000-8000-000000000000';
const LISTS = [
  ['projects', 'project_id'],
  ['templates', 'template_id'],
] as const;

/** Sends what a fuzzer makes to a server, and keeps what was wrong with the answers. */
export class Run {
  /** What was sent and what came, in sentences. */
  readonly wrong: string[] = [];
  /** How often each status, or ending without one, was seen. */
  readonly seen: Record<string, number> = {};
  /** Operations that have answered as they do when all is right. */
  readonly reached = new Set<string>();
  readonly #latest: Record<string, string> = {};
  readonly #world = new World();
  readonly #seed: number;
  readonly #requests: Requests;
  readonly #client: Client;
  readonly #judge: Judge;
  readonly #server: WatchedServer;

  private constructor(server: WatchedServer, client: Client, document: Document, seed: number) {
    const operations = operationsOf(document);
    this.#server = server;
    this.#client = client;
    this.#seed = seed;
    this.#requests = new Requests(operations, new Schemas(document), this.#world, seed, server);
    this.#judge = judgeOf(operations, sharedStatuses(document));
  }

  static async begin(server: WatchedServer, seed: number): Promise<Run> {
    const client = new Client(server.url, CONNECTIONS);
    return new Run(server, client, (await client.get('/v2/openapi.json')) as Document, seed);
  }

  /** Requests of the numbers from..to-1. */
  async send(from: number, to: number): Promise<void> {
    let next = from;
    const worker = async (): Promise<void> => {
      while (next < to && this.#server.child.exitCode === null) {
        const number = next++;
        const request = this.#requests.make(number);
        if (number % LAB_EVERY === 0) await this.#grow(number);
        await this.#one(request);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }

  /** Deletes every lab and template. */
  async clear(): Promise<void> {
    for (const [list, id] of LISTS) {
      const records = (await this.#client.get(`/v2/${list}`)) as Record<string, unknown>[];
      const own = records.filter((record) => record['builtin'] !== true);
      await Promise.all(own.map((record) => this.#well('DELETE', `/v2/${list}/${String(record[id])}`)));
    }
  }

  close(): void {
    this.#client.close();
  }

  async #grow(number: number): Promise<void> {
    const { steps, gone } = this.#world.grow(seeded(this.#seed * 7 + number));
    for (const { path, body } of steps) await this.#well('POST', path, body);
    for (const project of gone) await this.#well('DELETE', `/v2/projects/${project}`);
  }

  /** What a client does that means well. Whether it can be done depends on what the others do meanwhile. */
  async #well(method: string, url: string, body: object = {}): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(body));
    await this.#one({ number: -1, method, url, headers: {}, body: bytes, hangUp: null });
  }

  async #one(made: FuzzRequest): Promise<void> {
    const url = made.url.replace(/\{\w+\}/g, (name) => this.#latest[name] ?? NOBODY);
    let sent: Promise<Reply | Ending>;
    try {
      sent = this.#client.send({ ...made, url });
    } catch {
      return this.#raw({ ...made, url });
    }
    this.#hold({ ...made, url }, await sent);
  }

  /** What node's own client refuses to send. */
  async #raw(made: FuzzRequest): Promise<void> {
    const head = Object.entries(made.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = await this.#client.raw(Buffer.from(`${made.method} ${made.url} HTTP/1.1\r\n${head.join('')}\r\n`));
    const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'nothing';
    this.#count(`raw ${status}`);
    if (Number(status) >= 500) this.#blame(made, text.slice(0, 500));
  }

  #hold(made: FuzzRequest, reply: Reply | Ending): void {
    if (typeof reply === 'string') {
      this.#count(reply);
      if (reply !== 'hung up' && made.hangUp === null) this.#blame(made, reply);
      return;
    }
    this.#count(String(reply.status));
    if (reply.status < 300) {
      this.reached.add(`${made.method} ${String(reply.headers['x-route'])}`);
      for (const [name, pattern] of Object.entries(SERVER_IDS)) {
        const id = pattern.exec(reply.text)?.[1];
        if (id !== undefined) this.#latest[name] = id;
      }
    }
    const wrong = this.#judge(made.method, reply);
    if (wrong !== null) this.#blame(made, `${wrong}: ${reply.status} ${reply.text.slice(0, 500)}`);
  }

  #count(what: string): void {
    this.seen[what] = (this.seen[what] ?? 0) + 1;
  }

  #blame({ number, method, url, headers, body }: FuzzRequest, what: string): void {
    const text = (body ?? '').toString().slice(0, 700);
    this.wrong.push(
      `request ${number}: ${what}\n    ${method} ${url.slice(0, 400)} ${JSON.stringify(headers).slice(0, 300)} ${text}`,
    );
  }
}
