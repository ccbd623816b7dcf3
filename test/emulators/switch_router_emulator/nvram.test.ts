import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import {
  exportConfigs,
  importConfigs,
  lastIdOf,
  nvramSize,
  renameFiles,
} from '../../../src/emulators/switch_router_emulator/files/configs.ts';
import { uncompress } from '../../../src/emulators/switch_router_emulator/files/lzc.ts';
import { readNvram, writeNvram } from '../../../src/emulators/switch_router_emulator/files/nvram.ts';
import { savedNvram, startupIn } from '../../fakes/iou-nvram.ts';
import { missing } from '../../support/programs.ts';
import { tempDir } from '../../support/temp.ts';

/** A text, and what `compress -b 12` has made of it. */
const PLAIN = Array.from(
  { length: 16 },
  (_, n) =>
    `interface Ethernet${Math.floor(n / 4)}/${n % 4}\n ip address 10.${n}.${(n * 7) % 256}.1 255.255.255.0\n!\n`,
).join('');
const COMPRESSED = Buffer.from(
  'H52MadzQKSPHTJgxZUAUoYOGoJsydGC8gKEARBo4IMKQISOnzJw5IGLAcDFyZAwQMmrUcJFyZUuSCkIoCDiw4MGECxvKeRjxRYyKFzNu7PgxpEkXN1' +
    'ycfMlUJUyZNAkaRKiQoUOIEmUAxaiRo0eQIlkqpaEUpdOmKylCFSj1ZlWdPCXO2CrUa9GwM1jGKIuWpVO1M9napJrzKp0YE+l2JQp2JFkZOPie' +
    'nZw2ZuCaU3Fa3QkR8U+LXId+Nepi5YyVSyn7rbwWs9vCnA+/0Aq6LmPSNlzQkCHZpWrAUQdrhtv5xdzai0eHTUojR+/V0IELzvzWsIzEyEXfHRm5' +
    'Ru7UvsM/vdyW8Gae1z8HTb7dhXMbecFDfyndtXnidK7TXq+9sdKRN5hklnj0WRYcdbChZ5xi/ZEWw143JCVfX/WVN5xhM2DHn13+xcAbDmRN+JuB' +
    '0712HkQZqhcahw7mlcNeIopXoXDVxZbhfiveFlYMZOUQWYzRkWjfhTYumB2LO6IGA2oDzveXZQ==',
  'base64',
);
const noCompress = await missing('compress');
const text = (value: string): Buffer => Buffer.from(value);

describe('compressed configurations', () => {
  it('are taken apart', () => assert.equal(uncompress(COMPRESSED).toString(), PLAIN));

  it('are what compress makes of any text', { skip: noCompress }, () => {
    const pressed = (input: Buffer, bits: number): Buffer =>
      execFileSync('compress', ['-f', '-c', '-b', `${bits}`], {
        input,
        maxBuffer: 1e7,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
    const wide = fc.uint8Array({ minLength: 1, maxLength: 3_000 });
    fc.assert(
      fc.property(wide, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 10, max: 16 }), (octets, times, bits) => {
        const input = Buffer.concat(
          Array.from({ length: times }, (_, n) => Buffer.from(octets.map((o) => o ^ (n % 7)))),
        );
        assert.ok(uncompress(pressed(input, bits)).equals(input));
      }),
      { numRuns: 30 },
    );
  });

  it('are refused when they are something else', () => {
    for (const bad of [Buffer.alloc(0), text('hostname'), Buffer.from([0x1f, 0x9d, 0x89, 1, 2])])
      assert.throws(() => uncompress(bad), Error);
    assert.throws(() => uncompress(Buffer.from([0x1f, 0x9d, 0x8c, 0xff, 0xff, 0xff])), /not in the table/);
  });
});

