import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { endProcesses } from '../../src/processes/end.ts';
import { findMarked, markOf } from '../../src/processes/marker.ts';
import { type Guest, GUEST_COMMAND_LINE, GUEST_RAM } from '../support/guest.ts';
import { type Podman, startPodman } from '../support/podman.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { openPc, openShell, type Terminal } from './terminal.ts';

export type Bag = Record<string, unknown>;

/** Machines of the lab, all in one IP network, so that nothing but their VLANs keeps them apart. */
export const ADDRESSES = { VM: '10.0.0.2', BOX: '10.0.0.3', PC: '10.0.0.4', VPCS: '10.0.0.5' } as const;
export type Machine = keyof typeof ADDRESSES;
export const MACHINES = Object.keys(ADDRESSES) as Machine[];
export const VLANS: Record<Machine, number> = { VM: 10, BOX: 10, PC: 20, VPCS: 20 };
type Name = Machine | 'SW' | 'NAT';
const NAMES: readonly Name[] = [...MACHINES, 'SW', 'NAT'];

/** Beyond this a request is stuck. */
const REQUEST_MS = 100_000;

/**
 * One lab of everything, on a server of its own in a process that can be killed: a QEMU guest (VM), a container (BOX), an embedded PC
 * (PC) and the program VPCS at a switch (SW); a second adapter of the guest and of the container leads to a NAT.
 */
export class JointLab {
  readonly directory: string;
  readonly podman: Podman;
  readonly project_id = randomUUID();
  readonly ids = Object.fromEntries(NAMES.map((name) => [name, randomUUID()])) as Record<Name, string>;
  /** Of the machines to the switch. */
  readonly links = new Map<Machine, string>();
  mark = '';
  server: ServerProcess | null = null;
  readonly #terminals = new Set<Terminal>();
  readonly #remove: () => Promise<void>;

  private constructor(directory: string, podman: Podman, remove: () => Promise<void>) {
    this.directory = directory;
    this.podman = podman;
    this.#remove = remove;
  }

  /** The lab is there, stopped. */
  static async build(guest: Guest): Promise<JointLab> {
    const dir = await tempDir();
    // A runtime directory of its own: what is left there is this lab's.
    const runtime = path.join(dir.path, 'run');
    await mkdir(runtime, { mode: 0o700 });
    process.env['XDG_RUNTIME_DIR'] = runtime;
    const podman = await startPodman();
    const lab = new JointLab(dir.path, podman, dir.remove);
    try {
      await lab.#build(guest);
      return lab;
    } catch (error) {
      await lab.end();
      throw error;
    }
  }

  get dataDir(): string {
    return path.join(this.directory, 'data');
  }

  get runtimeDir(): string {
    return path.join(this.directory, 'run', 'topolog');
  }

  async serve(): Promise<void> {
    this.server = await spawnServer(this.dataDir, ['--docker-host', `unix://${this.podman.socket}`]);
    this.mark = await markOf(this.dataDir);
  }

