import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Properties } from '../../../src/emulators/kit/contract.ts';
import { findMarked } from '../../../src/processes/marker.ts';
import { putImage } from '../../fakes/dynamips-install.ts';
import { fault, never, type Router, routerFixture, told } from './router-fixture.ts';
import { IMAGES } from './tiny-image.ts';

const lab = routerFixture();

describe('routers of every platform', () => {
  const wics = { wic0: 'WIC-1T', wic1: 'WIC-2T' };
  const labs: [string, Properties][] = [
    ['1720', { platform: 'c1700', ...wics }],
    ['1760', { platform: 'c1700', chassis: '1760', wic0: 'WIC-1ENET' }],
    ['2610', { platform: 'c2600' }],
    ['2621XM', { platform: 'c2600', chassis: '2621XM', slot1: 'NM-4E', wic2: 'WIC-2T', ...wics }],
    ['2620 with a board of two ports', { platform: 'c2600', chassis: '2620', slot0: 'C2600-MB-2FE' }],
    ['2691', { platform: 'c2691', slot1: 'NM-4T', ...wics }],
    ['3620', { platform: 'c3600', chassis: '3620', slot0: 'NM-1FE-TX', slot1: 'NM-4T' }],
    ['3660', { platform: 'c3600', chassis: '3660', slot6: 'NM-4T' }],
    ['3725', { platform: 'c3725', slot2: 'NM-16ESW' }],
    ['3745', { platform: 'c3745', slot4: 'NM-1FE-TX', ...wics, disk0: 16 }],
    ['7200', { platform: 'c7200', slot1: 'PA-A1', slot2: 'PA-POS-OC3', slot6: 'PA-8T', npe: 'npe-200' }],
  ];
  for (const [name, given] of labs) {
    it(`start and stop, as ${name}, with every port bound`, async () => {
      const node = await lab.router(given);
      assert.ok(node.ports.length > 0);
      await lab.start(node);
      const lines = await told(node);
      // Of the last try: other tests may have taken a port.
      const made = lines.slice(lines.findLastIndex((line) => line.startsWith('vm create')));
      const bound = made.filter((line) => line.startsWith('vm slot_add_nio_binding'));
      assert.deepEqual(
        bound.map((line) => line.split(' ').slice(3, 5).map(Number)),
        node.ports.map((port) => [port.adapter_number, port.port_number]),
      );
      await lab.stop(node);
      assert.ok((await told(node)).includes('hypervisor stop'));
      const left = await readdir(node.node_directory);
      assert.deepEqual(
        left.filter((file) => /_(lock|ram)$/.test(file)),
        [],
      );
    });
  }
});

describe('a start that fails', () => {
  const failing = async (node: Router, message: RegExp, code = 'engine_failed'): Promise<void> => {
    await assert.rejects(lab.start(node), { code, status: 409, message });
    assert.equal(await lab.engine.adopt(node, never), null);
    const { attachments = [], consoles = [] } = await lab.context.fabric.inventory();
    assert.deepEqual([attachments, consoles], [[], []]);
    assert.deepEqual(await findMarked(lab.context.mark), []);
  };

  it('without its image says where it was looked for', async () => {
    const node = await lab.router({ image: 'none.image' });
    await failing(node, /image none\.image is not there; looked for in .*images\/IOS/, 'conflict');
    const missing = await lab.engine.incomplete?.(node);
    assert.deepEqual(missing, {
      needs: 'image none.image',
      install: `put the image into ${path.join(lab.directory, 'images', 'IOS')}`,
    });
    assert.equal(await lab.engine.incomplete?.(await lab.router()), null);
  });

  it('for an image that is none says so', async () => {
    putImage(lab.directory, 'text.image', Buffer.from('not a router'));
    await failing(await lab.router({ image: 'text.image' }), /text\.image is no image of a router/, 'conflict');
  });

  it('for an image of which the end is missing says so', async () => {
    const { image } = IMAGES.mips;
    for (const size of [20, image.length - 1]) {
      putImage(lab.directory, 'cut.image', image.subarray(0, size));
      const message = new RegExp(
        `cut\\.image is not whole: it has ${size} bytes of at least ${size < 52 ? 52 : image.length}`,
      );
      await failing(await lab.router({ image: 'cut.image' }), message, 'conflict');
    }
  });

  it('without memory has the words of the protocol and of the program', async () => {
    const node = await lab.router({ ram: 256 });
    await fault(node, { memory: 128 });
    await failing(node, /R1: vm start R1: 209 unable to start VM instance 'R1'.*Cannot allocate memory/s);
  });

  it('because the program dies has its last words, wherever it was', async () => {
    for (const die of ['hypervisor version', 'vm create', 'vm slot_bindings', 'vm start', 'vm get_status']) {
      const node = await lab.router();
      await fault(node, { die });
      await failing(
        node,
        new RegExp(`it ended at once \\(code 139\\).*segmentation fault in ${die.split(' ')[1] ?? ''}`, 's'),
      );
    }
  });

  it('because the program stands still ends with the abort', async () => {
    const node = await lab.router();
    await fault(node, { hang: 'vm start' });
    const controller = new AbortController();
    const starting = lab.engine.start(node, {}, controller.signal);
    const reason = new Error('it took too long');
    const log = path.join(node.node_directory, 'dynamips_log.txt');
    while (!existsSync(log) || !(await told(node)).includes('vm start R1'))
      await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await assert.rejects(starting, reason);
    assert.deepEqual(await findMarked(lab.context.mark), []);
  });

  it('because its auxiliary port is taken names it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await failing(
      await lab.router({ aux: port }),
      new RegExp(`aux: port ${port} of 127\\.0\\.0\\.1 is in use`),
      'conflict',
    );
    other.close();
  });
});

describe('a start for which a port is taken at the last moment', () => {
  it('is made again with others', async () => {
    const node = await lab.router();
    await fault(node, { taken: true });
    const started = await lab.start(node);
    const created = (await told(node)).filter((line) => line.startsWith('nio create_udp'));
    assert.ok(created.length > node.ports.length);
    assert.deepEqual(await lab.engine.adopt(node, never), { state: 'started', started });
    await lab.stop(node);
  });
});

describe('the engine', () => {
  it('tells its version, and what to install where it is not there', async () => {
    assert.equal(await lab.engine.version?.(), '0.2.23');
    lab.toggleProgram();
    try {
      assert.match((await lab.engine.missing(null))?.install ?? 'there is one installed: dynamips', /dynamips/);
    } finally {
      lab.toggleProgram();
    }
    assert.equal(await lab.engine.missing(null), null);
  });

  it('gives a bigger router more time', async () => {
    const [small, large] = [await lab.router({ ram: 128 }), await lab.router({ ram: 512 })];
    assert.ok(lab.engine.deadline(small) < lab.engine.deadline(large));
  });
});
