import { createHash } from 'node:crypto';
import { ask, type Client, type Desk, routeOf, someBytes, someText, upload } from './desk.ts';

type Members = Record<string, Record<string, unknown>>;

const FILES = ['notes.txt', 'deep/down/a.bin', 'project-files/b.bin'];
const [MOST_DRAWINGS, MOST_NODES, MOST_SNAPSHOTS] = [12, 4, 2];

/** Changes one project in all the ways that there are. */
export const projectClient =
  (desk: Desk, part: string): Client =>
  async () => {
    const shown = JSON.parse(desk.shown.get(part) ?? 'null') as Members | null;
    const project_id = part.slice('project/'.length);
    const create = { name: project_id.slice(0, 8), project_id };
    if (shown === null) return desk.step(part, 'create', () => ask(desk, 'POST', '/v2/projects', create));
    const turn = new Turn(desk, part, shown);
    return desk.random.pick([turn.drawing, turn.member, turn.lab, turn.file, turn.snapshot, turn.project])?.();
  };

class Turn {
  readonly #desk: Desk;
  readonly #part: string;
  readonly #shown: Members;

  constructor(desk: Desk, part: string, shown: Members) {
    this.#desk = desk;
    this.#part = part;
    this.#shown = shown;
  }

  #ids(name: string): string[] {
    return Object.keys(this.#shown[name] ?? {});
  }

  #one(name: string): string {
    return this.#desk.random.pick(this.#ids(name)) ?? '';
  }

  #ask(method: string, where: string, body?: object): Promise<void> {
    const at = routeOf(this.#part);
    return this.#desk.step(this.#part, `${method} ${where}`, () => ask(this.#desk, method, `${at}${where}`, body));
  }

  #upload(where: string, bytes: Buffer): Promise<Response> {
    return upload(this.#desk.url, `${routeOf(this.#part)}${where}`, bytes);
  }

  #svg(): string {
    return `<svg>${someText(this.#desk.random)}</svg>`;
  }

  readonly drawing = (): Promise<void> => {
    const { random } = this.#desk;
    const id = this.#one('drawings');
    if (id === '' || (random.below(2) === 0 && this.#ids('drawings').length < MOST_DRAWINGS))
      return this.#ask('POST', '/drawings', { svg: this.#svg() });
    if (random.below(3) === 0) return this.#ask('DELETE', `/drawings/${id}`);
    return this.#ask('PUT', `/drawings/${id}`, { x: random.below(900), svg: this.#svg() });
  };

  /** A node or a link. */
  readonly member = (): Promise<void> => {
    const { random } = this.#desk;
    const [nodes, link, x] = [this.#ids('nodes'), this.#one('links'), random.below(900)];
    const node = { name: `n${random.below(1000)}`, node_type: 'simple_pc', compute_id: 'local', x };
    if (nodes.length < 2) return this.#ask('POST', '/nodes', node);
    const ends = nodes.slice(-2).map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    switch (random.below(5)) {
      case 0:
        return nodes.length < MOST_NODES
          ? this.#ask('POST', '/nodes', node)
          : this.#ask('DELETE', `/nodes/${this.#one('nodes')}`);
      case 1:
        return this.#ask('PUT', `/nodes/${this.#one('nodes')}`, { x });
      case 2:
        return this.#ask('POST', `/nodes/${this.#one('nodes')}/${random.pick(['start', 'stop'])}`);
      default:
        return link === '' ? this.#ask('POST', '/links', { nodes: ends }) : this.#ask('DELETE', `/links/${link}`);
    }
  };

  /** Several at once, all or nothing. */
  readonly lab = (): Promise<void> => {
    const drawings = this.#ids('drawings');
    const away = drawings.slice(0, 6).map((id) => ({ action: 'delete', type: 'drawing', id }));
    const fresh = (): object => ({ action: 'create', type: 'drawing', record: { svg: this.#svg() } });
    return this.#ask('POST', '/batch', {
      steps: drawings.length > MOST_DRAWINGS ? away : Array.from({ length: 5 }, fresh),
    });
  };

  readonly file = (): Promise<void> => {
    const { random } = this.#desk;
    const name = random.pick(FILES) ?? '';
    const node = this.#one('nodes');
    const script = Buffer.from(`set pcname a${random.below(99)}\n`);
    const turn = random.below(5);
    if (turn === 0) return this.#twice(name);
    const [where, bytes] =
      turn === 1 && node !== '' ? [`/nodes/${node}/files/startup.vpc`, script] : [`/files/${name}`, someBytes(random)];
    return this.#desk.step(this.#part, `upload ${where}`, () => this.#upload(where, bytes));
  };

  /** Two uploads of one name at once: the later event wins. */
  #twice(name: string): Promise<void> {
    const both = [0, 1].map(() => someBytes(this.#desk.random));
    const meanwhile = both.map((bytes) => {
      const files = { ...this.#shown['files'], [name]: createHash('md5').update(bytes).digest('hex') };
      const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
      return JSON.stringify({ ...this.#shown, files: sorted });
    });
    const act = (): Promise<unknown> => Promise.all(both.map((bytes) => this.#upload(`/files/${name}`, bytes)));
    return this.#desk.step(this.#part, `two uploads of ${name}`, act, meanwhile);
  }

  readonly snapshot = (): Promise<void> => {
    const { random } = this.#desk;
    const snapshot = this.#one('snapshots');
    if (snapshot !== '' && random.below(2) === 0) return this.#ask('POST', `/snapshots/${snapshot}/restore`);
    if (this.#ids('snapshots').length > MOST_SNAPSHOTS) return this.#ask('DELETE', `/snapshots/${snapshot}`);
    return this.#ask('POST', '/snapshots', { name: `s${random.below(1000)}` });
  };

  readonly project = (): Promise<void> => {
    const { random } = this.#desk;
    const turn = random.below(4);
    if (turn === 0) return this.#ask('PUT', '', { scene_width: 1000 + random.below(900) });
    return this.#ask('POST', turn === 1 ? '/close' : '/open');
  };
}
