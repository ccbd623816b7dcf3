import type { Random } from '../prng.ts';
import { type Churner, list, send } from './churner.ts';
import { until } from '../../../src/common/promises.ts';

type Word = 'old' | 'new';
type Bag = Record<string, unknown>;

/** Longest time until nodes that ran run again. Milliseconds. */
const BACK_MS = 60_000;
/** One apply of so many makes a lab. */
const MAKES = 3;

const SCRIPTS: Record<Word, string> = { old: 'ip 10.0.0.2/24', new: 'ip 10.0.0.12/24' };

/** A lab in one of two states; nearly all that a text can say differs between them. */
const textOf = (name: string, word: Word): string => `lab: ${name}
version: 1
settings: { scene_width: ${word === 'old' ? 1001 : 1002}, auto_close: false }
nodes:
  Kept: { kind: simple_pc, at: [0, 0], address: 10.0.0.1/24 }
  Changed:
    kind: simple_pc
    at: [100, 0]
    startup: "${SCRIPTS[word]}"
    files: { note.txt: ${word} }
  ${word}PC: { kind: simple_pc, at: [200, 0], address: 10.0.0.3/24 }
  S: { kind: ethernet_switch, at: [0, 100] }
links:
  - [Kept:0, S:0]
  - [Changed:0, S:1]
  - [${word}PC:0, S:2]
drawings:
  - { svg: '<svg width="1" height="1"></svg>', at: [${word === 'old' ? 1 : 2}, 0] }
checks:
  - ${word}PC reaches 10.0.0.1
weather:
  - { at: ${word === 'old' ? 1 : 2}s, for: 1s, crash: [${word}PC] }
`;

/** Nodes that run, whatever is applied. */
const RUNNING = ['Changed', 'Kept', 'S'];

/** Applies texts: a lab that runs becomes another one and back, and others are made. Each is old or new, as a whole. */
export class Applies implements Churner {
  readonly name = 'applies';
  readonly counts: Record<Word, number> = { old: 0, new: 0 };
  readonly #random: Random;
  readonly #lab: string;
  #project = '';
  /** As it was last seen or answered. */
  #is: Word = 'old';
  /** What it may be instead. */
  #under: Word | null = null;
  /** Labs that are made, by name; true: that was answered. */
  readonly #made = new Map<string, boolean>();

  constructor(random: Random) {
    this.#random = random;
    this.#lab = `applied ${random.uuid()}`;
  }

  async prepare(url: string): Promise<void> {
    this.#project = await this.#apply(url, this.#lab, 'old', true);
  }

  async step(url: string): Promise<void> {
    if (this.#random.below(MAKES) === 0) return this.#make(url);
    this.#under = this.#is === 'old' ? 'new' : 'old';
    await this.#apply(url, this.#lab, this.#under);
    this.#is = this.#under;
    this.#under = null;
  }

  async #make(url: string): Promise<void> {
    const name = `made ${this.#random.uuid()}`;
    this.#made.set(name, false);
    await this.#apply(url, name, 'new');
    this.#made.set(name, true);
  }

  async #apply(url: string, name: string, word: Word, start = false): Promise<string> {
    const { body } = await send(url, ['POST', '/v2/labs/apply'], { text: textOf(name, word), start });
    return (body as { project_id: string }).project_id;
  }

  async check(url: string): Promise<string[]> {
    const { word, problems } = await this.#look(url, this.#project, this.#lab);
    const running = await this.#allRun(url);
    if (word !== null) this.counts[word]++;
    const allowed = [this.#is, this.#under];
    if (word !== null && !allowed.includes(word))
      problems.push(`the lab is ${word}, and was answered to be ${this.#is}`);
    this.#is = word ?? this.#is;
    this.#under = null;
    return [...problems, ...running, ...(await this.#checkMade(url))];
  }

  async #checkMade(url: string): Promise<string[]> {
    const problems: string[] = [];
    const projects = await list(url, '/v2/projects');
    for (const [name, isAnswered] of this.#made) {
      const project = projects.find((one) => one['name'] === name);
      if (project === undefined) {
        if (isAnswered) problems.push(`the answered lab ${name} is not there`);
        continue;
      }
      const id = String(project['project_id']);
      problems.push(...(await this.#look(url, id, name)).problems);
      await send(url, ['DELETE', `/v2/projects/${id}`]);
    }
    this.#made.clear();
    return problems;
  }

  /** Everything that differs between the two says in its own way which of them it is. */
  async #look(url: string, id: string, name: string): Promise<{ word: Word | null; problems: string[] }> {
    const at = `/v2/projects/${id}`;
    const project = (await send(url, ['GET', at])).body as Bag;
    const [nodes, links, drawings, checks, weather] = await Promise.all(
      ['nodes', 'links', 'drawings', 'checks', 'weather'].map((what) => this.#read(url, `${at}/${what}`)),
    );
    const idOf = (node: string): string => String(nodes?.find((one) => one['name'] === node)?.['node_id']);
    const linked = (links ?? []).map((link) => (link['nodes'] as Bag[]).map(({ node_id }) => node_id)).flat();
    const file = async (file: string): Promise<string> => {
      const answer = await send(url, ['GET', `${at}/nodes/${idOf('Changed')}/files/${file}`], undefined, [404]);
      return answer.status === 404 ? '' : answer.text.trim();
    };
    const [script, note] = [await file('startup.vpc'), await file('note.txt')];
    const found: Record<string, Word | null> = {
      settings: which(project['scene_width'], 1001, 1002),
      nodes: which(namesOf(nodes), 'Changed Kept S oldPC', 'Changed Kept S newPC'),
      links: links?.length === 3 ? which(true, linked.includes(idOf('oldPC')), linked.includes(idOf('newPC'))) : null,
      drawings: drawings?.length === 1 ? which(drawings[0]?.['x'], 1, 2) : null,
      checks: checks?.length === 1 ? whichIn(JSON.stringify(checks), idOf('oldPC'), idOf('newPC')) : null,
      weather: whichIn(JSON.stringify(weather), idOf('oldPC'), idOf('newPC')),
      script: which(script, SCRIPTS.old, SCRIPTS.new),
      note: which(note, 'old', 'new'),
    };
    const words = new Set(Object.values(found));
    const [word = null] = words;
    return { word, problems: words.size === 1 && word !== null ? [] : [`${name} is ${JSON.stringify(found)}`] };
  }

  async #read(url: string, path: string): Promise<Bag[]> {
    const { body } = await send(url, ['GET', path]);
    return Array.isArray(body) ? (body as Bag[]) : [body as Bag];
  }

  async #allRun(url: string): Promise<string[]> {
    let states: Bag = {};
    const run = async (): Promise<boolean> => {
      const nodes = await list(url, `/v2/projects/${this.#project}/nodes`);
      states = Object.fromEntries(nodes.map(({ name, status }) => [String(name), status]));
      return RUNNING.every((name) => states[name] === 'started');
    };
    if (await until(run, { every: 50, within: BACK_MS })) return [];
    return [`not all that ran run again: ${JSON.stringify(states)}`];
  }
}

const namesOf = (nodes: Bag[] = []): string =>
  nodes
    .map(({ name }) => String(name))
    .toSorted()
    .join(' ');

/** null: it is neither, or both. */
const which = (is: unknown, old: unknown, now: unknown): Word | null => {
  if ((is === old) === (is === now)) return null;
  return is === old ? 'old' : 'new';
};
const whichIn = (text: string, old: string, now: string): Word | null =>
  which(true, text.includes(old), text.includes(now));
