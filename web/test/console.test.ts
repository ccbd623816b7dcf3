import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outputBetween, parseCast, recordingAt, sayPlayTime } from '../src/consoles/recordings/cast.ts';
import { arrange, bringToFront, EMPTY, type Layout, MOST_PANES, moveOn, split } from '../src/consoles/dock/layout.ts';
import { keepSocket, type SocketLike } from '../src/store/following/kept-socket.ts';

const keysOf = ({ panes }: Layout): (readonly string[])[] => panes.map(({ keys }) => keys);

describe('panes of the dock', () => {
  const three = arrange(EMPTY, ['a', 'b', 'c'], 'c');

  it('take in panels that are opened and leave out those that are closed', () => {
    assert.deepEqual(keysOf(three), [['a', 'b', 'c']]);
    assert.equal(three.panes[0]?.active, 'c');
    const fewer = arrange(three, ['a', 'b'], 'b');
    assert.deepEqual(keysOf(fewer), [['a', 'b']]);
    assert.equal(fewer.panes[0]?.active, 'b');
    assert.deepEqual(arrange(fewer, [], null), EMPTY);
  });

  it('are split and joined again', () => {
    const two = split(three, 'b');
    assert.deepEqual(keysOf(two), [['a', 'c'], ['b']]);
    assert.equal(two.focused, two.panes[1]?.id);
    const more = arrange(two, ['a', 'b', 'c', 'd'], 'd');
    assert.deepEqual(keysOf(more), [
      ['a', 'c'],
      ['b', 'd'],
    ]);
    const back = moveOn(moveOn(more, 'd'), 'b');
    assert.deepEqual(keysOf(back), [['a', 'c', 'd', 'b']]);
    assert.equal(back.panes[0]?.active, 'b');
  });

  it('go with their last panel', () => {
    const two = split(three, 'b');
    assert.deepEqual(keysOf(arrange(two, ['a', 'c'], 'a')), [['a', 'c']]);
  });

  it('are no more than there is room for, and none is split for nothing', () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    let layout = arrange(EMPTY, keys, 'a');
    for (const key of keys) layout = split(bringToFront(layout, key), key);
    assert.equal(layout.panes.length, MOST_PANES);
    const alone = arrange(EMPTY, ['a'], 'a');
    assert.equal(split(alone, 'a'), alone);
    assert.equal(moveOn(alone, 'a'), alone);
  });
});

const HEADER = {
  version: 3,
  term: { cols: 80, rows: 24 },
  timestamp: 1,
  topolog: { started_at: '2026-11-21T12:27:00.123Z' },
};
const castOf = (...lines: unknown[]): string => [HEADER, ...lines].map((line) => JSON.stringify(line)).join('\n');

describe('a recording of a console', () => {
  const cast = parseCast(
    castOf([0.5, 'o', 'PC1> '], [1, 'i', 'x'], [0, 'o', 'x'], [0.25, 'm', 'left'], [2.25, 'o', '!']),
  );

  it('is read with its clock', () => {
    assert.equal(cast.startedAt, Date.parse('2026-11-21T12:27:00.123Z'));
    assert.deepEqual(
      cast.events.map(({ at, code }) => [at, code]),
      [
        [0.5, 'o'],
        [1.5, 'i'],
        [1.5, 'o'],
        [1.75, 'm'],
        [4, 'o'],
      ],
    );
    assert.equal(cast.seconds, 4);
  });

  it('shows what was printed up to a time, and what was added since', () => {
    assert.equal(outputBetween(cast, -1, 0), '');
    assert.equal(outputBetween(cast, -1, 1.5), 'PC1> x');
    assert.equal(outputBetween(cast, 1.5, 10), '!');
    assert.equal(outputBetween(cast, 0.5, 1.5) + outputBetween(cast, 1.5, 4), 'x!');
  });

  it('is read although its end is torn, but not when it is something else', () => {
    assert.equal(parseCast(`${castOf([1, 'o', 'a'])}\n[1,"o","b`).events.length, 1);
    assert.throws(() => parseCast('{"version":2,"width":80}'), SyntaxError);
    assert.throws(() => parseCast('no recording'), SyntaxError);
    assert.equal(parseCast(castOf([1, 'o', 7], ['x'], null)).events.length, 0);
    assert.equal(parseCast('{"version":3,"term":{"cols":-1,"rows":1e9}}').cols, 80);
  });

  it('is the one that had begun last at a moment', () => {
    const list = ['10:00', '11:00'].map((time) => ({ name: time, started_at: `2026-11-21T${time}:00.000Z` }));
    const at = (time: string): string | undefined => recordingAt(list, Date.parse(`2026-11-21T${time}:00.000Z`))?.name;
    assert.deepEqual([at('09:59'), at('10:00'), at('10:59'), at('12:00')], [undefined, '10:00', '10:00', '11:00']);
  });

  it('tells times as people do', () => {
    assert.deepEqual([0, 65.9, 3725].map(sayPlayTime), ['0:00', '1:05', '1:02:05']);
  });
});

