import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../prng.ts';
import type { Servers } from './ask.ts';

interface Frame {
  action: string;
  event: Record<string, unknown>;
  position: number;
  more?: number;
}

/** A feed that says nothing for so long has lost its server: pings come each 5 s. Milliseconds. */
const SILENCE_MS = 8_000;
const AGAIN_MS = 50;

/** What it says is not in the log, or is about the server that says it. */
const OWN = new Set(['ping', 'compute.updated', 'log.info']);
/** Of a record: where it is at the server that answers. */
const PLACES = new Set(['path', 'node_directory']);

const shown = ({ action, event, position, more = 0 }: Frame): string =>
  `${position}.${more} ${action} ${JSON.stringify(event, (key, value: unknown) => (PLACES.has(key) ? undefined : value))}`;

async function* framesOf(answer: Response): AsyncGenerator<Frame> {
  let rest = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Frame;
  }
}

const listen = async (url: string, cursor: string, servers: Servers, signal: AbortSignal): Promise<Response> => {
  const answer = await fetch(`${url}?since=${cursor}`, { headers: servers.headers, signal });
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
  return answer;
};

/** All that a feed has to say from a position on, up to now. */
export const readFeed = async (url: string, since: number, servers: Servers): Promise<string[]> => {
  const done = new AbortController();
  const found: string[] = [];
  const answer = await listen(url, String(since), servers, AbortSignal.any([done.signal, AbortSignal.timeout(20_000)]));
  for await (const frame of framesOf(answer)) {
    // The first ping says that nothing is missing.
    if (frame.action === 'ping') break;
    if (!OWN.has(frame.action)) found.push(shown(frame));
  }
  done.abort();
  return found;
};

interface Parts {
  path: string;
  servers: Servers;
  random: Random;
  since: number;
}

/** A client of a feed that is always there: it goes on at any server with the position of its last frame. */
export class Follower {
  readonly path: string;
  readonly problems: string[] = [];
  /** Since the last look. */
  frames: string[] = [];
  readonly #servers: Servers;
  readonly #random: Random;
  #position: number;
  #more = 0;
  readonly #over = new AbortController();
  readonly #running: Promise<void>;
  connections = 0;

  constructor({ path, servers, random, since }: Parts) {
    this.path = path;
    this.#servers = servers;
    this.#random = random;
    this.#position = since;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#over.signal.aborted && this.problems.length === 0) {
      await this.#listen().catch(() => undefined);
      await sleep(AGAIN_MS);
    }
  }

  async #listen(): Promise<void> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const cursor = this.#more > 0 ? `${this.#position}.${this.#more}` : `${this.#position}`;
      const url = `${this.#random.pick(this.#servers.urls) ?? ''}${this.path}`;
      const answer = await listen(url, cursor, this.#servers, AbortSignal.any([silence.signal, this.#over.signal]));
      this.connections++;
      for await (const frame of framesOf(answer)) {
        timer.refresh();
        this.#take(frame, cursor);
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  #take(frame: Frame, cursor: string): void {
    const { action, position, more = 0 } = frame;
    if (action === 'reload') this.problems.push(`${this.path} since ${cursor}: ${JSON.stringify(frame)}`);
    // It says how far the listener is, also where long nothing was told.
    if (action === 'ping' && position > this.#position) [this.#position, this.#more] = [position, 0];
    if (OWN.has(action)) return;
    const isNext = position > this.#position || (position === this.#position && more < this.#more);
    if (!isNext) this.problems.push(`${this.path}: after ${this.#position}.${this.#more} comes ${shown(frame)}`);
    this.frames.push(shown(frame));
    [this.#position, this.#more] = [position, more];
  }
}
