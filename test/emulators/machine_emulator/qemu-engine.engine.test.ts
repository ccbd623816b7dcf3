import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { getPriority } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Engine, EngineContext, KindNode, Properties, Started } from '../../../src/emulators/kit/contract.ts';
import { machineEmulator } from '../../../src/emulators/machine_emulator/kind.ts';
import { QEMU } from '../../../src/emulators/machine_emulator/qemu-engine.ts';
import { processesOf } from '../../../src/processes/end.ts';
import { markOf } from '../../../src/processes/marker.ts';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { type FabricFixture, fabricFixture } from '../../contract/fabric-fixture.ts';
import { nodeOf } from '../sample.ts';

const never = (): AbortSignal => new AbortController().signal;
const missing = (await which('qemu-system-x86_64')) === null || (await which('qemu-img')) === null;

describe(
  'machines without a guest',
  { skip: missing ? 'qemu-system-x86_64 or qemu-img is not installed' : false },
  () => {
    let fixture: FabricFixture;
    let context: EngineContext;
    let engine: Engine;
    before(async () => {
      fixture = await fabricFixture();
      const dataDir = fixture.directory;
      const consoles = { host: '127.0.0.1', range: [23_000, 23_999] as [number, number] };
      context = { fabric: await fixture.connect(), consoles, mark: await markOf(dataDir), dataDir, filesDir: dataDir };
      engine = QEMU.create(context);
      const images = path.join(dataDir, 'images', 'QEMU');
      await mkdir(images, { recursive: true });
      await promisify(execFile)('qemu-img', ['create', '-q', '-f', 'raw', path.join(images, 'disk.img'), '1440k']);
    });
    after(async () => {
      await engine.close();
      await fixture.close();
    });

    const make = (given: Properties, changes: Partial<KindNode> = {}): KindNode => {
      const node_id = randomUUID();
      const node_directory = path.join(fixture.directory, 'lab', 'project-files', 'qemu', node_id);
      const base = nodeOf(machineEmulator, { ram: 16, adapters: 1, ...given }, { node_id, ...changes });
      return { ...base, node_directory };
    };
    /** Starts a machine, looks at it, and stops it. */
    const during = async (node: KindNode, look: (started: Started) => Promise<void>): Promise<void> => {
      const started = await engine.start(node, {}, never());
      try {
        await look(started);
      } finally {
        await engine.stop(node, never());
      }
    };
    const nothing = (): Promise<void> => Promise.resolve();

    it('have placeholders replaced in their options, which stay the words that they are', async () => {
      const options = '-fw_cfg "name=opt/host,string=%vm-name% in ${ROOM}"';
      const project = { name: 'p', path: '/p', variables: [{ name: 'ROOM', value: 'a "b"' }] };
      const node = make({ options }, { name: 'db, -daemonize', project });
      await during(node, ({ command_line: line }) => {
        assert.match(line, /-fw_cfg 'name=opt\/host,string=db,, -daemonize in a "b"'/);
        return nothing();
      });
    });

    it('run with a disk on every bus of a PC, a CD-ROM and a machine of another chipset', async () => {
      const buses = [
        ['ide', 'scsi', 'sata', 'nvme'],
        ['virtio', 'usb', 'floppy', 'none'],
      ];
      for (const [n, four] of buses.entries()) {
        const disks = ['hda', 'hdb', 'hdc', 'hdd'].flatMap((disk, index): [string, unknown][] => [
          [`${disk}_disk_image`, 'disk.img'],
          [`${disk}_disk_interface`, four[index]],
        ]);
        const options = n === 0 ? '' : '-machine q35';
        const node = make({
          ...Object.fromEntries<unknown>(disks),
          cdrom_image: 'disk.img',
          boot_priority: 'cd',
          options,
        });
        await during(node, async ({ command_line }) => {
          assert.match(command_line, /media=cdrom/);
          await stat(path.join(node.node_directory ?? '', 'hdd_disk.qcow2'));
        });
      }
    });

    it('tell what QEMU says of what it cannot do', async () => {
      const wrong = make({ hda_disk_image: 'disk.img', hda_disk_interface: 'sd' });
      await assert.rejects(engine.start(wrong, {}, never()), {
        code: 'engine_failed',
        message: /does not support if=sd/,
      });
      await assert.rejects(engine.start(make({ options: '-nonsense' }), {}, never()), { message: /invalid option/ });
      assert.deepEqual(await processesOf(wrong.node_id, context.mark), []);
    });

    it('are refused with a conflict while an image is missing, or what this engine does not have is asked for', async () => {
      const refused = { status: 409 };
      await assert.rejects(engine.start(make({ hda_disk_image: 'none.img' }), {}, never()), refused);
      await assert.rejects(engine.start(make({ tpm: true }), {}, never()), { ...refused, message: /tpm/ });
      await assert.rejects(engine.start(make({ platform: 'tricore' }), {}, never()), { code: 'engine_missing' });
    });

    it('have as many adapters as the record says, each of its own type', async () => {
      const custom_adapters = [{ adapter_number: 1, adapter_type: 'virtio-net-pci', mac_address: '0c:01:02:03:04:05' }];
      const base = make({ adapters: 60 });
      const naming = { ...base, custom_adapters };
      const node = { ...naming, ports: machineEmulator.ports(base.properties, naming) };
      await during(node, async ({ command_line }) => {
        assert.match(command_line, /virtio-net-pci,id=nic1,netdev=net1,mac=0c:01:02:03:04:05/);
        const { attachments = [] } = await context.fabric.inventory();
        assert.equal(attachments.filter(({ port }) => port.node_id === node.node_id).length, 60);
      });
      await during(make({ adapters: 2, legacy_networking: true }), nothing);
      await during(make({ adapters: 0, boot_priority: 'n' }), nothing);
    });

    it('show their screen by VNC at a port that VNC can have, also once they were adopted', async () => {
      const node = make({}, { console_type: 'vnc', console: 5000 });
      await during(node, async (started) => {
        const port = started.console ?? 0;
        assert.ok(port >= 23_000 && port <= 23_999);
        const client = connect(port, '127.0.0.1');
        const [hello] = (await once(client, 'data')) as [Buffer];
        assert.match(hello.toString(), /^RFB 003\./);
        client.destroy();
        await engine.close();
        engine = QEMU.create(context);
        assert.deepEqual((await engine.adopt(node, never()))?.started, started);
      });
    });

    it('get the priority of the record', async () => {
      const nice = async (process_priority: string): Promise<number> => {
        let found = NaN;
        await during(make({ process_priority }), ({ pid }) => Promise.resolve(void (found = getPriority(pid ?? 0))));
        return found;
      };
      assert.equal(await nice('very low'), 19);
      // Only root gives a priority back.
      const own = process.getuid?.() === 0 ? 0 : getPriority();
      assert.equal(await nice('low'), Math.max(own, 5));
    });

    it('are held back by turns, and by nothing that stays behind', async () => {
      const node = make({ cpu_throttling: 30 });
      await during(node, async ({ pid }) => {
        assert.ok((await processesOf(node.node_id, context.mark)).length > 1);
        const states = new Set<string>();
        while (!(states.has('T') && states.size > 1))
          states.add(/\) (\w)/.exec(await readFile(`/proc/${pid ?? 0}/stat`, 'latin1'))?.[1] ?? '');
      });
      assert.deepEqual(await processesOf(node.node_id, context.mark), []);
    });

    it('do without a saved state that no longer fits', async () => {
      const node = make({ on_close: 'save_vm_state' });
      const state = path.join(node.node_directory ?? '', 'vm-state');
      await during(node, nothing);
      assert.ok((await stat(state)).size > 0);
      const larger = { ...node, properties: { ...node.properties, ram: 32, on_close: 'power_off' } };
      await during(larger, async ({ command_line }) => {
        assert.doesNotMatch(command_line, /-incoming/);
        await stat(`${state}.unusable`);
      });
      await during({ ...node, properties: { ...node.properties, ram: 32 } }, nothing);
      await writeFile(state, 'no state at all');
      await assert.rejects(engine.start(larger, {}, never()), { status: 409, message: /saved state was put aside/ });
      await during(larger, nothing);
    });
  },
);
