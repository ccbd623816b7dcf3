import assert from 'node:assert/strict';
import { type FileHandle, open, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { OpenFile } from '../../../src/fabric/capture/capture-file.ts';
import {
  type CastCode,
  castHeader,
  createCastEvents,
  createDecoder,
  Recorder,
} from '../../../src/fabric/console/recorder.ts';
import { Timers } from '../../../src/fabric/frames/timers.ts';
import { readCast, textOf } from '../../support/asciicast.ts';
import { temporaryDirectory } from '../lab.ts';

const NOON = Date.parse('2026-11-21T12:00:00.250Z');
const ABOUT = { title: 'PC1', node_id: 'n1', project_id: 'p1' };
const bytes = (text: string): Uint8Array => Buffer.from(text);

interface Made {
  recorder: Recorder;
  path: string;
  failures: unknown[];
  /** Puts the clock on. */
  pass: (ms: number) => void;
  text: () => Promise<string>;
}

const make = async (t: TestContext, openFile?: OpenFile, hidden = false): Promise<Made> => {
  const file = path.join(await temporaryDirectory(t), 'deep', 'er', 'a.cast');
  const timers = new Timers();
  t.after(() => timers.close());
  const failures: unknown[] = [];
  let now = NOON;
  const recorder = new Recorder({
    path: file,
    about: ABOUT,
    timers,
    clock: () => now,
    openFile,
    hidden,
    onFailed: (error) => failures.push(error),
  });
  return { recorder, path: file, failures, pass: (ms) => (now += ms), text: () => readFile(file, 'utf8') };
};

/** A disk with this much room; `unblock` lets a write go on that waits. */
const limited =
  (disk: { room: number; waits?: Promise<void> }): OpenFile =>
  async (...args) => {
    const file = await open(...args);
    const write = file.write.bind(file) as (
      ...a: [Buffer, number, number, number]
    ) => Promise<{ bytesWritten: number }>;
    const limit = async (buffer: Buffer, offset: number, length: number, position: number) => {
      await disk.waits;
      if (disk.room === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      const fits = Math.min(length, disk.room);
      disk.room -= fits;
      return write(buffer, offset, fits, position);
    };
    return Object.assign<FileHandle, object>(file, { write: limit });
  };

describe('the text of a recording', () => {
  const cut = fc.array(fc.oneof(fc.uint8Array({ maxLength: 5 }), fc.string({ unit: 'binary' }).map(bytes)));

  it('is that of the whole output, wherever its bytes were cut', () => {
    fc.assert(
      fc.property(cut, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (parts, sizes) => {
        const whole = Buffer.concat(parts);
        const decode = createDecoder();
        let text = '';
        for (let at = 0, i = 0; at < whole.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          text += decode(whole.subarray(at, at + size)) + decode(new Uint8Array(0));
          at += size;
        }
        text += decode();
        assert.equal(text, new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole));
      }),
    );
  });
});

describe('the times of a recording', () => {
  it('add up to the clock, which never goes back', () => {
    const event = fc.record({
      code: fc.constantFrom<CastCode>('o', 'i', 'm'),
      text: fc.string({ minLength: 1, unit: 'binary' }),
      step: fc.integer({ min: -2000, max: 100_000_000 }),
      take: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 50 }), (steps) => {
        const events = createCastEvents(NOON);
        let text = castHeader({ ...ABOUT, started_at: NOON });
        let now = NOON;
        let latest = NOON;
        const expected = steps.map(({ code, text: data, step, take }) => {
          if (take) text += events.take();
          now += step;
          latest = Math.max(latest, now);
          events.add(code, data, now);
          return { code, text: data, at: latest };
        });
        text += events.take();
        assert.equal(events.length, 0);
        const found = readCast(text).events;
        // Alike events of one millisecond may have been joined, and nothing else.
        let current = { code: '', text: '', at: 0 };
        for (const { code, text: data, at } of expected) {
          if (current.text === '') current = found.shift() ?? assert.fail('an event is missing');
          assert.deepEqual([current.code, current.at], [code, at]);
          assert.ok(current.text.startsWith(data));
          current = { ...current, text: current.text.slice(data.length) };
        }
        assert.deepEqual([found, current.text], [[], '']);
      }),
    );
  });
});

