import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from 'topolog/client';
import { openLab } from '../src/store/lab.ts';
import type { Frame, Node } from '../src/store/records.ts';

const frame = (action: string, event: unknown, position: number): Frame => ({ action, event, position }) as Frame;
const node = (node_id: string, name: string): Node => ({ node_id, name }) as Node;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A server whose feed tells what it is given, and whose lists are answered when they are let. */
const fake = () => {
  const frames: Frame[] = [];
  let wake = (): void => undefined;
  let tell: ((stands: boolean) => void) | undefined;
  let nodes = [node('a', 'first')];
  let held: (() => void)[] | null = null;
  let isOver = false;
  const client = {
    async *feed(_path: string, options: { onConnection: (stands: boolean) => void; signal: AbortSignal }) {
      tell = options.onConnection;
      tell(true);
      for (;;) {
        const next = frames.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
    async get(path: string) {
      const answer = path.endsWith('/nodes') ? nodes : path.endsWith('}') ? { name: 'lab' } : [];
      if (held !== null) await new Promise<void>((resolve) => held?.push(resolve));
      return answer;
    },
  };
  return {
    client: client as unknown as Client,
    async send(...more: Frame[]) {
      frames.push(...more);
      wake();
      for (let i = 0; i < 8; i++) await turn();
    },
    connection: (stands: boolean) => tell?.(stands),
    hold: () => (held = []),
    async release() {
      const waiting = held ?? [];
      held = null;
      for (const go of waiting) go();
      for (let i = 0; i < 8; i++) await turn();
    },
    setNodes: (next: Node[]) => (nodes = next),
    async end() {
      isOver = true;
      wake();
      for (let i = 0; i < 4; i++) await turn();
    },
  };
};

describe('a lab that is followed', () => {
  it('reads the lists once it hears everything, and adds what is told meanwhile', async () => {
    const server = fake();
    server.hold();
    const lab = openLab(server.client, 'p', { schedule: (run) => run() });
    await server.send(frame('ping', {}, 5), frame('node.created', node('b', 'told meanwhile'), 6));
    assert.equal(lab.state.get().isLoaded, false);
    await server.release();
    assert.deepEqual(
      [...lab.state.get().records.nodes.values()].map(({ name }) => name),
      ['first', 'told meanwhile'],
    );
    assert.equal(lab.state.get().position, 6);
    lab.close();
  });

  it('folds at once what comes within a turn of the screen', async () => {
    const server = fake();
    const turns: (() => void)[] = [];
    const lab = openLab(server.client, 'p', { schedule: (run) => void turns.push(run) });
    await server.send(frame('ping', {}, 1));
    let changes = 0;
    lab.state.subscribe(() => changes++);
    await server.send(...Array.from({ length: 100 }, (_, i) => frame('node.updated', node('a', `name ${i}`), i + 2)));
    assert.equal(turns.length, 1);
    assert.equal(changes, 0);
    turns[0]?.();
    assert.equal(changes, 1);
    assert.equal(lab.state.get().records.nodes.get('a')?.name, 'name 99');
    lab.close();
  });

  it('shows a lost connection, keeps what it has, and goes on', async () => {
    const server = fake();
    const lab = openLab(server.client, 'p', { schedule: (run) => run() });
    await server.send(frame('ping', {}, 1));
    const { records } = lab.state.get();
    server.connection(false);
    assert.equal(lab.state.get().connection, 'lost');
    assert.equal(lab.state.get().records, records);
    server.connection(true);
    await server.send(frame('node.updated', node('a', 'missed'), 2));
    assert.equal(lab.state.get().connection, 'connected');
    assert.equal(lab.state.get().records.nodes.get('a')?.name, 'missed');
    lab.close();
  });

  it('reads everything again when it is told to', async () => {
    const server = fake();
    const lab = openLab(server.client, 'p', { schedule: (run) => run() });
    await server.send(frame('ping', {}, 1));
    server.setNodes([node('z', 'new')]);
    await server.send(frame('reload', { reason: 'too much' }, 20_000));
    assert.deepEqual([...lab.state.get().records.nodes.keys()], ['z']);
    lab.close();
  });

  it('heals also when nobody answers at first, neither for the feed nor for the lists', async () => {
    const server = fake();
    let failures = 0;
    const flaky = {
      feed: (...args: unknown[]) => {
        if (failures++ < 1) throw new TypeError('nobody answers');
        return (server.client.feed as (...given: unknown[]) => unknown)(...args);
      },
      get: (...args: unknown[]) =>
        failures++ < 3
          ? Promise.reject(new TypeError('nobody answers'))
          : (server.client.get as (...given: unknown[]) => unknown)(...args),
    } as unknown as Client;
    const lab = openLab(flaky, 'p', { schedule: (run) => run() });
    await turn();
    assert.equal(lab.state.get().connection, 'lost');
    assert.equal(lab.state.get().problem, null);
    const loaded = new Promise<void>((resolve) => {
      const end = lab.state.subscribe(() => {
        if (!lab.state.get().isLoaded) return;
        end();
        resolve();
      });
    });
    await server.send(frame('ping', {}, 1));
    await loaded;
    assert.equal(lab.state.get().connection, 'connected');
    assert.deepEqual([...lab.state.get().records.nodes.keys()], ['a']);
    lab.close();
  });

  it('does not try again what another try would not fix', async () => {
    const refused = Object.assign(new Error('no such project'), {});
    const client = {
      feed: () => {
        throw refused;
      },
    } as unknown as Client;
    const lab = openLab(client, 'p', { schedule: (run) => run() });
    await turn();
    assert.equal(lab.state.get().problem, refused);
    lab.close();
  });

  it('tells listeners every frame, and who is looking', async () => {
    const server = fake();
    const lab = openLab(server.client, 'p', { schedule: (run) => run() });
    const heard: string[] = [];
    const end = lab.listen(({ action }) => void heard.push(action));
    const listeners = { count: 1, listeners: [], you: 1 };
    await server.send(
      frame('ping', {}, 1),
      frame('project.listeners', listeners, 1),
      frame('log.error', { message: 'x' }, 2),
    );
    end();
    await server.send(frame('ping', {}, 2));
    assert.deepEqual(heard, ['ping', 'project.listeners', 'log.error']);
    assert.deepEqual(lab.state.get().listeners, listeners);
    lab.close();
  });

  it('says that its project was deleted', async () => {
    const server = fake();
    const lab = openLab(server.client, 'p', { schedule: (run) => run() });
    await server.send(frame('ping', {}, 1), frame('project.deleted', {}, 2));
    await server.end();
    assert.equal(lab.state.get().isGone, true);
  });
});