  async ask(method: string, where: string, body?: unknown): Promise<Bag> {
    const url = this.server?.url ?? '';
    const asked = request(url, method, `/v2/projects${where}`, body);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${method} ${where} takes more than ${REQUEST_MS} ms`)), REQUEST_MS);
    });
    const answer = await Promise.race([asked, late]).finally(() => clearTimeout(timer));
    assert.ok(
      answer.status < 300,
      `${method} ${where}: ${answer.status} ${answer.text}\n${this.server?.output() ?? ''}`,
    );
    return (answer.body ?? {}) as Bag;
  }

  /** What is asked of all nodes: `start`, `stop`. */
  all(action: string): Promise<Bag> {
    return this.ask('POST', `/${this.project_id}/nodes/${action}`, {});
  }

  act(name: Name, action: string): Promise<Bag> {
    return this.ask('POST', `/${this.project_id}/nodes/${this.ids[name]}/${action}`, {});
  }

  node(name: Name): Promise<Bag> {
    return this.ask('GET', `/${this.project_id}/nodes/${this.ids[name]}`);
  }

  filter(machine: Machine, filters: Bag): Promise<Bag> {
    return this.ask('PUT', this.linkPath(machine), { filters });
  }

  /** Of the machine's link, from it and to it: frames that passed, and those that its filter of losses took. */
  async counts(machine: Machine): Promise<[passed: number, lost: number][]> {
    const { directions } = await this.ask('GET', `${this.linkPath(machine)}/traffic`);
    return (directions as { frames: number; reasons: { packet_loss?: number } }[]).map(({ frames, reasons }) => [
      frames,
      reasons.packet_loss ?? 0,
    ]);
  }

  linkPath(machine: Machine): string {
    return `/${this.project_id}/links/${this.links.get(machine) ?? ''}`;
  }

  /** Of each node by its name: `status`, `console`. */
  async each(field: string): Promise<Bag> {
    const nodes = await Promise.all(NAMES.map((name) => this.node(name)));
    return Object.fromEntries(NAMES.map((name, index) => [name, nodes[index]?.[field]]));
  }

  /** A console of a machine, once somebody answers there. */
  async terminal(machine: Machine): Promise<Terminal> {
    const port = Number((await this.node(machine))['console']);
    const terminal = await (VLANS[machine] === 10 ? openShell : openPc)(machine, port);
    this.#terminals.add(terminal);
    return terminal;
  }

  async terminals(): Promise<Record<Machine, Terminal>> {
    const opened = await Promise.all(MACHINES.map(async (machine) => [machine, await this.terminal(machine)] as const));
    return Object.fromEntries(opened) as Record<Machine, Terminal>;
  }

  /** Ends everything, whatever has gone wrong before. */
  async end(): Promise<void> {
    for (const terminal of this.#terminals) terminal.close();
    const { child } = this.server ?? {};
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      await this.serve().catch(() => undefined);
    await this.all('stop').catch(() => undefined);
    await this.server?.kill('SIGTERM');
    await endProcesses(await findMarked(this.mark));
    await this.podman.close();
    await this.#remove();
  }

  async #build({ kernel, initrd }: Guest): Promise<void> {
    const images = path.join(this.dataDir, 'images', 'QEMU');
    await mkdir(images, { recursive: true });
    await symlink(kernel, path.join(images, 'vmlinuz'));
    await symlink(initrd, path.join(images, 'initrd.gz'));
    await this.serve();
    await this.ask('POST', '', { name: 'joint', project_id: this.project_id });
    await this.#add('SW', 'ethernet_switch', {
      ports_mapping: MACHINES.map((machine, port_number) => ({
        name: `Ethernet${port_number}`,
        port_number,
        type: 'access',
        vlan: VLANS[machine],
      })),
    });
    await this.#add('NAT', 'nat', { ports_mapping: [{}, {}] });
    await this.#add('VM', 'qemu', {
      ram: GUEST_RAM,
      adapters: 2,
      adapter_type: 'virtio-net-pci',
      kernel_image: 'vmlinuz',
      initrd: 'initrd.gz',
      kernel_command_line: `${GUEST_COMMAND_LINE} topolog.eth0=${ADDRESSES.VM}/24`,
    });
    await this.#add('BOX', 'docker', {
      image: this.podman.image,
      adapters: 2,
      start_command: `sh -c "ip addr add ${ADDRESSES.BOX}/24 dev eth0; exec sh"`,
    });
    await this.#add('PC', 'vpcs', { startup_script: `set pcname PC\nip ${ADDRESSES.PC}/24\n` });
    await this.#add('VPCS', 'vpcs', { engine: 'vpcs', startup_script: `set pcname VPCS\nip ${ADDRESSES.VPCS}/24\n` });
    for (const [port_number, machine] of MACHINES.entries())
      this.links.set(machine, await this.#link([machine, 0], ['SW', port_number]));
    await this.#link(['VM', 1], ['NAT', 0]);
    await this.#link(['BOX', 1], ['NAT', 1]);
  }

  async #add(name: Name, node_type: string, properties: Bag): Promise<void> {
    const node = { compute_id: 'local', name, node_type, node_id: this.ids[name], properties };
    await this.ask('POST', `/${this.project_id}/nodes`, node);
  }

  /** The number is the adapter's of a machine, the port's of the others. */
  async #link(...ends: [Name, number][]): Promise<string> {
    const nodes = ends.map(([name, number]) => {
      const machine = name !== 'SW' && name !== 'NAT';
      return {
        node_id: this.ids[name],
        adapter_number: machine ? number : 0,
        port_number: machine ? 0 : number,
      };
    });
    return String((await this.ask('POST', `/${this.project_id}/links`, { nodes }))['link_id']);
  }
}