describe('a recorder', () => {
  it('writes a header that names the node and begins at the clock of events', async (t) => {
    const { recorder, text } = await make(t);
    await recorder.begun;
    const [line = ''] = (await text()).split('\n');
    assert.deepEqual(JSON.parse(line), {
      version: 3,
      term: { cols: 80, rows: 24 },
      timestamp: NOON / 1000 - 0.25,
      title: 'PC1',
      topolog: { node_id: 'n1', project_id: 'p1', started_at: '2026-11-21T12:00:00.250Z' },
    });
    await recorder.close();
  });

  it('has output, input and marks in their order, and an end', async (t) => {
    const { recorder, pass, text } = await make(t);
    recorder.output(bytes('PC1> '));
    pass(1500);
    recorder.mark('telnet connected');
    recorder.input(bytes('ping'));
    recorder.output(bytes('ping'));
    recorder.output(bytes(' '));
    pass(20);
    recorder.input(bytes('\r'));
    await recorder.close();
    recorder.output(bytes('afterwards'));
    assert.deepEqual(
      readCast(await text()).events.map(({ code, text: data, at }) => [code, data, at - NOON]),
      [
        ['o', 'PC1> ', 0],
        ['m', 'telnet connected', 1500],
        ['i', 'ping', 1500],
        ['o', 'ping ', 1500],
        ['i', '\r', 1520],
        ['x', '0', 1520],
      ],
    );
  });

  it('has a mark where a password was typed, which is recorded only where that was asked for', async (t) => {
    for (const hidden of [false, true]) {
      const { recorder, text } = await make(t, undefined, hidden);
      recorder.output(bytes('Password: '));
      recorder.input(bytes('hunter2'));
      recorder.input(bytes('\r'));
      recorder.output(bytes('\r\n$ '));
      await recorder.close();
      const typed = hidden ? ['i hunter2\r'] : ['m what was typed and not shown is left out', 'i \r'];
      assert.deepEqual(
        readCast(await text()).events.map(({ code, text: data }) => `${code} ${data}`),
        ['o Password: ', ...typed, 'o \r\n$ ', 'x 0'],
      );
      assert.equal((await text()).includes('hunter2'), hidden);
    }
  });

  it('holds a character back until it is whole, in each direction', async (t) => {
    const { recorder, text } = await make(t);
    const [first = 0, second = 0] = bytes('é');
    recorder.output(Uint8Array.of(first));
    recorder.input(Uint8Array.of(first));
    recorder.input(Uint8Array.of(second));
    recorder.output(Uint8Array.of(second, 0xff));
    recorder.output(Uint8Array.of(first));
    await recorder.close();
    const cast = readCast(await text());
    assert.equal(textOf(cast, 'i'), 'é');
    assert.equal(textOf(cast, 'o'), 'é\ufffd\ufffd');
  });

  it('brings what has come to the file without being closed', async (t) => {
    let written: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (written = resolve));
    const disk: OpenFile = async (...args) => {
      const file = await open(...args);
      const write = file.write.bind(file) as (...a: unknown[]) => Promise<{ bytesWritten: number }>;
      let calls = 0;
      const watched = async (...a: unknown[]) => {
        const result = await write(...a);
        // The header is the first.
        if (++calls === 2) written();
        return result;
      };
      return Object.assign(file, { write: watched });
    };
    const { recorder, text } = await make(t, disk);
    recorder.output(bytes('hello'));
    await done;
    assert.equal(textOf(readCast(await text()), 'o'), 'hello');
    await recorder.close();
  });

  it('never writes to a file that is there', async (t) => {
    const file = path.join(await temporaryDirectory(t), 'a.cast');
    await writeFile(file, 'precious');
    const timers = new Timers();
    t.after(() => timers.close());
    const failures: unknown[] = [];
    const recorder = new Recorder({ path: file, about: ABOUT, timers, onFailed: (error) => failures.push(error) });
    recorder.output(bytes('x'));
    await assert.rejects(recorder.begun, /EEXIST/);
    await recorder.close();
    assert.equal(await readFile(file, 'utf8'), 'precious');
    assert.deepEqual(failures, []);
  });

  it('leaves no file when the disk has no room for the header', async (t) => {
    const { recorder, path: file } = await make(t, limited({ room: 10 }));
    await assert.rejects(recorder.begun, /ENOSPC/);
    assert.deepEqual(await readdir(path.dirname(file)), []);
  });

  it('ends with a whole line when the disk is full, says so once, and takes no more', async (t) => {
    const disk = { room: 400 };
    const { recorder, text, failures } = await make(t, limited(disk));
    await recorder.begun;
    const first = (await text()).length;
    recorder.output(bytes('y'.repeat(1000)));
    await recorder.close();
    assert.equal(failures.length, 1);
    assert.match(String(failures[0]), /ENOSPC/);
    disk.room = 10_000;
    recorder.output(bytes('z'));
    await recorder.close();
    assert.equal((await text()).length, first);
    assert.equal(failures.length, 1);
  });

  it('gives up on a disk that does not keep up, rather than fill the memory', async (t) => {
    let unblock: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => (unblock = resolve));
    const { recorder, failures } = await make(t, limited({ room: 1e9, waits }));
    for (let i = 0; i < 20; i++) {
      recorder.output(bytes('w'.repeat(1 << 20)));
      recorder.mark('between');
    }
    assert.equal(failures.length, 1);
    assert.match(String(failures[0]), /too slow/);
    unblock();
    await recorder.close();
    assert.equal(failures.length, 1);
  });
});
