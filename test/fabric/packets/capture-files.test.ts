import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { CaptureFiles } from '../../../src/fabric/packets/files/capture-files.ts';
import { tempDir } from '../../support/temp.ts';

/** Of a pcap file of Ethernet (draft-ietf-opsawg-pcap). */
const header = (): Buffer => {
  const octets = Buffer.alloc(24);
  octets.writeUInt32LE(0xa1b2c3d4);
  octets.writeUInt16LE(2, 4);
  octets.writeUInt16LE(4, 6);
  octets.writeUInt32LE(65_535, 16);
  octets.writeUInt32LE(1, 20);
  return octets;
};

const record = (): Buffer => {
  const frame = Buffer.alloc(60);
  frame.writeUInt16BE(0x0806, 12);
  const octets = Buffer.alloc(16);
  octets.writeUInt32LE(1_700_000_000);
  octets.writeUInt32LE(frame.length, 8);
  octets.writeUInt32LE(frame.length, 12);
  return Buffer.concat([octets, frame]);
};

it('a capture that several filters are asked of at once shows each of them what comes later', async (t) => {
  const dir = await tempDir();
  t.after(() => dir.remove());
  const captures = path.join(dir.path, 'project-files', 'captures');
  await mkdir(captures, { recursive: true });
  const file = path.join(captures, 'one.pcap');
  await writeFile(file, header());
  const files = new CaptureFiles();
  const filters = ['', 'arp', 'ip'];
  const count = () =>
    Promise.all(
      filters.map(async (filter) => (await files.count({ projectPath: dir.path, name: 'one.pcap' }, filter)).found),
    );
  assert.deepEqual(await count(), [0, 0, 0]);
  await appendFile(file, Buffer.concat([record(), record()]));
  assert.deepEqual(await count(), [2, 2, 0]);
});
