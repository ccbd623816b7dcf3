import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pcapHeader, writeRecord } from '../../../src/fabric/capture/pcap.ts';
import { dissect } from '../../../src/fabric/packets/fields/dissect.ts';
import type { Field } from '../../../src/fabric/packets/fields/field.ts';
import { DESCRIBED } from '../../../src/fabric/packets/fields/names.ts';
import { textOf } from '../../../src/fabric/packets/fields/tree.ts';
import { CaptureFiles } from '../../../src/fabric/packets/files/capture-files.ts';
import { makeTemp } from '../../support/temp.ts';
import { FRAMES } from './frames.ts';

const MISSING = spawnSync('tshark', ['--version']).error === undefined ? false : 'tshark is not installed';
const NAMES = Object.keys(FRAMES);
/** Fields of ours that Wireshark says in another way, or of a part that it does not take apart. */
const OTHERWISE = new Set(['frame.time_epoch', 'stp.msg_age', 'data.len', 'ieee8021ad.type', 'dhcp.option.type']);

const every = (fields: readonly Field[]): Field[] => fields.flatMap((field) => [field, ...every(field.fields)]);
const number = (text: string): number | string => (/^(0x[0-9a-f]+|-?\d+(\.\d+)?)$/i.test(text) ? Number(text) : text);
const truth = (text: string): string => ({ True: '1', False: '0' })[text] ?? text;

describe('tshark and we', { skip: MISSING, timeout: 240_000 }, () => {
  let directory = '';
  let file = '';
  before(async () => {
    directory = await makeTemp('topolog-tshark-');
    const folder = path.join(directory, 'project-files', 'captures');
    mkdirSync(folder, { recursive: true });
    file = path.join(folder, 'all.pcap');
    const records = Object.values(FRAMES).map((frame, index) => {
      const record = Buffer.alloc(16 + frame.length);
      writeRecord(record, 0, (index + 1) * 1_000_000, frame);
      return record;
    });
    writeFileSync(file, Buffer.concat([pcapHeader(1), ...records]));
  });
  after(() => rmSync(directory, { recursive: true }));
  const tshark = (...args: string[]): string =>
    execFileSync('tshark', ['-n', '-r', file, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

  it('have the same names and the same values', () => {
    for (const [index, name] of NAMES.entries()) {
      const bytes = FRAMES[name] ?? new Uint8Array(0);
      const fields = every(dissect(1, { number: index + 1, time: index + 1, length: bytes.length, bytes }));
      const asked = [...new Set(fields.map((field) => field.name))].filter((one) => {
        const sort = DESCRIBED.get(one)?.sort;
        return sort !== 'protocol' && sort !== 'octets' && !OTHERWISE.has(one);
      });
      const columns = asked.flatMap((field) => ['-e', field]);
      const row = tshark('-Y', `frame.number == ${index + 1}`, '-T', 'fields', '-E', 'aggregator=;', ...columns);
      const values = row.replace(/\n$/, '').split('\t');
      for (const [column, field] of asked.entries()) {
        const ours = fields
          .filter((one) => one.name === field)
          .map((one) =>
            typeof one.value === 'number' && !/mac|ipv4/.test(DESCRIBED.get(field)?.sort ?? '')
              ? one.value
              : textOf(one, bytes),
          );
        const theirs = (values[column] ?? '').split(';').map((text) => number(truth(text)));
        assert.deepEqual(ours, theirs, `${field} of ${name}`);
      }
    }
  });

  it('find the same frames by a filter', async () => {
    const files = new CaptureFiles();
    const filters = [
      'arp || vlan.id == 20',
      'ip.addr == 10.0.0.2 && !icmp',
      'udp.port in {53, 67..68}',
      'ip.src != 10.0.0.1',
      'dns.qry.name contains "example"',
      'frame contains "hello" or stp',
      'tcp.flags.syn == 1 and tcp.len == 0',
      'ipv6.dst == ff02::/16',
      'eth.src == 00:50:79:66:68:00 && frame.len > 60',
    ];
    for (const filter of filters) {
      const theirs = (tshark('-Y', filter, '-T', 'fields', '-e', 'frame.number').match(/\d+/g) ?? []).map(Number);
      const asked = { filter, from: 0, count: 100 };
      const { packets, decoded_by } = await files.page({ projectPath: directory, name: 'all.pcap' }, asked);
      assert.equal(decoded_by, 'topolog');
      assert.deepEqual(
        packets.map((packet) => packet.number),
        theirs,
        filter,
      );
    }
  });

  it('share the work: what is not ours it filters, and it shows each field with its place', async () => {
    const files = new CaptureFiles();
    const at = { projectPath: directory, name: 'all.pcap' };
    const asked = { filter: 'http.host == "a"', from: 0, count: 100 };
    let page = await files.page(at, asked);
    while (!page.complete) page = await files.page(at, asked);
    assert.deepEqual(
      [page.decoded_by, page.packets.map((packet) => packet.number)],
      ['tshark', [NAMES.indexOf('http') + 1]],
    );
    await assert.rejects(files.page(at, { ...asked, filter: 'arp && no.such == 1' }), /no\.such/);
    const packet = await files.packet(at, NAMES.indexOf('icmp') + 1, 'tshark');
    assert.deepEqual([packet.decoded_by, packet.decoders], ['tshark', ['topolog', 'tshark']]);
    const ip = packet.fields.find(({ name }) => name === 'ip')?.fields.find(({ name }) => name === 'ip.src');
    assert.deepEqual([ip?.at, ip?.length, ip?.text], [26, 4, '10.0.0.1']);
  });
});
