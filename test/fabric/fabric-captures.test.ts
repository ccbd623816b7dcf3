import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdir, open, readFile, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { openCaptureFile, type OpenFile } from '../../src/fabric/capture/capture-file.ts';
import { FILE_HEADER, LINK_TYPES, RECORD_HEADER } from '../../src/fabric/capture/pcap.ts';
import { createWallClock } from '../../src/fabric/frames/timers.ts';
import type { CaptureSpec, Inventory, OpResult } from '../../src/fabric/protocol.ts';
import { missing } from '../support/programs.ts';
import { createLab, PROJECT, temporaryDirectory, type Lab } from './lab.ts';

interface Record {
  time: number;
  frame: string;
}

/** Reads a capture file by the format's description, not by the code under test. */
function readPcap(file: Buffer): { linkType: number; records: Record[] } {
  assert.equal(file.readUInt32LE(0), 0xa1b2c3d4);
  const records: Record[] = [];
  for (let at = 24; at < file.length;) {
    const length = file.readUInt32LE(at + 8);
    assert.equal(file.readUInt32LE(at + 12), length);
    assert.ok(file.readUInt32LE(at + 4) < 1_000_000);
    const time = file.readUInt32LE(at) * 1e6 + file.readUInt32LE(at + 4);
    records.push({ time, frame: file.toString('latin1', at + 16, at + 16 + length) });
    at += 16 + length;
    assert.ok(at <= file.length);
  }
  return { linkType: file.readUInt32LE(20), records };
}

const framesOf = async (path: string): Promise<string[]> =>
  readPcap(await readFile(path)).records.map(({ frame }) => frame);

const capture = (path: string, more: Partial<CaptureSpec> = {}): CaptureSpec => ({
  port: { node_id: 'a', adapter_number: 0, port_number: 0 },
  project_id: PROJECT,
  path,
  data_link_type: 'DLT_EN10MB',
  append: false,
  ...more,
});

const start = (lab: Lab, spec: CaptureSpec): Promise<OpResult> =>
  lab.fabric.perform({ op: 'capture.start', capture: spec });
const flush = (lab: Lab): Promise<OpResult> => lab.fabric.perform({ op: 'capture.flush', port: capture('').port });

const noTshark = await missing('tshark');

