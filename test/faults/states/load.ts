import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { levelStore } from '../../../src/events/database.ts';
import { eachFact } from '../../../src/events/read.ts';
import { fabricPid } from '../../support/fabric-pid.ts';
import { request, type ServerProcess, spawnServer } from '../../support/server.ts';
import { type Random, seeded } from '../prng.ts';
import { accountsFile, ANY, PARTS, positionOf, showAll, showProject } from './observe.ts';
import { mark, recordingEnv } from './record.ts';
import { ANSWERED, ASKED, type Step, type Story, TOLD } from './steps.ts';

const TOPOLOG = path.resolve(import.meta.dirname, '../../../src/cli/topolog.js');
const FLAGS = ['--file-idle', '30', '--no-resume'];
/** Microseconds that a sync takes at most. */
const PAUSE = 3_000;

export interface LoadOptions {
  seed: number;
  /** How long clients write, in all. */
  seconds: number;
  /** Of the recorder. */
  library: string;
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
  await cp(root, base, { recursive: true });
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

const upload = (url: string, where: string, bytes: Buffer): Promise<Response> =>
  fetch(`${url}${where}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'application/octet-stream' },
  });

type Client = () => Promise<void>;

class Load {
  readonly #options: LoadOptions;
  readonly #ops: string;
  readonly #root: string;
  readonly #random: Random;
  readonly #steps: Step[] = [];
  readonly #shown = new Map<string, string>();
  /** Steps that a kill cut off. */
  #open: { at: number; step: Step }[] = [];
  #url = '';
  #until = 0;
  #killed = false;

  constructor(options: LoadOptions, root: string, random: Random) {
    this.#options = options;
    this.#root = root;
    this.#ops = path.join(options.directory, 'ops');
    this.#random = random;
  }

  get #env(): NodeJS.ProcessEnv {
    return recordingEnv(this.#options.library, this.#ops, this.#root, PAUSE);
  }

  async run(): Promise<Story> {
    const random = this.#random;
    mark(this.#ops, 'begun');
    let before: [string, string][] = [];
    const lives = 2 + random.below(2);
    for (let life = 0; life < lives; life++) {
      const server = await spawnServer(this.#root, FLAGS, TOPOLOG, this.#env);
      this.#url = server.url;
      if (life === 0) {
        for (const [part, value] of await showAll(server.url, this.#root)) this.#shown.set(part, value);
        before = [...this.#shown, ['key', ANY]];
      }
      await this.#settle();
      await this.#write(server, (this.#options.seconds * 1000) / lives, life === lives - 1);
    }
    return { root: this.#root, before, steps: this.#steps, hashes: await this.#hashes() };
  }

  async #hashes(): Promise<string[]> {
    const hashes: string[] = [''];
    const store = await levelStore(path.join(this.#root, 'log'))();
    await eachFact(store, (fact) => void hashes.push(fact.hash)).finally(() => store.close());
    return hashes;
  }

  /** What was cut off is what the server says now. */
  async #settle(): Promise<void> {
    for (const { at, step } of this.#open.splice(0)) {
      const value = await this.#look(step.part);
      step.after.push(value);
      this.#shown.set(step.part, value);
      mark(this.#ops, ANSWERED(at));
    }
    await this.#step('key', 'the first answer', () => Promise.resolve(), [ANY]);
  }

  async #write(server: ServerProcess, ms: number, isLast: boolean): Promise<void> {
    this.#until = performance.now() + ms;
    const clients = [...this.#projects(), this.#transfers(), this.#things(), this.#accounts()];
    const writing = Promise.all(clients.map((client) => this.#repeat(client)));
    const end = isLast ? 0 : this.#random.below(4);
    if (end >= 2) await sleep(ms * (0.5 + this.#random.next() / 2));
    else await writing;
    this.#killed = end >= 2;
    if (end === 3) await fabricPid(this.#root).then((pid) => process.kill(pid, 'SIGKILL'));
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
    return show === undefined ? showProject(this.#url, part.slice('project/'.length)) : show(this.#url, this.#root);
  }

  /** A change of a part: marked when it is asked for and when its answer is here. */
  async #step(part: string, what: string, act: () => Promise<unknown>, meanwhile: string[] = []): Promise<void> {
    const step: Step = { part, what, after: [], meanwhile };
    const at = this.#steps.push(step) - 1;
    mark(this.#ops, ASKED(at));
    try {
      await act();
      mark(this.#ops, ANSWERED(at));
      step.after.push(await this.#look(part));
      this.#shown.set(part, step.after[0] ?? '');
      mark(this.#ops, TOLD(await positionOf(this.#url)));
    } catch (error) {
      if (!this.#killed) throw error;
      // The next server says what has become of it.
      if (step.after.length === 0) this.#open.push({ at, step });
      this.#until = 0;
    }
  }

  /** Asks, whatever the answer: what was refused leaves the part as it was. */
  #ask(method: string, where: string, body?: object): Promise<unknown> {
    return request(this.#url, method, where, body ?? {});
  }

  #text(): string {
    const length = this.#random.below(5) === 0 ? 20_000 + this.#random.below(100_000) : this.#random.below(300);
    let text = '';
    while (text.length < length) text += this.#random.next().toString(36);
    return text;
  }

  #bytes(): Buffer {
    const bytes = Buffer.alloc(this.#random.below(4) === 0 ? this.#random.below(200_000) : this.#random.below(3_000));
    for (let at = 0; at + 8 < bytes.length; at += 8) bytes.writeDoubleLE(this.#random.next(), at);
    return bytes;
  }

  /** Each has a project of its own. */
  #projects(): Client[] {
    const known = [...this.#shown].filter(([part, value]) => part.startsWith('project/') && value !== 'null');
    return [0, 1].map((n) => {
      const part = known[n]?.[0] ?? `project/${this.#random.uuid()}`;
      return () => this.#change(part);
    });
  }

  async #change(part: string): Promise<void> {
    const random = this.#random;
    const project_id = part.slice('project/'.length);
    const at = `/v2/projects/${project_id}`;
    const shown = JSON.parse(this.#shown.get(part) ?? 'null') as Record<string, Record<string, unknown>> | null;
    if (shown === null)
      return this.#step(part, 'create', () =>
        this.#ask('POST', '/v2/projects', { name: project_id.slice(0, 8), project_id }),
      );
    const one = (name: string): string | undefined => random.pick(Object.keys(shown[name] ?? {}));
    const step = (what: string, method: string, where: string, body?: object): Promise<void> =>
      this.#step(part, what, () => this.#ask(method, `${at}${where}`, body));
    const [drawing, node, link, snapshot] = ['drawings', 'nodes', 'links', 'snapshots'].map(one);
    const full = Object.keys(shown['drawings'] ?? {}).length > 12;
    const file = random.pick(['notes.txt', 'deep/down/a.bin', 'project-files/b.bin']) ?? '';
    switch (random.below(22)) {
      case 0:
      case 1:
        if (!full) return step('drawing', 'POST', '/drawings', { svg: `<svg>${this.#text()}</svg>` });
        return step('drawing goes', 'DELETE', `/drawings/${drawing}`);
      case 2:
      case 3:
        return step('drawing changes', 'PUT', `/drawings/${drawing}`, {
          x: random.below(900),
          svg: `<svg>${this.#text()}</svg>`,
        });
      case 4:
        return step('drawing goes', 'DELETE', `/drawings/${drawing}`);
      case 5: {
        const body = {
          name: `n${random.below(1000)}`,
          node_type: 'simple_pc',
          compute_id: 'local',
          x: random.below(900),
        };
        if (Object.keys(shown['nodes'] ?? {}).length > 4) return step('node goes', 'DELETE', `/nodes/${node}`);
        return step('node', 'POST', '/nodes', body);
      }
      case 6:
        return step('node changes', 'PUT', `/nodes/${node}`, { x: random.below(900) });
      case 7:
        return step('start or stop', 'POST', `/nodes/${node}/${random.below(2) === 0 ? 'start' : 'stop'}`);
      case 8: {
        const ends = Object.keys(shown['nodes'] ?? {})
          .slice(-2)
          .map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
        return link === undefined
          ? step('link', 'POST', '/links', { nodes: ends })
          : step('link goes', 'DELETE', `/links/${link}`);
      }
      case 9: {
        const steps = Array.from({ length: 5 }, () => ({
          action: 'create',
          type: 'drawing',
          record: { svg: `<svg>${this.#text()}</svg>` },
        }));
        const away = Object.keys(shown['drawings'] ?? {})
          .slice(0, 6)
          .map((id) => ({ action: 'delete', type: 'drawing', id }));
        return step('batch', 'POST', '/batch', { steps: full ? away : steps });
      }
      case 10:
      case 11:
      case 12:
        return this.#step(part, `upload ${file}`, () => upload(this.#url, `${at}/files/${file}`, this.#bytes()));
      case 13:
        return this.#twice(part, file);
      case 14:
        if (node === undefined) return;
        return this.#step(part, 'node file', () =>
          upload(this.#url, `${at}/nodes/${node}/files/startup.vpc`, Buffer.from(`set pcname a${random.below(99)}\n`)),
        );
      case 15:
      case 16:
        if (Object.keys(shown['snapshots'] ?? {}).length > 2)
          return step('snapshot goes', 'DELETE', `/snapshots/${snapshot}`);
        return step('snapshot', 'POST', '/snapshots', { name: `s${random.below(1000)}` });
      case 17:
        return step('restore', 'POST', `/snapshots/${snapshot}/restore`);
      case 18:
        return step('project changes', 'PUT', '', { scene_width: 1000 + random.below(900) });
      case 19:
        return step('close', 'POST', '/close');
      default:
        return step('open', 'POST', '/open');
    }
  }

  /** Two uploads of one name at once: whichever event is later wins. */
  async #twice(part: string, file: string): Promise<void> {
    const where = `/v2/projects/${part.slice('project/'.length)}/files/${file}`;
    const both = [this.#bytes(), this.#bytes()];
    const { createHash } = await import('node:crypto');
    const shown = JSON.parse(this.#shown.get(part) ?? '{}') as { files: Record<string, string> };
    const meanwhile = both.map((bytes) => {
      const files = { ...shown.files, [file]: createHash('md5').update(bytes).digest('hex') };
      const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
      return JSON.stringify({ ...shown, files: sorted });
    });
    await this.#step(
      part,
      `two uploads ${file}`,
      () => Promise.all(both.map((b) => upload(this.#url, where, b))),
      meanwhile,
    );
  }

  /** Projects that come whole and go whole. */
  #transfers(): Client {
    const made: string[] = [];
    return async () => {
      const source = [...this.#shown].find(([part, value]) => part.startsWith('project/') && value !== 'null')?.[0];
      if (source === undefined) return sleep(50);
      const at = `/v2/projects/${source.slice('project/'.length)}`;
      const turn = this.#random.below(3);
      const gone = made[0];
      if (gone !== undefined && (turn === 0 || made.length > 2)) {
        made.shift();
        return this.#step(gone, 'delete', () => this.#ask('DELETE', `/v2/${gone.replace('project/', 'projects/')}`));
      }
      const part = `project/${this.#random.uuid()}`;
      if (turn === 1) return this.#duplicate(at, made);
      const archive = await fetch(`${this.#url}${at}/export?include_snapshots=yes`)
        .then(async (answer) => Buffer.from(await answer.arrayBuffer()))
        .catch(() => null);
      if (archive === null) return;
      made.push(part);
      return this.#step(part, 'import', () =>
        upload(this.#url, `/v2/${part.replace('project/', 'projects/')}/import`, archive),
      );
    };
  }

  /** Its id is known by the answer only. */
  async #duplicate(at: string, made: string[]): Promise<void> {
    const step: Step = { part: 'duplicate', what: 'duplicate', after: [], meanwhile: [] };
    const number = this.#steps.push(step) - 1;
    mark(this.#ops, ASKED(number));
    const answer = await request(this.#url, 'POST', `${at}/duplicate`, { name: 'copy' }).catch(() => null);
    const id = (answer?.body as { project_id?: string } | null)?.project_id;
    if (id === undefined) {
      step.part = 'duplicates that were cut off';
      step.after.push(ANY);
      this.#until = answer === null ? 0 : this.#until;
      return;
    }
    step.part = `project/${id}`;
    mark(this.#ops, ANSWERED(number));
    const value = await this.#look(step.part).catch(() => ANY);
    step.after.push(value);
    if (value === ANY) return;
    this.#shown.set(step.part, value);
    made.push(step.part);
  }

  #things(): Client {
    const random = this.#random;
    return async () => {
      const name = random.pick(['a.img', 'b.img']) ?? '';
      switch (random.below(4)) {
        case 0:
          return this.#step('images', 'image', () =>
            upload(this.#url, `/v2/compute/machine_emulator/images/${name}`, this.#bytes()),
          );
        case 1:
          return this.#step('symbols', 'symbol', () =>
            upload(
              this.#url,
              `/v2/symbols/${name}.svg/raw`,
              Buffer.from(`<svg width="9" height="9"><!--${this.#text()}--></svg>`),
            ),
          );
        case 2:
          return this.#step('templates', 'template', () =>
            this.#ask('POST', '/v2/templates', {
              name: `t${random.below(1000)}`,
              template_type: 'simple_pc',
              compute_id: 'local',
            }),
          );
        default:
          return this.#step('license', 'licence', () =>
            this.#ask('PUT', '/v2/iou_license', {
              iourc_content: `[license]\nhost${random.below(1000)} = 0123456789abcdef;\n`,
            }),
          );
      }
    };
  }

  /** Users are changed on the command line, beside the server. */
  #accounts(): Client {
    const run = promisify(execFile);
    const program = async (args: string[], input = ''): Promise<void> => {
      const running = run(process.execPath, [TOPOLOG, 'user', ...args, '--users', accountsFile(this.#root)], {
        env: { ...process.env, ...this.#env },
      });
      running.child.stdin?.end(input);
      await running.catch(() => undefined);
    };
    return async () => {
      const name = this.#random.pick(['ada', 'bob', 'eve']) ?? '';
      if (this.#random.below(2) === 0)
        return this.#step('accounts', `add ${name}`, () => program(['add', name], 'secret\n'));
      return this.#step('accounts', `remove ${name}`, () => program(['remove', name]));
    };
  }
}