/** Sockets that do what the test says, and a clock that it sets. */
const world = () => {
  const sockets: (SocketLike & { sent: string[]; isClosed: boolean })[] = [];
  const waiting: { run: () => void; ms: number }[] = [];
  const told: string[] = [];
  let again = 0;
  const link = keepSocket({
    open: () => {
      const sent: string[] = [];
      const socket = {
        binaryType: '',
        onopen: null,
        onmessage: null,
        onclose: null,
        sent,
        isClosed: false,
        send: (text: string) => void sent.push(text),
        close: () => void (socket.isClosed = true),
      };
      sockets.push(socket);
      return socket;
    },
    onBytes: (bytes) => told.push(new TextDecoder().decode(bytes)),
    onAgain: () => (again += 1),
    later: (run, ms) => {
      const entry = { run, ms };
      waiting.push(entry);
      return () => void waiting.splice(waiting.indexOf(entry), 1);
    },
  });
  const last = () => {
    const socket = sockets.at(-1);
    assert.ok(socket);
    return socket;
  };
  return {
    link,
    sockets,
    waiting,
    told,
    again: () => again,
    last,
    open: () => last().onopen?.({} as never),
    drop: () => last().onclose?.({} as never),
    tell: (data: unknown) => last().onmessage?.({ data } as never),
    tick: () => waiting.shift()?.run(),
  };
};

describe('a socket of a console', () => {
  it('connects once it is wanted, and carries both ways', () => {
    const w = world();
    assert.equal(w.sockets.length, 0);
    w.link.want(true);
    assert.equal(w.link.state.get(), 'connecting');
    w.open();
    w.tell(new TextEncoder().encode('PC1> ').buffer);
    w.tell('text');
    assert.equal(w.link.send('ping\r'), true);
    assert.deepEqual([w.told, w.last().sent], [['PC1> ', 'text'], ['ping\r']]);
  });

  it('sends what was typed while it connected once it is open, and drops it with the connection', () => {
    const w = world();
    assert.equal(w.link.send('a'), false);
    w.link.want(true);
    assert.deepEqual([w.link.send('b'), w.link.send('c'), w.last().sent], [true, true, []]);
    w.open();
    w.link.send('d');
    assert.deepEqual(w.last().sent, ['bc', 'd']);
    w.drop();
    assert.equal(w.link.send('e'), false);
    w.tick();
    w.link.send('f');
    w.drop();
    w.tick();
    w.open();
    assert.deepEqual(w.last().sent, []);
  });

  it('connects again by itself, more and more slowly, and says so once it is there', () => {
    const w = world();
    w.link.want(true);
    w.open();
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      w.drop();
      assert.equal(w.link.state.get(), 'lost');
      pauses.push(w.waiting[0]?.ms ?? 0);
      w.tick();
    }
    assert.deepEqual(pauses, [500, 1000, 2000, 4000, 5000, 5000]);
    assert.equal(w.again(), 0);
    w.open();
    assert.equal(w.again(), 1);
    w.drop();
    assert.equal(w.waiting[0]?.ms, 500);
  });

  it('does nothing while it is not wanted, and forgets sockets that it has given up', () => {
    const w = world();
    w.link.want(true);
    w.open();
    const old = w.last();
    w.link.want(false);
    assert.deepEqual([old.isClosed, w.link.state.get()], [true, 'waiting']);
    old.onmessage?.({ data: 'late' } as never);
    old.onclose?.({} as never);
    assert.deepEqual([w.told, w.waiting.length, w.sockets.length], [[], 0, 1]);
    w.link.want(true);
    w.drop();
    w.link.close();
    assert.equal(w.waiting.length, 0);
  });
});
