import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pcapHeader, writeRecord } from '../../src/fabric/capture/pcap.ts';
import { arp, echo, ethernet, FRAMES, tcp } from '../fabric/packets/frames.ts';
import { LINK, link, NODE, PROJECT, project } from './fake-lab.ts';
import { lab, listen, listenInEachTest, port } from './listening.ts';

listenInEachTest();

interface Field {
  name: string;
  text: string;
  at: number;
  length: number;
  fields: Field[];
}
interface Answer {
  total: number;
  scanned: number;
  found: number;
  complete: boolean;
  decoded_by: string;
  packets: { number: number; protocol: string; time: number; file_name?: string; link_id?: string | null }[];
  fields: Field[];
  bytes: string;
  conversation: string;
  followed: boolean;
  ends: { address: string; port: number | null }[];
  parts: { number: number; end: number; bytes: string }[];
  conversations: {
    protocol: string;
    frames: number[];
    octets: number[];
    filter: string;
    first: number;
    last: number;
  }[];
  captures: number;
  message: string;
  field: string;
  at: number;
  length: number;
}

const START = 1_700_000_000_000_000;
const records = (frames: readonly Uint8Array[], from = START): Buffer => {
  const into = Buffer.alloc(frames.reduce((sum, frame) => sum + 16 + frame.length, 0));
  frames.reduce((at, frame, index) => writeRecord(into, at, from + index * 1000, frame), 0);
  return into;
};