describe('NVRAM', () => {
  it('has what was written, as the image reads it', () => {
    const nvram = writeNvram(null, { startup: text('hostname R1\n'), private: text('crypto') }, 64);
    assert.equal(nvram.length, 64 * 1024);
    assert.equal(startupIn(nvram), 'hostname R1\n[private crypto]');
  });

  it('gives back what was written, at any length', () => {
    const octets = fc.uint8Array({ maxLength: 900 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(octets, octets, octets, (first, second, secret) => {
        const once = writeNvram(null, { startup: first, private: null }, 16);
        const twice = writeNvram(once, { startup: second, private: secret }, 16);
        const read = readNvram(twice);
        assert.deepEqual(read, { startup: second, private: secret });
        assert.notEqual(startupIn(twice), '[bad checksum]');
      }),
    );
  });

  it('is read as an image has written it', () => {
    const read = readNvram(savedNvram(64, 'hostname Saved\n\n'));
    assert.deepEqual([read?.startup.toString(), read?.private?.length], ['hostname Saved\n\n', 0]);
  });

  it('is read where the image has compressed it, or stands at high addresses', () => {
    const nvram = writeNvram(null, { startup: COMPRESSED, private: text('p') }, 64);
    nvram.writeUInt16BE(2, 2);
    assert.equal(readNvram(nvram)?.startup.toString(), PLAIN);
    const high = writeNvram(null, { startup: text('hostname'), private: text('p') }, 64);
    high.writeUInt32BE(0xf000_0024, 8);
    const again = writeNvram(high, { startup: text('hostname R'), private: text('q') }, 64);
    // Two octets to the next word, and four more.
    assert.equal(again.readUInt16BE(36 + 10 + 6), 0xfedc);
    assert.deepEqual(readNvram(again), { startup: text('hostname R'), private: text('q') });
  });

  it('keeps the files that are in it, and says when a text does not fit before them', () => {
    const before = writeNvram(null, { startup: text('a'), private: null }, 16);
    const at = 8 * 1024 - 3 * 1024;
    before.set([0xdc, 0xba, 0, 1, 0, 0, 0, 5], at);
    before.write('files', at + 32);
    const configs = { startup: Buffer.alloc(4_000, 'x'), private: null };
    assert.equal(writeNvram(before, configs, 16).toString('latin1', at + 32, at + 37), 'files');
    const large = { startup: Buffer.alloc(5_200, 'x'), private: null };
    assert.throws(() => writeNvram(before, large, 16), /has room for 5120/);
    assert.equal(startupIn(writeNvram(null, large, 16)).length, 5_200 + '[private ]'.length);
    assert.throws(() => writeNvram(null, large, 7), /8 to 1024 KB/);
  });

  it('is nothing where it is empty, broken or cut off', () => {
    const whole = writeNvram(null, { startup: text('hostname R1\n'), private: null }, 16);
    for (const bad of [Buffer.alloc(0), Buffer.alloc(1024), Buffer.alloc(1024, 0xff), whole.subarray(0, 40)])
      assert.equal(readNvram(bad), null);
  });
});

const directory = async (t: TestContext, files: Record<string, string | Buffer>): Promise<string> => {
  const temp = await tempDir();
  t.after(temp.remove);
  await mkdir(temp.path, { recursive: true });
  // Each is a second newer than the one before.
  for (const [n, [name, content]] of Object.entries(files).entries()) {
    await writeFile(path.join(temp.path, name), content);
    await utimes(path.join(temp.path, name), 1_000 + n, 1_000 + n);
  }
  return temp.path;
};
const read = async (dir: string, name: string): Promise<string> => readFile(path.join(dir, name), 'utf8');

describe('configurations of a node', () => {
  it('are put into its NVRAM before it starts', async (t) => {
    const dir = await directory(t, { 'startup-config.cfg': 'hostname R1\n', 'private-config.cfg': 'secret' });
    await importConfigs(dir, 7, async () => 64);
    assert.equal(startupIn(await readFile(path.join(dir, 'nvram_00007'))), 'hostname R1\n[private secret]');
    assert.equal(await nvramSize(dir, 7), 64);
  });

  it('replace what it has saved when they were changed since', async (t) => {
    const saved = savedNvram(64, 'hostname Saved\n\n');
    const dir = await directory(t, { nvram_00007: saved, 'startup-config.cfg': 'hostname New' });
    await importConfigs(dir, 7, async () => 64);
    assert.equal(startupIn(await readFile(path.join(dir, 'nvram_00007'))), 'hostname New[private ]');
    assert.equal(await read(dir, 'startup-config.cfg'), 'hostname New');
  });

  it('follow what it has saved while nobody was there', async (t) => {
    const saved = savedNvram(64, 'hostname Saved\n\n');
    const dir = await directory(t, { 'startup-config.cfg': 'hostname Old', nvram_00007: saved });
    await importConfigs(dir, 7, () => assert.fail('nothing is written'));
    assert.equal(await read(dir, 'startup-config.cfg'), 'hostname Saved\n\n');
    assert.ok((await readFile(path.join(dir, 'nvram_00007'))).equals(saved));
    // Now the texts are the newer ones.
    assert.equal(await exportConfigs(dir, 7), false);
  });

  it('stay as they are where the NVRAM has none, and it stays empty where they are', async (t) => {
    const dir = await directory(t, { 'startup-config.cfg': 'hostname R1', nvram_00007: Buffer.alloc(65_536) });
    assert.equal(await exportConfigs(dir, 7), false);
    assert.equal(await read(dir, 'startup-config.cfg'), 'hostname R1');
    const empty = await directory(t, { 'startup-config.cfg': '', 'private-config.cfg': 'x' });
    await importConfigs(empty, 7, async () => 64);
    assert.equal(await nvramSize(empty, 7), null);
  });

  it('go with it when it runs under another application id', async (t) => {
    const dir = await directory(t, { nvram_00007: 'n', 'vlan.dat-00007': 'v', 'other-00007': 'o' });
    assert.equal(await lastIdOf(dir), 7);
    await renameFiles(dir, 300);
    assert.deepEqual((await readdir(dir)).sort(), ['nvram_00300', 'other-00007', 'vlan.dat-00300']);
    assert.equal(await lastIdOf(dir), 300);
    await renameFiles(dir, 300);
    assert.equal(await read(dir, 'nvram_00300'), 'n');
  });

  it('are those saved last where there are two', async (t) => {
    const dir = await directory(t, { nvram_00007: 'older', nvram_00008: 'newer' });
    await renameFiles(dir, 8);
    assert.deepEqual(await readdir(dir), ['nvram_00008']);
    assert.equal(await read(dir, 'nvram_00008'), 'newer');
  });
});
