import { conflict } from '../../common/errors.ts';
import type { Port } from '../kit/contract.ts';
import type { MachineState, Tunnel } from '../shared/desktop-vm/hypervisor.ts';

/** Part of the output of `VBoxManage showvminfo <machine> --machinereadable` that is used here. */
export interface MachineInfo {
  uuid: string;
  /** `<inaccessible>` when its settings cannot be read. */
  name: string;
  state: MachineState;
  /**
   * Attachment of each adapter, as VirtualBox calls it (`nat`, `bridged`, ...); null: none, or a UDP tunnel. As many as the machine's
   * chipset has.
   */
  adapters: (string | null)[];
  /** Adapters that are attached to a UDP tunnel. */
  tunnelled: number[];
  /** Mode of the first serial line, `server,/path` or `off`. */
  serial: string;
  snapshots: string[];
  logFolder: string;
}

/** `key="value"`, `key=value` or `"a key"="value"`, one a line; quotes and backslashes in values are escaped by newer versions. */
export const readMachineReadable = (output: string): Map<string, string> => {
  const values = new Map<string, string>();
  for (const line of output.split(/\r?\n/)) {
    const [, quotedKey, plainKey, quoted, plain] =
      /^(?:"((?:[^"\\]|\\.)*)"|([^"=]+))=(?:"(.*)"|(.*))$/.exec(line) ?? [];
    const key = quotedKey ?? plainKey;
    // Free texts come late and may look like anything: the first counts.
    if (key !== undefined && !values.has(key)) values.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? plain ?? '');
  }
  return values;
};

export const machineInfo = (output: string): MachineInfo => {
  const values = readMachineReadable(output);
  const of = (key: string): string => values.get(key) ?? '';
  const numbers = [...values.keys()].flatMap((key) => /^nic(\d+)$/.exec(key)?.[1] ?? []).map(Number);
  const adapters = numbers.sort((a, b) => a - b).map((number) => ({ kind: of(`nic${number}`).toLowerCase(), number }));
  const isTunnel = ({ kind, number }: { kind: string; number: number }): boolean =>
    kind === 'generic' && of(`generic${number}`) === 'UDPTunnel';
  return {
    uuid: of('UUID'),
    name: of('name'),
    state: stateOf(of('VMState')),
    adapters: adapters.map((one) => (one.kind === 'none' || one.kind === 'null' || isTunnel(one) ? null : one.kind)),
    tunnelled: adapters.flatMap((one, index) => (isTunnel(one) ? [index] : [])),
    serial: of('uart1') === 'off' ? 'off' : of('uartmode1'),
    snapshots: [...values].flatMap(([key, value]) => (/^SnapshotName(?:-\d+)*$/.test(key) ? [value] : [])),
    logFolder: of('LogFldr'),
  };
};

const stateOf = (state: string): MachineState => {
  switch (state) {
    case 'running':
    case 'livesnapshotting':
    // It is frozen, but its screen can still be looked at.
    case 'gurumeditation':
      return 'running';
    case 'paused':
      return 'paused';
    case 'saved':
    case 'aborted-saved':
      return 'saved';
    case 'poweroff':
    case 'aborted':
    case 'teleported':
      return 'off';
    default:
      return 'busy';
  }
};

/**
 * Properties of the UDP tunnels, which only the readable form tells: `NIC 1: MAC: ..., Attachment: Generic 'UDPTunnel'
 * { dest='127.0.0.1', dport='30002', sport='30001' }, Cable connected: on, ...`. By adapter, from 0.
 */
export const readTunnels = (output: string): Map<number, Readonly<Record<string, string>>> => {
  const found = [...output.matchAll(/^NIC (\d+):.*Attachment: Generic 'UDPTunnel' \{ (.*?) \}/gm)];
  return new Map(
    found.map(([, number, properties = '']) => {
      const pairs = [...properties.matchAll(/(?<!\w)(\w+)='([^']*)'/g)].map(
        ([, key = '', value = '']) => [key, value] as const,
      );
      return [Number(number) - 1, Object.fromEntries(pairs)];
    }),
  );
};

/** Adapters of VirtualBox, by what records call them. */
const TYPES: Readonly<Record<string, string>> = {
  'PCnet-PCI II (Am79C970A)': 'Am79C970A',
  'PCNet-FAST III (Am79C973)': 'Am79C973',
  'Intel PRO/1000 MT Desktop (82540EM)': '82540EM',
  'Intel PRO/1000 T Server (82543GC)': '82543GC',
  'Intel PRO/1000 MT Server (82545EM)': '82545EM',
  'Paravirtualized Network (virtio-net)': 'virtio',
};

/** Translates an adapter type to VirtualBox's own name, which may be given as well. Throws a conflict. */
export const nicType = (adapterType: string): string => {
  const wished = adapterType.toLowerCase();
  for (const [name, type] of Object.entries(TYPES))
    if (name.toLowerCase() === wished || type.toLowerCase() === wished) return type;
  throw conflict(`adapter_type ${adapterType} is none of VirtualBox's; possible: ${Object.keys(TYPES).join(', ')}`, {
    field: 'adapter_type',
  });
};

/** Options of `modifyvm` that give adapters their tunnels; `ports` tells their types and addresses. */
export const tunnelOptions = (
  tunnels: readonly Tunnel[],
  ports: readonly Port[],
  adapterType: string,
  wired: ReadonlyMap<number, boolean>,
): string[] =>
  tunnels.flatMap((tunnel) => {
    const n = tunnel.adapter + 1;
    const port = ports.find(({ adapter_number }) => adapter_number === tunnel.adapter);
    const mac = port?.mac_address?.replace(/[^0-9a-f]/gi, '').toUpperCase();
    return [
      `--nic${n}`,
      'generic',
      `--nicgenericdrv${n}`,
      'UDPTunnel',
      `--nicproperty${n}`,
      'dest=127.0.0.1',
      ...portOptions(tunnel, wired),
      `--nictype${n}`,
      nicType(port?.adapter_type ?? adapterType),
      `--nicpromisc${n}`,
      'allow-all',
      ...(mac === undefined ? [] : [`--macaddress${n}`, mac]),
    ];
  });

/** Options that a saved machine takes as well. */
export const portOptions = ({ adapter, fabric, peer }: Tunnel, wired: ReadonlyMap<number, boolean>): string[] => [
  `--nicproperty${adapter + 1}`,
  `sport=${peer}`,
  `--nicproperty${adapter + 1}`,
  `dport=${fabric}`,
  `--cableconnected${adapter + 1}`,
  wired.get(adapter) === true ? 'on' : 'off',
];

/** The first serial line of a PC, served at a unix socket (a pipe of Windows). */
export const serialOptions = (socket: string): string[] => [
  ...['--uart1', '0x3F8', '4'],
  ...['--uartmode1', 'server', socket],
];

/** Options of adapters without a cable: the adapter stays, and its tunnel is gone. */
export const looseOptions = (adapters: readonly number[]): string[] =>
  adapters.flatMap((adapter) => [`--nic${adapter + 1}`, 'null', `--cableconnected${adapter + 1}`, 'off']);
