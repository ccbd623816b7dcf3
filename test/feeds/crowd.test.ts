import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { type Random, seeded } from '../faults/prng.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

const LISTENERS = 100;
const CHANGES = 10_000;
const WRITERS = 48;
/** Of a listener, over the whole test, more or less. */
const DISCONNECTS = 6;

/** Listens, hangs up at random in the middle of things, and goes on where it was. */
class Listener {
  /** `position:x` of every change, as it came. */
  readonly heard: string[] = [];
  resumed = 0;
  readonly #url: string;
  readonly #random: Random;
  #since: number | null = null;
  #socket: WebSocket | null = null;
  #ready: () => void = () => undefined;
  #done: () => void = () => undefined;
  #ending = false;

  constructor(url: string, random: Random) {
    this.#url = url;
    this.#random = random;
  }

  /** Resolves with its first frame. */
  connect(): Promise<void> {
    const there = new Promise<void>((resolve) => (this.#ready = resolve));
    this.#dial();
    return there;
  }

  /** Resolves when it has heard everything. */
  all(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#done = () => {
        if (this.heard.length >= count) resolve();
      };
      this.#done();
    });
  }

  end(): void {
    this.#ending = true;
    this.#socket?.terminate();
  }

  #dial(): void {
    const since = this.#since === null ? '' : `?since=${this.#since}`;
    const socket = new WebSocket(`${this.#url}${since}`);
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => this.#hear(socket, data));
    socket.on('close', () => {
      if (!this.#ending) setTimeout(() => this.#dial(), this.#random.below(40));
    });
  }

  #hear(socket: WebSocket, data: Buffer): void {
    // What was under way when it hung up is not heard: it comes again.
    if (socket.readyState !== WebSocket.OPEN) return;
    const { action, event, position } = JSON.parse(data.toString()) as {
      action: string;
      event: { x?: number };
      position: number;
    };
    assert.notEqual(action, 'reload');
    this.#since = position;
    this.#ready();
    if (action !== 'drawing.updated') return;
    this.heard.push(`${position}:${String(event.x)}`);
    this.#done();
    if (this.#random.below(CHANGES) >= DISCONNECTS) return;
    this.resumed++;
    socket.terminate();
  }
}

describe('a hundred listeners', () => {
  let server: ServerProcess;
  let dir: Awaited<ReturnType<typeof tempDir>>;
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  before(async () => {
    dir = await tempDir();
    server = await spawnServer(dir.path, ['--simulate']);
  });
  after(async () => {
    agent.destroy();
    await server.kill('SIGTERM');
    await dir.remove();
  });

  const create = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await request(server.url, 'POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body as Record<string, unknown>;
  };
  const put = (path: string, body: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(`${server.url}${path}`, { method: 'PUT', agent }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.once('error', reject);
      sent.end(JSON.stringify(body));
    });
  /** What really happened, from the log. */
  const happened = async (project: string): Promise<string[]> => {
    const answer = await fetch(`${server.url}${project}/events?type=drawing.updated`, {
      headers: { Accept: 'application/x-ndjson' },
    });
    const lines = (await answer.text()).trim().split('\n');
    return lines.map((line) => {
      const { position, data } = JSON.parse(line) as { position: number; data: { changes: { x: number } } };
      return `${position}:${data.changes.x}`;
    });
  };

  it('each see 10,000 changes once and in order, though they hang up at random', async () => {
    const { project_id } = await create('/v2/projects', { name: 'crowd' });
    const project = `/v2/projects/${String(project_id)}`;
    const drawings = await Promise.all(
      Array.from({ length: WRITERS }, () => create(`${project}/drawings`, { x: -1, y: 0 })),
    );
    const url = `${server.url.replace('http', 'ws')}${project}/notifications/ws`;
    const listeners = Array.from({ length: LISTENERS }, (_, i) => new Listener(url, seeded(i + 1)));
    await Promise.all(listeners.map((listener) => listener.connect()));

    let next = 0;
    const write = async (drawing: Record<string, unknown>): Promise<void> => {
      for (let x = next++; x < CHANGES; x = next++)
        assert.equal(await put(`${project}/drawings/${String(drawing['drawing_id'])}`, { x }), 201);
    };
    await Promise.all(drawings.map(write));
    await Promise.all(listeners.map((listener) => listener.all(CHANGES)));
    for (const listener of listeners) listener.end();

    const expected = await happened(project);
    assert.equal(expected.length, CHANGES);
    for (const { heard } of listeners) assert.deepEqual(heard, expected);
    const resumed = listeners.reduce((sum, listener) => sum + listener.resumed, 0);
    assert.ok(resumed > LISTENERS, `only ${resumed} listeners hung up`);
    assert.equal(server.output().includes('feed'), false, server.output());
  });
});
