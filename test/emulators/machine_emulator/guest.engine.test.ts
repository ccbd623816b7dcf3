import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { processesOf } from '../../../src/processes/end.ts';
import { markOf } from '../../../src/processes/marker.ts';
import { type Console, openConsole } from '../../support/console.ts';
import { fabricPid } from '../../support/fabric-pid.ts';
import { findGuest, type Guest, GUEST_COMMAND_LINE, GUEST_PROMPT, GUEST_RAM, GUEST_UP } from '../../support/guest.ts';
import { request, type ServerProcess, spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';

type Bag = Record<string, unknown>;

/** A lab of one guest and one embedded PC, on a server that can be killed. */
class Lab {
  readonly dataDir: string;
  readonly project_id = randomUUID();
  readonly guest = randomUUID();
  readonly pc = randomUUID();
  link = '';
  server: ServerProcess | null = null;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  async serve(): Promise<void> {
    this.server = await spawnServer(this.dataDir);
  }

  async ask(method: string, where: string, body?: unknown): Promise<Bag> {
    const url = this.server?.url ?? '';
    const answer = await request(url, method, `/v2/projects${where === '' ? '' : `/${where}`}`, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  }

  act(action: string): Promise<Bag> {
    return this.ask('POST', `${this.project_id}/nodes/${this.guest}/${action}`, {});
  }

  node(node_id: string): Promise<Bag> {
    return this.ask('GET', `${this.project_id}/nodes/${node_id}`);
  }

  async build({ kernel, initrd }: Guest): Promise<void> {
    const images = path.join(this.dataDir, 'images', 'QEMU', 'debian');
    await mkdir(images, { recursive: true });
    await symlink(kernel, path.join(images, 'vmlinuz'));
    await symlink(initrd, path.join(images, 'initrd.gz'));
    const { project_id } = this;
    await this.ask('POST', '', { name: 'guests', project_id });
    const properties = {
      ram: GUEST_RAM,
      adapter_type: 'virtio-net-pci',
      kernel_image: 'vmlinuz',
      initrd: 'initrd.gz',
      kernel_command_line: `${GUEST_COMMAND_LINE} topolog.eth0=10.0.0.2/24`,
    };
    const common = { compute_id: 'local' };
    const nodes = `${project_id}/nodes`;
    await this.ask('POST', nodes, { ...common, name: 'VM', node_type: 'qemu', node_id: this.guest, properties });
    await this.ask('POST', nodes, { ...common, name: 'PC', node_type: 'vpcs', node_id: this.pc });
    const ends = [this.guest, this.pc].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    this.link = String((await this.ask('POST', `${project_id}/links`, { nodes: ends }))['link_id']);
  }

  async console(node_id: string): Promise<Console> {
    return openConsole(Number((await this.node(node_id))['console']));
  }
}

/** Before there is any. */
const NOBODY: Console = {
  type: () => Promise.reject(new Error('no console is open')),
  until: () => Promise.reject(new Error('no console is open')),
  close: () => undefined,
};

const found = await findGuest();

describe('a guest in a lab', { skip: typeof found === 'string' ? found : false }, () => {
  let lab: Lab;
  let remove: () => Promise<void>;
  let shell = NOBODY;
  /** What the guest's shell prints for a command. */
  const sh = (command: string): Promise<string> => shell.type(command, GUEST_PROMPT);
  /** Seconds since the guest was booted. */
  const uptime = async (): Promise<number> => Number(/\n(\d+\.\d+)/.exec(await sh('cut -d" " -f1 /proc/uptime'))?.[1]);
  const pings = (): Promise<string> => sh('ping -c 2 -W 5 10.0.0.1');
  before(async () => {
    const dir = await tempDir();
    remove = dir.remove;
    lab = new Lab(path.join(dir.path, 'data'));
    await lab.serve();
    if (typeof found !== 'string') await lab.build(found);
  });
  after(async () => {
    shell.close();
    await lab.server?.kill('SIGTERM');
    await remove();
  });

  it('boots to a shell at its console', async () => {
    await lab.ask('POST', `${lab.project_id}/nodes/start`, {});
    shell = await lab.console(lab.guest);
    await shell.until(GUEST_UP);
    assert.match(await sh('uname -s'), /\nLinux/);
  });

  it('reaches a PC through the fabric and is reached by it, and a capture of the link has it', async () => {
    await lab.ask('POST', `${lab.project_id}/links/${lab.link}/start_capture`, { capture_file_name: 'vm.pcap' });
    const pc = await lab.console(lab.pc);
    await pc.type('ip 10.0.0.1/24', /10\.0\.0\.1[^]*> $/);
    assert.match(await pings(), / 0% packet loss/);
    assert.match(await pc.type('ping 10.0.0.2 -c 2', /icmp_seq=2[^]*> $/), /icmp_seq=2 ttl=64/);
    pc.close();
    const link = await lab.ask('POST', `${lab.project_id}/links/${lab.link}/stop_capture`, {});
    const capture = await readFile(String(link['capture_file_path']));
    // Ethernet type and protocol of an ICMP packet over IPv4.
    assert.ok(capture.includes(Buffer.from([0x08, 0x00, 0x45])));
    assert.ok(capture.length > 24 + 8 * (16 + 14 + 20 + 8));
  });

  it('stands still while it is suspended, and goes on where it was', async () => {
    const before = await uptime();
    await lab.act('suspend');
    assert.equal((await lab.node(lab.guest))['status'], 'suspended');
    await lab.act('start');
    assert.equal((await lab.node(lab.guest))['status'], 'started');
    assert.ok((await uptime()) >= before);
  });

  it('sees that its link is suspended, and that it is back', async () => {
    const carrier = (): Promise<string> => sh('cat /sys/class/net/eth0/carrier');
    assert.match(await carrier(), /\n1/);
    const link = `${lab.project_id}/links/${lab.link}`;
    await lab.ask('PUT', link, { suspend: true });
    assert.match(await carrier(), /\n0/);
    await lab.ask('PUT', link, { suspend: false });
    assert.match(await carrier(), /\n1/);
  });

  it('outlives a server that is killed, and the next one controls it', async () => {
    const { console: port, properties: _, ...before } = await lab.node(lab.guest);
    const earlier = await uptime();
    await lab.server?.kill('SIGKILL');
    // The console is the fabric's: it stays open meanwhile.
    assert.match(await pings(), / 0% packet loss/);
    await lab.serve();
    const now = await lab.node(lab.guest);
    assert.deepEqual([now['console'], now['status'], now['name']], [port, 'started', before['name']]);
    await lab.act('suspend');
    await lab.act('start');
    assert.ok((await uptime()) > earlier);
  });

  it('finds its way back to the lab when the fabric had to be replaced', async () => {
    const earlier = await uptime();
    process.kill(await fabricPid(lab.dataDir), 'SIGKILL');
    shell.close();
    // The PC was a model of the fabric: it is started again, without the address it was given.
    const ready = async (): Promise<Console> => {
      for (;;) {
        try {
          const pc = await lab.console(lab.pc);
          await pc.type('ip 10.0.0.1/24', /10\.0\.0\.1[^]*> $/);
          return pc;
        } catch {
          // Until the new fabric has the PC again.
        }
      }
    };
    const pc = await ready();
    assert.match(await pc.type('ping 10.0.0.2 -c 3 -w 5000', /icmp_seq=3[^]*> $/), /icmp_seq=3 ttl=64/);
    pc.close();
    shell = await lab.console(lab.guest);
    assert.ok((await uptime()) > earlier);
  });

  it('keeps its memory over a stop when that is asked for', async () => {
    const node = `${lab.project_id}/nodes/${lab.guest}`;
    await lab.ask('PUT', node, { properties: { on_close: 'save_vm_state' } });
    await sh('kept=in-memory');
    const before = await uptime();
    await lab.act('stop');
    shell.close();
    assert.deepEqual(await processesOf(lab.guest, await markOf(lab.dataDir)), []);
    await lab.act('start');
    shell = await lab.console(lab.guest);
    assert.match(await sh('echo $kept'), /\nin-memory/);
    assert.ok((await uptime()) >= before);
    assert.match(await pings(), / 0% packet loss/);
  });

  it('is booted again by a reload', async () => {
    const boot = async (): Promise<string> =>
      /\n([0-9a-f-]{36})/.exec(await sh('cat /proc/sys/kernel/random/boot_id'))?.[1] ?? '';
    const before = await boot();
    const up = shell.type('', GUEST_UP);
    await lab.act('reload');
    await up;
    assert.notEqual(await boot(), before);
  });

  it('shuts itself down when it is asked to, and leaves nothing', async () => {
    await lab.ask('PUT', `${lab.project_id}/nodes/${lab.guest}`, { properties: { acpi_shutdown: true } });
    const gone = shell.until(/Power down/);
    await lab.act('stop');
    await gone;
    assert.deepEqual(await processesOf(lab.guest, await markOf(lab.dataDir)), []);
    assert.equal((await lab.node(lab.guest))['status'], 'stopped');
  });
});