/** A file on a disk with this much room. */
async function limited(args: Parameters<OpenFile>, disk: { room: number }): Promise<FileHandle> {
  const file = await open(...args);
  const write = file.write.bind(file) as (...a: [Buffer, number, number, number]) => Promise<{ bytesWritten: number }>;
  const limit = async (buffer: Buffer, offset: number, length: number, position: number) => {
    if (disk.room === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const fits = Math.min(length, disk.room);
    disk.room -= fits;
    return write(buffer, offset, fits, position);
  };
  return Object.assign(file, { write: limit });
}

async function pair(t: TestContext): Promise<{ lab: Lab; path: string; send: (frame: string) => void }> {
  const lab = createLab(t);
  const a = await lab.probe('a');
  await lab.probe('b');
  await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
  return { lab, path: join(await temporaryDirectory(t), 'deep', 'er', 'a.pcap'), send: (frame) => a.send(frame) };
}

describe('a capture', () => {
  it('that a disk holds up is refused in time, does not hold up what comes behind it, and is undone when it opens at last', async (t) => {
    let open_: () => void = () => undefined;
    const disk = new Promise<void>((resolve) => (open_ = resolve));
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const openFile: OpenFile = async (...args) => {
      await disk;
      const file = await open(...args);
      const close = file.close.bind(file);
      return Object.assign(file, { close: () => close().finally(closed) });
    };
    const lab = createLab(t, { openFile, opDeadline: 20 });
    const path = join(await temporaryDirectory(t), 'a.pcap');
    const [refused, next] = await Promise.all([
      start(lab, capture(path)),
      lab.fabric.perform({ op: 'cable.remove', cable_id: 'w' }),
    ]);
    assert.deepEqual(refused, { ok: false, code: 'failed', message: 'capture.start did not finish within 0.02 s' });
    assert.equal(next.ok, true);
    open_();
    await gone;
    const inventory = (await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory;
    assert.deepEqual(inventory.captures, []);
  });

  it('sees what leaves before the filters and what arrives behind them', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    const directory = await temporaryDirectory(t);
    const [near, far] = [join(directory, 'a.pcap'), join(directory, 'b.pcap')];
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0'], { filters: { frequency_drop: 2 } }));
    await lab.ok(start(lab, capture(near)));
    await lab.ok(start(lab, capture(far, { port: { node_id: 'b', adapter_number: 0, port_number: 0 } })));
    for (const frame of ['1', '2', '3', '4']) a.send(frame);
    await b.received(2);
    for (const port of ['a', 'b'])
      await lab.ok(
        lab.fabric.perform({ op: 'capture.flush', port: { node_id: port, adapter_number: 0, port_number: 0 } }),
      );
    assert.deepEqual(await framesOf(near), ['1', '2', '3', '4']);
    assert.deepEqual(await framesOf(far), ['1', '3']);
  });

  it('has a whole header before the first frame, for each data link type', async (t) => {
    const { lab, path } = await pair(t);
    for (const [name, number] of Object.entries(LINK_TYPES)) {
      await lab.ok(start(lab, capture(path, { data_link_type: name })));
      assert.deepEqual(readPcap(await readFile(path)), { linkType: number, records: [] });
      await lab.ok(lab.fabric.perform({ op: 'capture.stop', port: capture('').port }));
    }
    const wrong = await start(lab, capture(path, { data_link_type: 'DLT_NONE' }));
    assert.ok(!wrong.ok && wrong.code === 'invalid');
  });

  it('goes on while its node and its cable come and go', async (t) => {
    const { lab, path, send } = await pair(t);
    await lab.ok(start(lab, capture(path)));
    send('1');
    await lab.ok(lab.fabric.perform({ op: 'node.stop', node_id: 'a' }));
    await lab.ok(lab.fabric.perform({ op: 'cable.remove', cable_id: 'w' }));
    const again = await lab.probe('a');
    again.send('2');
    await lab.ok(flush(lab));
    assert.deepEqual(await framesOf(path), ['1', '2']);
  });

  it('is fine to be asked for again and refuses another at its port', async (t) => {
    const { lab, path } = await pair(t);
    await lab.ok(start(lab, capture(path)));
    await lab.ok(start(lab, capture(path, { append: true })));
    const other = await start(lab, capture(`${path}.2`));
    assert.ok(!other.ok && other.code === 'exists');
    const inventory = (await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory;
    assert.deepEqual(inventory.captures, [capture(path)]);
    for (let n = 0; n < 2; n++) await lab.ok(lab.fabric.perform({ op: 'capture.stop', port: capture('').port }));
  });

  it('goes on with an existing file behind its last whole record', async (t) => {
    const { lab, path, send } = await pair(t);
    await lab.ok(start(lab, capture(path)));
    send('first');
    send('second');
    await lab.ok(lab.fabric.perform({ op: 'capture.stop', port: capture('').port }));
    const whole = await readFile(path);
    // Torn within the last record's frame, and within its header; then with rubbish behind.
    for (const torn of [whole.length - 2, whole.length - 10]) {
      await truncate(path, torn);
      await lab.ok(start(lab, capture(path, { append: true })));
      send('third');
      await lab.ok(lab.fabric.perform({ op: 'capture.stop', port: capture('').port }));
      const { records } = readPcap(await readFile(path));
      assert.deepEqual(records.map(({ frame }) => frame).slice(-1), ['third']);
      assert.equal(records[0]?.frame, 'first');
      assert.ok(records.every(({ time }, n) => time >= (records[n - 1]?.time ?? 0)));
      await writeFile(path, whole);
    }
    await appendFile(path, Buffer.alloc(400, 0xee));
    await lab.ok(start(lab, capture(path, { append: true })));
    await lab.ok(lab.fabric.perform({ op: 'capture.stop', port: capture('').port }));
    assert.deepEqual(await readFile(path), whole);
  });

  it('begins a file that has no whole header, and does not touch one that is no capture', async (t) => {
    const { lab, path } = await pair(t);
    await lab.ok(start(lab, capture(path, { append: true })));
    await lab.ok(lab.fabric.perform({ op: 'capture.stop', port: capture('').port }));
    await truncate(path, 5);
    await lab.ok(start(lab, capture(path, { append: true })));
    await lab.ok(lab.fabric.perform({ op: 'capture.stop', port: capture('').port }));
    assert.equal((await readFile(path)).length, FILE_HEADER);
    await writeFile(path, 'a letter to somebody, not a capture');
    const refused = await start(lab, capture(path, { append: true }));
    assert.ok(!refused.ok && refused.code === 'disk' && refused.message.includes('not a pcap file'));
    assert.equal(await readFile(path, 'utf8'), 'a letter to somebody, not a capture');
  });

  it('finds the end of a file larger than what is read at once', async (t) => {
    const path = join(await temporaryDirectory(t), 'large.pcap');
    const options = { path, linkType: 1, onBuffered: () => undefined };
    const frame = new Uint8Array(60_000).fill(0x61);
    const first = await openCaptureFile({ ...options, append: false });
    for (let n = 0; n < 60; n++) first.write(frame, n);
    await first.close();
    const whole = FILE_HEADER + 60 * (RECORD_HEADER + frame.length);
    await truncate(path, whole - 1);
    const second = await openCaptureFile({ ...options, append: true });
    second.write(Buffer.from('end'), 100);
    await second.close();
    const { records } = readPcap(await readFile(path));
    assert.deepEqual([records.length, records[58]?.frame.length, records[59]?.frame], [60, 60_000, 'end']);
  });

  it('drops what a slow disk leaves no room for, and counts it', async (t) => {
    const path = join(await temporaryDirectory(t), 'slow.pcap');
    const file = await openCaptureFile({
      path,
      linkType: 1,
      append: false,
      onBuffered: () => undefined,
      capacity: 1000,
    });
    for (let n = 0; n < 10; n++) file.write(new Uint8Array(200), n);
    assert.deepEqual([file.frames, file.dropped], [4, 6]);
    await file.flush();
    file.write(new Uint8Array(200), 10);
    await file.close();
    assert.equal((await framesOf(path)).length, 5);
  });

  it('that cannot be opened is refused', async (t) => {
    const { lab, path } = await pair(t);
    await mkdir(path, { recursive: true });
    const blocked = await start(lab, capture(path));
    assert.ok(!blocked.ok && blocked.code === 'disk' && blocked.message.includes(path));
  });

  it('ends with an event and a whole last record when the disk is full, and everything else goes on', async (t) => {
    const disk = { room: Infinity };
    const lab = createLab(t, { openFile: (...args) => limited(args, disk) });
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    const path = join(await temporaryDirectory(t), 'full.pcap');
    await lab.ok(start(lab, capture(path)));
    a.send('written');
    await lab.ok(flush(lab));
    disk.room = 20;
    a.send('half of this fits');
    const failed = await flush(lab);
    assert.ok(!failed.ok && failed.code === 'disk');
    assert.deepEqual(
      lab.events.map(({ type }) => type),
      ['capture.failed'],
    );
    assert.deepEqual(await framesOf(path), ['written']);
    a.send('still carried');
    await b.received(3);
    assert.deepEqual(((await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory).captures, []);
    // Without being asked to flush, too.
    disk.room = Infinity;
    await lab.ok(start(lab, capture(path)));
    disk.room = 0;
    a.send('never written');
    while (lab.events.length < 2) await new Promise((resolve) => setImmediate(resolve));
  });

  it('is readable by tshark while it grows', { skip: noTshark }, async (t) => {
    const { lab, path, send } = await pair(t);
    await lab.ok(start(lab, capture(path)));
    const read = async (): Promise<string[]> => {
      const { stdout } = await promisify(execFile)('tshark', [
        '-n',
        '-r',
        path,
        '-T',
        'fields',
        '-e',
        'eth.type',
        '-e',
        'frame.len',
      ]);
      return stdout.split('\n').filter((line) => line !== '');
    };
    assert.deepEqual(await read(), []);
    send(`${'\u0001'.repeat(12)}\u0008\u0006${'x'.repeat(46)}`);
    await lab.ok(flush(lab));
    assert.deepEqual(await read(), ['0x0806\t60']);
  });
});

describe('the time of captures', () => {
  it('runs with the monotonic clock, whatever happens to the wall clock', () => {
    let [monotonic, wall] = [5, 1_700_000_000_000];
    const clock = createWallClock(
      () => monotonic,
      () => wall,
    );
    assert.equal(clock.now(), 1_700_000_000_000_000);
    wall -= 3_600_000;
    monotonic += 1.5;
    assert.equal(clock.now(), 1_700_000_000_001_500);
  });
});
