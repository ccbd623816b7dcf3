import { conflict } from '../../common/errors.ts';
import type { Port } from '../kit/contract.ts';
import type { Tunnel } from '../shared/desktop-vm/hypervisor.ts';

/** Adapters of VirtualBox, by what records call them. */
const TYPES: Readonly<Record<string, string>> = {
  'PCnet-PCI II (Am79C970A)': 'Am79C970A',
  'PCNet-FAST III (Am79C973)': 'Am79C973',
  'Intel PRO/1000 MT Desktop (82540EM)': '82540EM',
  'Intel PRO/1000 T Server (82543GC)': '82543GC',
  'Intel PRO/1000 MT Server (82545EM)': '82545EM',
  'Paravirtualized Network (virtio-net)': 'virtio',
};

/** VirtualBox's own name of an adapter type, which is fine too. Throws a conflict. */
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
      ...[`--nic${n}`, 'generic', `--nicgenericdrv${n}`, 'UDPTunnel'],
      ...[`--nicproperty${n}`, 'dest=127.0.0.1'],
      ...portOptions(tunnel, wired),
      ...[`--nictype${n}`, nicType(port?.adapter_type ?? adapterType)],
      ...[`--nicpromisc${n}`, 'allow-all'],
      ...(mac === undefined ? [] : [`--macaddress${n}`, mac]),
    ];
  });

/** Those that a saved machine takes as well. */
export const portOptions = ({ adapter, fabric, far }: Tunnel, wired: ReadonlyMap<number, boolean>): string[] => [
  ...[`--nicproperty${adapter + 1}`, `sport=${far}`],
  ...[`--nicproperty${adapter + 1}`, `dport=${fabric}`],
  ...[`--cableconnected${adapter + 1}`, wired.get(adapter) === true ? 'on' : 'off'],
];

/** The first serial line of a PC, served at a unix socket (a pipe of Windows). */
export const serialOptions = (socket: string): string[] => [
  ...['--uart1', '0x3F8', '4'],
  ...['--uartmode1', 'server', socket],
];

/** Cables that lead nowhere: the adapter stays, and its tunnel is gone. */
export const looseOptions = (adapters: readonly number[]): string[] =>
  adapters.flatMap((adapter) => [`--nic${adapter + 1}`, 'null', `--cableconnected${adapter + 1}`, 'off']);
