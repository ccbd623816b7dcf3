import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { createClock } from '../../src/replay/pacing.ts';
import type { ReplayHost } from '../../src/replay/host.ts';
import { createIds } from '../../src/replay/mapping.ts';
import { createTyping, typedIn } from '../../src/replay/typing.ts';

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';
const CAST = [
  '{"version":3,"term":{"cols":80,"rows":24},"timestamp":1700000000,"topolog":{"started_at":"2023-11-14T22:13:20.500Z"}}',
  '[0.250, "o", "PC1> "]',
  '[1.000, "i", "ping é"]',
  '# a comment',
  '[0.100, "i", "\\r"]',
  '[9, "x", "0"]',
  '[1',
].join('\n');
const part = (node_id: string, content: string | null, offset = 0) => ({
  ...{ node_id, name: 'x.cast', offset, bytes: 0, sha256: '', content },
});
const never = new AbortController().signal;

describe('what was typed', () => {
  it('is read from recordings, in parts and with lines that are no events, at the time it was typed', () => {
    assert.deepEqual(typedIn([part(A, CAST.slice(100), 100), part(A, CAST.slice(0, 100))]), [
      { node_id: A, at: '2023-11-14T22:13:21.750Z', text: 'ping é' },
      { node_id: A, at: '2023-11-14T22:13:21.850Z', text: '\r' },
    ]);
  });

  it('of several consoles is in one order', () => {
    const later = CAST.replace('20.500Z', '20.550Z');
    assert.deepEqual(
      typedIn([part(B, later), part(A, CAST)]).map((t) => t.node_id),
      [A, B, A, B],
    );
  });

  it('is nothing where content was left out or is no recording', () => {
    assert.deepEqual(typedIn([part(A, null), part(B, 'nonsense\n[1,"i","x"]')]), []);
  });

  it('is typed up to each step, at the node of the replay; a console that is not there is a problem and no end', async () => {
    const opened: string[] = [];
    const console = new PassThrough();
    const seen: string[] = [];
    const host: ReplayHost = {
      filesDir: '',
      version: '',
      send: () => Promise.reject(new Error('nothing is sent')),
      openConsole: (path) => {
        opened.push(path);
        return opened.length === 1 ? Promise.reject(new Error('it is not started')) : Promise.resolve(console);
      },
    };
    console.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
    const ids = createIds([A]);
    const at = (second: number): string => new Date(1_700_000_000_000 + second * 1000).toISOString();
    const typed = [0, 1, 2, 3].map((n) => ({ node_id: A, at: at(n), text: String(n) }));
    const typing = createTyping(host, { projectId: 'p', ids }, typed, at(1));
    const clock = createClock(at(1), null);
    await typing.until(at(3), clock, never);
    await new Promise(setImmediate);
    assert.deepEqual([typing.problems.length, seen.join('')], [1, '2']);
    await typing.until(null, clock, never);
    await new Promise(setImmediate);
    assert.equal(seen.join(''), '23');
    assert.deepEqual([...new Set(opened)], [`/v2/projects/p/nodes/${ids.of(A)}/console/ws`]);
    typing.close();
  });
});

describe('the clock of a replay', () => {
  const at = (ms: number): string => new Date(1_700_000_000_000 + ms).toISOString();
  it('scales recorded gaps', () => {
    let now = 1000;
    const clock = createClock(at(0), 20, () => now);
    assert.equal(clock.until(at(10_000)), 500);
    now += 200;
    assert.equal(clock.until(at(10_000)), 300);
    now += 900;
    assert.equal(clock.until(at(10_000)), 0);
  });
  it('without a speed waits for nothing', async () => {
    const clock = createClock(at(0), null);
    assert.equal(clock.until(at(1e9)), 0);
    await clock.wait(at(1e9), never);
  });
  it('is cut short when aborted', async () => {
    const abort = new AbortController();
    const waiting = createClock(at(0), 1).wait(at(1e12), abort.signal);
    abort.abort();
    await waiting;
  });
});
