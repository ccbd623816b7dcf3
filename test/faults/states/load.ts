import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { levelStore } from '../../../src/events/store/level-store.ts';
import { eachEvent } from '../../../src/events/read.ts';
import { fabricPid } from '../../support/fabric-pid.ts';
import { request, type ServerProcess, spawnServer } from '../../support/server.ts';
import { type Random, seeded } from '../prng.ts';
import { clientsOf, TOPOLOG } from './clients.ts';
import { type Client, type Desk, upload } from './desk.ts';
import { ANY, PARTS, positionOf, showAll, showProject } from './observe.ts';
import { mark, recordingEnv } from './record.ts';
import { ANSWERED, ASKED, type Step, type Story, TOLD } from './steps.ts';

const FLAGS = ['--file-idle', '30', '--no-resume'];
/** Microseconds that a sync takes at most. */
const PAUSE = 3_000;

export interface LoadOptions {
  seed: number;
  /** How long clients write, in all. */
  seconds: number;
  /** Of the recorder. */
  recorder: string;
  /** Takes `base`, `ops` and, while it is recorded, `data`. */
  directory: string;
}

/**
 * Writes to a server from several sides while its file operations are recorded, over clean ends, kills and starts. Starts from an
 * empty data directory or from one that was used before.
 */
export const recordLoad = async (options: LoadOptions): Promise<Story> => {
  const { directory, seed } = options;
  const [root, base] = [path.join(directory, 'data'), path.join(directory, 'base')];
  const random = seeded(seed);
  await mkdir(root);
  if (random.below(2) === 0) await use(root, random);
  // Sockets are no files that could be copied.
  await cp(root, base, { recursive: true, filter: (from) => path.basename(from) !== 'run' });
  return new Load(options, root, random).run();
};

/** Without a recorder: what a data directory has that was there before. */
const use = async (root: string, random: Random): Promise<void> => {
  const server = await spawnServer(root, FLAGS);
  for (let n = 0; n < 2; n++) {
    const project_id = random.uuid();
    await request(server.url, 'POST', '/v2/projects', { name: `old${n}`, project_id });
    await request(server.url, 'POST', `/v2/projects/${project_id}/drawings`, { svg: '<svg>old</svg>' });
    await upload(server.url, `/v2/projects/${project_id}/files/notes.txt`, Buffer.from('old'));
  }
  await server.kill('SIGTERM');
};

class Load implements Desk {
  readonly #options: LoadOptions;
  readonly #ops: string;
  readonly root: string;
  readonly random: Random;
  readonly #steps: Step[] = [];
  readonly shown = new Map<string, string>();
  /** Steps that a kill cut off. */
  #open: { at: number; step: Step }[] = [];
  url = '';
  #until = 0;
  #killed = false;

  constructor(options: LoadOptions, root: string, random: Random) {
    this.#options = options;
    this.root = root;
    this.#ops = path.join(options.directory, 'ops');
    this.random = random;
  }

  get env(): NodeJS.ProcessEnv {
    return recordingEnv(this.#options.recorder, this.#ops, this.root, PAUSE);
  }

  async run(): Promise<Story> {
    const random = this.random;
    mark(this.#ops, 'begun');
    let before: [string, string][] = [];
    const lives = 2 + random.below(2);
    for (let life = 0; life < lives; life++) {
      const server = await spawnServer(this.root, FLAGS, TOPOLOG, this.env);
      this.url = server.url;
      if (life === 0) {
        for (const [part, value] of await showAll(server.url, this.root)) this.shown.set(part, value);
        before = [...this.shown, ['key', ANY]];
      }
      await this.#settle();
      await this.#write(server, (this.#options.seconds * 1000) / lives, life === lives - 1);
    }
    return { root: this.root, before, steps: this.#steps, hashes: await this.#hashes() };
  }

  async #hashes(): Promise<string[]> {
    const hashes: string[] = [''];
    const store = await levelStore(path.join(this.root, 'log'))();
    try {
      await eachEvent(store, (event) => void hashes.push(event.hash));
    } finally {
      await store.close();
    }
    return hashes;
  }

  /** What was cut off is what the server says now. */
  async #settle(): Promise<void> {
    for (const { at, step } of this.#open.splice(0)) {
      const value = await this.#look(step.part);
      step.after.push(value);
      this.shown.set(step.part, value);
      mark(this.#ops, ANSWERED(at));
    }
    await this.step('key', 'the first answer', () => Promise.resolve(), [ANY]);
  }

  async #write(server: ServerProcess, ms: number, isLast: boolean): Promise<void> {
    this.#until = performance.now() + ms;
    const clients = clientsOf(this);
    const writing = Promise.all(clients.map((client) => this.#repeat(client)));
    const end = isLast ? 0 : this.random.below(4);
    if (end >= 2) await sleep(ms * (0.5 + this.random.next() / 2));
    else await writing;
    this.#killed = end >= 2;
    if (end === 3) await fabricPid(this.root).then((pid) => process.kill(pid, 'SIGKILL'));
    await server.kill(end >= 2 ? 'SIGKILL' : 'SIGTERM');
    this.#until = 0;
    await writing;
    this.#killed = false;
  }

  async #repeat(client: Client): Promise<void> {
    while (performance.now() < this.#until) await client();
  }

  async #look(part: string): Promise<string> {
    const show = PARTS[part];
    return show === undefined ? showProject(this.url, part.slice('project/'.length)) : show(this.url, this.root);
  }

  /** A change of a part: marked when it is asked for and when its answer is here. */
  async step(part: string, what: string, act: () => Promise<unknown>, meanwhile: string[] = []): Promise<void> {
    const step: Step = { part, what, after: [], meanwhile };
    const at = this.#steps.push(step) - 1;
    mark(this.#ops, ASKED(at));
    try {
      await act();
      mark(this.#ops, ANSWERED(at));
      step.after.push(await this.#look(part));
      this.shown.set(part, step.after[0] ?? '');
      mark(this.#ops, TOLD(await positionOf(this.url)));
    } catch (error) {
      if (!this.#killed) throw error;
      // The next server says what has become of it.
      if (step.after.length === 0) this.#open.push({ at, step });
      this.#until = 0;
    }
  }

  async stepOfUnknown(what: string, act: () => Promise<string | null>): Promise<string | null> {
    const step: Step = { part: what, what, after: [], meanwhile: [] };
    const at = this.#steps.push(step) - 1;
    mark(this.#ops, ASKED(at));
    const part = await act().catch(() => null);
    const value = part === null ? null : await this.#look(part).catch(() => null);
    step.after.push(value ?? ANY);
    if (part === null) return null;
    step.part = part;
    mark(this.#ops, ANSWERED(at));
    if (value !== null) this.shown.set(part, value);
    return value === null ? null : part;
  }
}
