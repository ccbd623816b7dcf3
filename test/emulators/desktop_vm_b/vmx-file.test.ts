import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseVmx, readVmx, writeVmx } from '../../../src/emulators/desktop_vm_b/vmx-file.ts';

const TEXT = [
  '#!/usr/bin/vmware',
  '.encoding = "UTF-8"',
  'config.version = "8"',
  '# a comment = "kept"',
  'displayName = "my |22router|22"',
  'Ethernet0.Present = "TRUE"',
  'unquoted = 12',
  '',
  'something VMware has not thought of',
  'annotation = "two|0D|0Alines"',
  '',
].join('\n');
const vmxOf = (text: string | Buffer) => parseVmx(Buffer.from(text));

describe('a definition file', () => {
  it('is read in any case, with its escapes', () => {
    const vmx = vmxOf(TEXT);
    assert.equal(vmx.get('DISPLAYNAME'), 'my "router"');
    assert.equal(vmx.get('ethernet0.present'), 'TRUE');
    assert.equal(vmx.get('unquoted'), '12');
    assert.equal(vmx.get('annotation'), 'two\r\nlines');
    assert.deepEqual([vmx.get('nothing'), vmx.get('# a comment'), vmx.get('something VMware')], [null, null, null]);
  });

  it('keeps what is not changed, octet by octet', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (octets) => {
        const before = Buffer.concat([Buffer.from(`${TEXT}x = "`), Buffer.from(octets), Buffer.from('"\n')]);
        // Files do not mix line ends.
        fc.pre(!octets.includes(10) && !octets.includes(13));
        assert.deepEqual(parseVmx(before).bytes(), before);
      }),
    );
  });

  it('changes a line where it is, and adds others at the end', () => {
    const vmx = vmxOf(TEXT);
    vmx.set({ 'ethernet0.present': 'FALSE', 'serial0.fileName': '/run/a b' });
    const lines = vmx.bytes().toString().split('\n');
    assert.equal(lines[5], 'ethernet0.present = "FALSE"');
    assert.deepEqual(lines.slice(-3), ['annotation = "two|0D|0Alines"', 'serial0.fileName = "/run/a b"', '']);
    assert.equal(lines.length, TEXT.split('\n').length + 1);
    vmx.delete('SERIAL0.filename');
    vmx.set({ 'Ethernet0.Present': 'TRUE' });
    assert.equal(vmx.bytes().toString(), TEXT);
  });

  it('has a key once, however often it was there', () => {
    const vmx = vmxOf('a = "1"\nA = "2"\nb = "3"');
    vmx.set({ a: '4' });
    assert.equal(vmx.bytes().toString(), 'a = "4"\nb = "3"');
  });

  it('keeps the line ends of Windows', () => {
    const vmx = vmxOf('a = "1"\r\nb = "2"\r\n');
    vmx.set({ a: '3', c: '4' });
    assert.equal(vmx.bytes().toString(), 'a = "3"\r\nb = "2"\r\nc = "4"\r\n');
  });

  it('gives every value back as it was set', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        // Half a character cannot be written in UTF-8.
        fc.pre(Buffer.from(value).toString() === value);
        const vmx = vmxOf(TEXT);
        vmx.set({ key: value });
        assert.equal(parseVmx(vmx.bytes()).get('key'), value);
      }),
    );
  });

  it('is read in the encoding that it names, and takes no more than ASCII there', () => {
    const vmx = parseVmx(Buffer.from('.encoding = "windows-1252"\ndisplayName = "M\xfcller"\n', 'latin1'));
    assert.equal(vmx.get('displayName'), 'Müller');
    assert.throws(() => vmx.set({ a: 'ü' }), { status: 409, message: /windows-1252/ });
    vmx.set({ a: 'b' });
    assert.deepEqual(
      vmx.bytes(),
      Buffer.from('.encoding = "windows-1252"\ndisplayName = "M\xfcller"\na = "b"\n', 'latin1'),
    );
    assert.equal(vmxOf('.encoding = "klingon"\na = "b"').get('a'), 'b');
  });
});

describe('a definition file on disk', () => {
  it('is replaced in one step and keeps its mode', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'topolog-vmx-'));
    try {
      const file = join(directory, 'one.vmx');
      await writeFile(file, TEXT);
      await chmod(file, 0o640);
      const vmx = await readVmx(file);
      vmx.set({ added: 'x' });
      await writeVmx(file, vmx);
      assert.equal((await stat(file)).mode & 0o777, 0o640);
      assert.match(await readFile(file, 'utf8'), /added = "x"/);
      assert.deepEqual(await readdir(directory), ['one.vmx']);
      await assert.rejects(readVmx(join(directory, 'two.vmx')), { status: 409, message: /vmx_path: there is no file/ });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
