import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { container } from '../../../src/emulators/container/kind.ts';
import { pack, unpack } from '../../../src/emulators/container/inside/tar.ts';
import { tempDir } from '../../support/temp.ts';
import { nodeOf } from '../sample.ts';

const run = promisify(execFile);

describe('archives of files for a container', () => {
  const entries = [
    { name: 'etc/frr/frr.conf', content: Buffer.from('hostname r1\n'), mode: 0o640 },
    { name: `${'deep/'.repeat(40)}ä.txt`, content: Buffer.alloc(1500, 7), mode: 0o755 },
    { name: 'empty', content: Buffer.alloc(0), mode: 0o644 },
  ];

  it('are what tar(1) reads', async () => {
    const dir = await tempDir();
    await writeFile(path.join(dir.path, 'a.tar'), pack(entries));
    await run('tar', ['-xf', 'a.tar'], { cwd: dir.path });
    for (const { name, content } of entries) assert.deepEqual(await readFile(path.join(dir.path, name)), content);
    const { stdout } = await run('tar', ['-tvf', 'a.tar'], { cwd: dir.path });
    assert.match(stdout, /^-rw-r-----.*frr\.conf$/m);
    await dir.remove();
  });

  it('are read as tar(1) writes them, without what is no file', async () => {
    const dir = await tempDir();
    await writeFile(path.join(dir.path, 'one'), 'first');
    await run('sh', ['-c', 'ln -s one link && tar --format=ustar -cf a.tar one link'], { cwd: dir.path });
    const found = unpack(await readFile(path.join(dir.path, 'a.tar')));
    assert.deepEqual(
      found.map(({ name, content }) => [name, content.toString()]),
      [['one', 'first']],
    );
    assert.deepEqual(unpack(pack(entries)), entries);
    await dir.remove();
  });
});

describe('what a container node says of its inside', () => {
  const refused = (given: Record<string, unknown>): string => {
    const { error } = container.properties.safeParse({ image: 'x', ...given });
    assert.ok(error, JSON.stringify(given));
    return `${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`;
  };

  it('names its ports as its interfaces', () => {
    const interfaces = [{ adapter: 1, name: 'to-r2', addresses: ['10.0.0.1/24', 'fd00::1/64'] }];
    const { ports } = nodeOf(container, { image: 'x', adapters: 3, interfaces });
    assert.deepEqual(
      ports.map(({ name }) => name),
      ['eth0', 'to-r2', 'eth2'],
    );
  });

  it('is refused by the field that cannot be used', () => {
    assert.match(refused({ interfaces: [{ adapter: 0, name: 'much-too-long-name' }] }), /^interfaces\.0\.name: /);
    assert.match(
      refused({ interfaces: [{ adapter: 0, addresses: ['10.0.0.1'] }] }),
      /^interfaces\.0\.addresses\.0: .*prefix/,
    );
    for (const wrong of ['etc/hosts', '/', '/a/../etc', '/a/..', '/a/'])
      assert.match(refused({ files: [{ path: wrong, content: '' }] }), /^files\.0\.path: /, wrong);
    assert.match(refused({ sysctls: { 'kernel.panic': '1' } }), /^sysctls/);
    assert.match(refused({ capabilities: ['all of them'] }), /^capabilities\.0: /);
  });

  it('says when it reaches beyond the container', () => {
    assert.deepEqual(container.hostUses({ capabilities: ['NET_ADMIN'] }), []);
    assert.deepEqual(container.hostUses({ capabilities: ['SYS_ADMIN'] })[0]?.field, 'capabilities');
  });
});