describe('the packets of capture files', { timeout: 60_000 }, () => {
  let directory = '';
  let folder = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'topolog-http-'));
    folder = join(directory, 'project-files', 'captures');
    await mkdir(folder, { recursive: true });
    lab.records.put('project', PROJECT, project({ path: directory }));
    await listen();
  });
  afterEach(() => rm(directory, { recursive: true }));

  const write = (name: string, frames: readonly Uint8Array[], from = START): Promise<void> =>
    writeFile(join(folder, name), Buffer.concat([pcapHeader(1), records(frames, from)]));
  const ask = async (path: string, status = 200): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v2/projects/${PROJECT}/${path}`);
    const body = (await answer.json()) as Answer;
    assert.equal(answer.status, status, JSON.stringify(body));
    return body;
  };
  const all = async (path: string): Promise<Answer> => {
    for (;;) {
      const answer = await ask(path);
      if (answer.complete) return answer;
    }
  };
  const filtered = (filter: string, name = 'a.pcap'): string =>
    `captures/${name}/packets?filter=${encodeURIComponent(filter)}`;
  const echoes = (count: number): Uint8Array[] => Array.from({ length: count }, (_, n) => echo(n + 1));

  it('come in pages, of a filter only what it lets through, and as many more as the file gets', async () => {
    await write('a.pcap', [...echoes(300), ethernet(0x0806, arp)]);
    const page = await all('captures/a.pcap/packets?from=250&count=30');
    assert.deepEqual([page.total, page.found, page.packets.length, page.packets[0]?.number], [301, 301, 30, 251]);
    assert.deepEqual(
      (await all('captures/a.pcap/packets?from=300&count=30')).packets.map((one) => one.protocol),
      ['ARP'],
    );
    const found = await all(filtered('icmp.seq in {5, 290..400}'));
    assert.deepEqual([found.found, found.packets[0]?.number, found.packets[1]?.number], [12, 5, 290]);
    assert.equal(found.decoded_by, 'topolog');
    const more = records([echo(299)], START + 1e9);
    await appendFile(join(folder, 'a.pcap'), more.subarray(0, 20));
    assert.equal((await all(filtered('icmp.seq in {5, 290..400}'))).found, 12);
    await appendFile(join(folder, 'a.pcap'), more.subarray(20));
    const grown = await all(filtered('icmp.seq in {5, 290..400}'));
    assert.deepEqual([grown.found, grown.total], [13, 302]);
  });

  it('of a file that was begun again are those of the new one', async () => {
    await write('a.pcap', echoes(5));
    assert.equal((await all(filtered('icmp'))).found, 5);
    await write('a.pcap', [ethernet(0x0806, arp), ...echoes(8)], START + 5e9);
    assert.deepEqual([(await all(filtered('icmp'))).found, (await all(filtered('arp'))).found], [8, 1]);
  });

  it('are shown as a tree with offsets into their octets', async () => {
    await write('a.pcap', [FRAMES['dns'] ?? new Uint8Array(0)]);
    const { fields, bytes, conversation, followed } = await ask('captures/a.pcap/packets/1');
    const dns = fields.find(({ name }) => name === 'dns')?.fields.find(({ name }) => name === 'dns.qry');
    const name = dns?.fields.find((field) => field.name === 'dns.qry.name');
    assert.equal(name?.text, 'host.example');
    const octets = Buffer.from(bytes, 'base64').subarray(name.at, name.at + name.length);
    assert.deepEqual(octets, Buffer.from('\u0004host\u0007example\0'));
    assert.equal(conversation, 'ip.addr == 10.0.0.1 && ip.addr == 10.0.0.2 && udp.port == 53 && udp.port == 40003');
    assert.equal(followed, true);
    assert.equal((await all(filtered(conversation))).found, 1);
    await ask('captures/a.pcap/packets/2', 404);
    await ask('captures/a.pcap/packets/x', 400);
  });

  it('say what is wrong with a filter, and where', async () => {
    await write('a.pcap', echoes(1));
    const { field, at, length, message } = await ask(filtered('icmp && (ip.ttl == 3'), 400);
    assert.deepEqual([field, at, length], ['filter', 8, 1]);
    assert.match(message, /there is no \) for this \(/);
    assert.equal((await ask(`packets?filter=${encodeURIComponent('arp ||')}`, 400)).at, 6);
  });

  it('of a conversation are followed: each octet once, in order, by who says it', async () => {
    const said = [
      tcp(100, '', { syn: true }),
      tcp(101, 'GET / '),
      tcp(101, 'GET / HT'),
      echo(1),
      tcp(900, 'HTTP/1.1 200', { back: true }),
      tcp(101, 'GET / HT'),
      tcp(109, 'TP/1.1'),
    ];
    await write('a.pcap', said);
    const { ends, parts } = await ask('captures/a.pcap/packets/5/conversation');
    assert.deepEqual(ends, [
      { address: '10.0.0.1', port: 40_000 },
      { address: '10.0.0.2', port: 80 },
    ]);
    const text = parts.map(({ number, end, bytes }) => [number, end, Buffer.from(bytes, 'base64').toString()]);
    assert.deepEqual(text, [
      [2, 0, 'GET / '],
      [3, 0, 'HT'],
      [5, 1, 'HTTP/1.1 200'],
      [7, 0, 'TP/1.1'],
    ]);
    await ask('captures/a.pcap/packets/4/conversation', 400);
  });

  it('are counted by conversation, in both directions', async () => {
    await write('a.pcap', [
      tcp(1, 'a request'),
      tcp(9, 'an answer', { back: true }),
      tcp(10, 'd'),
      FRAMES['udp'] ?? new Uint8Array(0),
    ]);
    const { conversations } = await all('captures/a.pcap/conversations');
    assert.deepEqual(
      conversations.map(({ protocol, frames, octets }) => [protocol, frames, octets]),
      [
        ['tcp', [2, 1], [63 + 55, 63]],
        ['udp', [1, 0], [47, 0]],
      ],
    );
    assert.equal((await all(filtered(conversations[0]?.filter ?? ''))).found, 3);
    const byAddress = await all('captures/a.pcap/conversations?layer=ip&filter=udp');
    assert.deepEqual(
      byAddress.conversations.map(({ frames }) => frames),
      [[1, 0]],
    );
    await ask('captures/a.pcap/conversations?layer=moon', 400);
  });

  it('are found in all captures at once, in order of time, and on every link they passed', async () => {
    await write('a.pcap', [echo(1), echo(2, 64), echo(3)]);
    await write('b.pcap', [echo(7), echo(2, 63)], START + 500);
    await writeFile(join(folder, 'notes.txt'), 'this is no capture, whatever lies around it');
    const at = { node_id: NODE, adapter_number: 0, port_number: 0 };
    const capture = (name: string) => ({
      file_name: name,
      path: join(folder, name),
      data_link_type: 'DLT_EN10MB',
      ...at,
    });
    const other = LINK.replace(/.$/, 'f');
    lab.records.put('link', LINK, link({ capture: capture('a.pcap'), state: 'capturing' }));
    lab.records.put('link', other, link({ link_id: other, capture: capture('b.pcap') }));
    const { packets, captures, found } = await all('packets?filter=icmp.seq%20%3C%203');
    assert.deepEqual(
      packets.map(({ file_name, number }) => [file_name, number]),
      [
        ['a.pcap', 1],
        ['a.pcap', 2],
        ['b.pcap', 2],
      ],
    );
    assert.deepEqual([captures, found, packets[2]?.link_id], [2, 3, other]);
    const met = (await ask('captures/b.pcap/packets/2/journey')) as unknown as { file_name: string; link_id: string }[];
    assert.deepEqual(
      met.map(({ file_name, link_id }) => [file_name, link_id]),
      [
        ['a.pcap', LINK],
        ['b.pcap', other],
      ],
    );
    const list = (await ask('captures')) as unknown as {
      file_name: string;
      capturing: boolean;
      link_id: string | null;
    }[];
    assert.deepEqual(list.map(({ file_name, capturing }) => [file_name, capturing]).toSorted(), [
      ['a.pcap', true],
      ['b.pcap', false],
      ['notes.txt', false],
    ]);
  });

  it('are of files of the project only', async () => {
    await writeFile(join(directory, 'secret.pcap'), pcapHeader(1));
    await symlink('/etc/hostname', join(folder, 'out.pcap'));
    await writeFile(join(folder, 'text.pcap'), 'this is no capture file, whatever its name says');
    await ask('captures/..%2F..%2Fsecret.pcap/packets', 400);
    await ask('captures/out.pcap/packets', 404);
    await ask('captures/missing.pcap/packets', 404);
    assert.match((await ask('captures/text.pcap/packets', 400)).message, /no capture file/);
  });
});
