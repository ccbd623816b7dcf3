import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { pcapHeader, writeRecord } from '../../src/fabric/capture/pcap.ts';
import { LINK, link, NODE, PROJECT, UNKNOWN } from './fake-lab.ts';
import { lab, listen, listenInEachTest, port } from './listening.ts';

listenInEachTest();

interface Told {
  number?: number;
  time?: number;
  protocol?: string;
  length?: number;
  summary?: string;
  source?: string;
  destination?: string;
  skipped?: number;
}

/** A request of ARP from 10.0.0.n for 10.0.0.9. */
const arp = (n: number): Uint8Array =>
  Buffer.from(
    `ffffffffffff0050796668${hex(n)}08060001080006040001005079666800` + `0a0000${hex(n)}0000000000000a000009`,
    'hex',
  );
const hex = (n: number): string => (n % 256).toString(16).padStart(2, '0');
const records = (from: number, count: number): Buffer => {
  const into = Buffer.alloc(count * (16 + 42));
  let at = 0;
  for (let n = from; n < from + count; n++) at = writeRecord(into, at, 1_700_000_000_000_000 + n, arp(n));
  return into;
};

describe('the packets of a capture', { timeout: 60_000 }, () => {
  let directory = '';
  let file = '';
  const sockets: WebSocket[] = [];
  const capturing = (on: boolean) => {
    const capture = { file_name: 'a.pcap', path: file, data_link_type: 'DLT_EN10MB' };
    const at = { node_id: NODE, adapter_number: 0, port_number: 0 };
    lab.records.put('link', LINK, link({ state: on ? 'capturing' : 'idle', capture: { ...capture, ...at } }));
  };
  const url = (id = LINK) => `ws://127.0.0.1:${port}/v2/projects/${PROJECT}/links/${id}/packets`;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'topolog-http-'));
    file = join(directory, 'a.pcap');
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    await rm(directory, { recursive: true });
  });

  /** What it has told; `until` resolves once that holds. */
  const look = (id = LINK) => {
    const socket = new WebSocket(url(id));
    sockets.push(socket);
    const told: Told[] = [];
    let wake = (): void => undefined;
    socket.on('message', (data: Buffer) => {
      told.push(JSON.parse(data.toString()) as Told);
      wake();
    });
    socket.on('error', () => undefined);
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds()) await new Promise<void>((resolve) => (wake = resolve));
    };
    return { socket, told, until };
  };
  const refused = async (id = LINK): Promise<[number, string]> => {
    const { socket } = look(id);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    const text = Buffer.concat((await answer.toArray()) as Buffer[]).toString();
    return [answer.statusCode ?? 0, text];
  };

  it('are told as they come, decoded, until the capture stops', async () => {
    capturing(true);
    await listen({ limits: { captureMs: 5 } });
    await writeFile(file, Buffer.concat([pcapHeader(1), records(1, 1)]));
    const { socket, told, until } = look();
    await until(() => told.length === 1);
    assert.deepEqual(told[0], {
      number: 1,
      time: 1_700_000_000.000001,
      source: '00:50:79:66:68:01',
      destination: 'ff:ff:ff:ff:ff:ff',
      protocol: 'ARP',
      length: 42,
      summary: 'Who has 10.0.0.9? Tell 10.0.0.1',
    });
    const two = records(2, 2);
    // In the middle of a record.
    await appendFile(file, two.subarray(0, 70));
    await until(() => told.length === 2);
    await appendFile(file, two.subarray(70));
    await until(() => told.length === 3);
    assert.deepEqual(
      told.map(({ number }) => number),
      [1, 2, 3],
    );
    capturing(false);
    assert.deepEqual(await once(socket, 'close'), [1000, Buffer.from('The capture has stopped')]);
  });

  it('of before are the last thousand, and say how many there were besides', async () => {
    capturing(true);
    await listen({ limits: { captureMs: 5 } });
    await writeFile(file, Buffer.concat([pcapHeader(1), records(1, 3_000)]));
    const { told, until } = look();
    await until(() => told.length === 1_001);
    assert.deepEqual(told[0], { skipped: 2_000 });
    assert.deepEqual([told[1]?.number, told.at(-1)?.number], [2_001, 3_000]);
  });

  it('too many to read are counted, and each is told or counted once', async () => {
    capturing(true);
    await listen({ limits: { captureMs: 5 } });
    await writeFile(file, pcapHeader(1));
    const { told, until } = look();
    await appendFile(file, records(1, 5_000));
    const sum = (): number => told.reduce((all, { skipped = 1 }) => all + skipped, 0);
    await until(() => sum() === 5_000);
    assert.ok(told.length < 3_000, `${told.length} told`);
    // Where packets were left out the numbers say so.
    let next = 1;
    for (const { number, skipped } of told) {
      if (skipped !== undefined) next += skipped;
      else assert.equal(number, next++);
    }
  });

  it('wait for nobody: what a client does not take is counted', async () => {
    capturing(true);
    await listen({ limits: { captureMs: 5, feedBytes: 1 } });
    await writeFile(file, pcapHeader(1));
    const { told, until } = look();
    await appendFile(file, records(1, 400));
    const sum = (): number => told.reduce((all, { skipped = 1 }) => all + skipped, 0);
    await until(() => sum() === 400);
  });

  it('of a link without a capture are a 409 that says to start one, of no link 404', async () => {
    await listen();
    capturing(false);
    const [status, text] = await refused();
    assert.equal(status, 409);
    assert.match(text, /start_capture/);
    assert.equal((await refused(UNKNOWN))[0], 404);
  });

  it('end with 1011 when the file is none', async () => {
    capturing(true);
    await listen({ limits: { captureMs: 5 } });
    await writeFile(file, 'this is no capture file, whatever its name says');
    const { socket } = look();
    assert.deepEqual(await once(socket, 'close'), [1011, Buffer.from('The capture cannot be read')]);
  });

  it('count among the listeners', async () => {
    capturing(true);
    await listen({ limits: { listeners: 1 } });
    await writeFile(file, pcapHeader(1));
    const { socket } = look();
    await once(socket, 'open');
    assert.equal((await refused())[0], 429);
    socket.close();
    await once(socket, 'close');
    for (;;) {
      const again = look();
      const opened = await Promise.race([
        once(again.socket, 'open').then(() => true),
        once(again.socket, 'close').then(() => false),
      ]);
      if (opened) break;
    }
  });
});
