// Simulated students, each in front of a lab, and what they do as a recording: taken from the log of the server, so that one of a real
// class can be taken in the same way. A recording is a list of {at, student, what, nth}: milliseconds from the beginning of the class,
// and which of their lab's things it was.
import { once } from 'node:events';
import { Agent, get, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeSwitchedLab } from '../lab.mjs';
import { DEFAULTS } from './model.mjs';

const HOUR_MS = 3_600_000;

/** mulberry32, as a number from 0 to 1. */
const chooser = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Labs of a class on a server, loaded and with a drawing each. */
export const openLabs = async (server, { students, nodes }) => {
  const labs = Array.from({ length: students }, () => new Lab(server));
  for (const lab of labs) await lab.load(nodes);
  return labs;
};

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
export const endConnections = () => agent.destroy();

class Lab {
  #server;
  #project = '';
  #nodes = [];
  #links = [];
  #drawing = '';
  #turn = 0;
  #open = [];
  project_id = '';
  /** Milliseconds that each change took until its answer; not starts and stops. */
  times = [];
  /** Frames of its feeds. */
  frames = 0;
  #console = null;
  /** Starts and stops of one node follow one another. */
  #switching = Promise.resolve();

  constructor(server) {
    this.#server = server;
  }

  async load(nodes) {
    const switches = Math.max(1, Math.ceil(nodes / 21));
    const lab = await writeSwitchedLab(this.#server.directory, nodes - switches);
    this.project_id = lab.project_id;
    this.#project = `/v2/projects/${lab.project_id}`;
    this.#nodes = lab.node_ids.map((id) => `${this.#project}/nodes/${id}`);
    this.#links = lab.links.map(({ link_id }) => `${this.#project}/links/${link_id}`);
    await this.#call('POST', '/v2/projects/load', { path: lab.file });
    const drawing = await this.#call('POST', `${this.#project}/drawings`, { svg: '<svg></svg>', x: 0, y: 0 });
    this.#drawing = `${this.#project}/drawings/${JSON.parse(drawing).drawing_id}`;
  }

  start() {
    return this.#call('POST', `${this.#project}/nodes/start`);
  }

  /** As a page listens: to the project and to the server. */
  async listen(count) {
    const paths = Array.from({ length: count }, (_, n) =>
      n % 2 === 0 ? `${this.#project}/notifications` : '/v2/notifications',
    );
    await Promise.all(paths.map((where) => this.#follow(`${this.#server.url}${where}`)));
  }

  async #follow(url) {
    const feed = get(url, { agent: false });
    feed.on('error', () => undefined);
    this.#open.push(feed);
    const [answer] = await once(feed, 'response');
    if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}`);
    answer.on('error', () => undefined);
    answer.on('data', (chunk) => {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.frames++;
    });
  }

  /** Of its first node. */
  async consolePort() {
    return JSON.parse(await this.#call('GET', this.#nodes[0])).console;
  }

  async openConsole() {
    this.#console = connect(await this.consolePort(), '127.0.0.1');
    this.#console.on('error', () => undefined);
    this.#open.push(this.#console);
    await once(this.#console, 'connect');
    this.#console.resume();
  }

  command() {
    this.#console?.write('show ip\r\n');
  }

  read() {
    return this.#call('GET', this.#nodes[this.#turn++ % this.#nodes.length]);
  }

  /** What a recording says; rejects when it is refused. */
  do(what, nth) {
    const x = ++this.#turn;
    const node = this.#nodes[nth % this.#nodes.length];
    if (what === 'move') return this.#change('PUT', node, { x, y: -x });
    if (what === 'draw') return this.#change('PUT', this.#drawing, { x });
    const link = this.#links[nth % this.#links.length];
    if (what === 'filter') return this.#change('PUT', link, { filters: { delay: [1 + (x % 50), 0] } });
    this.#switching = this.#switching.then(() => this.#call('POST', `${node}/${what}`));
    return this.#switching;
  }

  async #change(...asked) {
    const begin = performance.now();
    await this.#call(...asked);
    this.times.push(performance.now() - begin);
  }

  /** Resolves with the text of the answer. */
  #call(method, where, body) {
    return new Promise((resolve, reject) => {
      const asked = request(`${this.#server.url}${where}`, { method, agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => (text += part));
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode < 300) resolve(text);
          else reject(new Error(`${method} ${where} answers ${answer.statusCode}: ${text.slice(0, 300)}`));
        });
      });
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  leave() {
    for (const one of this.#open) one.destroy();
  }
}

const CHANGES = ['move', 'move', 'draw', 'filter'];

/**
 * Lets students change things at random, `minutes` of a class in `seconds`. Resolves with their recording, as the server's log has it.
 */
export const record = async (server, { students, nodes, minutes, seconds, seed }) => {
  const labs = await openLabs(server, { students, nodes });
  await Promise.all(labs.map((lab) => lab.start()));
  const { log } = await server.call('GET', '/v2/health');
  const random = chooser(seed);
  const pace = (minutes * 60) / seconds;
  const begin = performance.now();
  const until = begin + seconds * 1000;
  const study = async (lab) => {
    const perMs = ((DEFAULTS.changes + DEFAULTS.restarts) * pace) / HOUR_MS;
    for (;;) {
      const wait = -Math.log(1 - random()) / perMs;
      if (performance.now() + wait > until) return;
      await sleep(wait);
      const nth = Math.floor(random() * nodes);
      if (random() * (DEFAULTS.changes + DEFAULTS.restarts) < DEFAULTS.restarts) {
        await lab.do('stop', nth);
        await lab.do('start', nth);
      } else await lab.do(CHANGES[Math.floor(random() * CHANGES.length)], nth);
    }
  };
  await Promise.all(labs.map(study));
  const events = await eventsOf(server, log.position + 1);
  return { length_ms: minutes * 60_000, students, changes: recordingOf(events, { labs, pace }) };
};

const eventsOf = async (server, from) => {
  const all = [];
  for (let next = from; ;) {
    const { events } = await server.call('GET', `/v2/events?from=${next}&limit=1000`);
    if (events.length === 0) return all;
    all.push(...events);
    next = events.at(-1).position + 1;
  }
};

const WHAT = {
  'node.updated': 'move',
  'drawing.updated': 'draw',
  'link.updated': 'filter',
  'node.stop_requested': 'stop',
  'node.start_requested': 'start',
};

/** Of what was asked for, not of what the server did by itself. */
export const recordingOf = (events, { labs, pace }) => {
  const students = new Map(labs.map(({ project_id }, n) => [project_id, n]));
  const things = new Map();
  const nth = (id) => things.get(id) ?? things.set(id, things.size).get(id);
  const asked = events.filter(
    ({ type, project_id, by }) => type in WHAT && students.has(project_id) && by.principal !== 'system',
  );
  const begin = Date.parse(asked[0]?.at ?? 0);
  return asked.map(({ type, project_id, at, data }) => ({
    at: (Date.parse(at) - begin) * pace,
    student: students.get(project_id),
    what: WHAT[type],
    nth: nth(data.node_id ?? data.link_id ?? data.drawing_id),
  }));
};
