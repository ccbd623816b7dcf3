import { conflict } from '../../common/errors.ts';
import { ADAPTER } from './host-uses.ts';

/** A network adapter. */
export interface Nic {
  adapter: number;
  /** QEMU's device, e.g. `e1000`. */
  type: string;
  mac: string;
  /** Unix socket that QEMU listens at: each frame behind its length (`-netdev stream`). */
  socket: string;
}

export interface NicOptions {
  /** `-net nic` instead of `-device`. */
  legacy: boolean;
  /** The first adapters can boot from the network. */
  bootRoms: boolean;
}

const nicName = (adapter: number): string => `nic${adapter}`;

/** What `set_link` knows adapters by. In the legacy syntax they have no name of their own: QEMU counts each model. */
export const linkNames = (nics: readonly Pick<Nic, 'adapter' | 'type'>[], legacy: boolean): Map<number, string> => {
  const counts = new Map<string, number>();
  return new Map(
    nics.map(({ adapter, type }) => {
      const count = counts.get(type) ?? 0;
      counts.set(type, count + 1);
      return [adapter, legacy ? `${type}.${count}` : nicName(adapter)];
    }),
  );
};

const netdevName = (adapter: number): string => `net${adapter}`;

/**
 * QEMU listens and the fabric connects: so a fabric that takes the place of another finds its way back by itself, which QEMU 7.2
 * never does.
 */
export const nicArguments = (nics: readonly Nic[], options: NicOptions): string[] => {
  const wrong = nics.find(({ type }) => !ADAPTER.test(type));
  if (wrong !== undefined)
    throw conflict(`adapter_type ${wrong.type} of adapter ${wrong.adapter} must be the name of a device`, {
      field: 'adapter_type',
    });
  if (nics.length === 0) return ['-nic', 'none'];
  return [
    ...(options.legacy ? [] : bridges(nics)),
    ...nics.flatMap((nic, index) => [
      '-netdev',
      `stream,id=${netdevName(nic.adapter)},server=on,addr.type=unix,addr.path=${nic.socket.replaceAll(',', ',,')}`,
      ...(options.legacy ? legacyNic(nic) : device(nic, index, options)),
    ]),
  ];
};

const legacyNic = ({ adapter, type, mac }: Nic): string[] => [
  '-net',
  `nic,netdev=${netdevName(adapter)},model=${type},macaddr=${mac}`,
];

const device = ({ adapter, type, mac }: Nic, index: number, { bootRoms }: NicOptions): string[] => {
  const place = PCI.test(type) ? `${slot(index)}${bootRoms && index < WITH_ROM ? '' : ',romfile='}` : '';
  return ['-device', `${type},id=${nicName(adapter)},netdev=${netdevName(adapter)},mac=${mac}${place}`];
};

/** Devices of the PCI bus; only they have a boot ROM, which not every installation of QEMU has. */
const PCI = /^(e1000.*|i82\w+|igb|ne2k_pci|pcnet|rocker|rtl8139|sungem|sunhme|tulip|vmxnet3|virtio-net-pci.*)$/;

/** Boot ROMs share 128 KB of the guest's memory: more than these find no room. */
const WITH_ROM = 4;

/** The root bus has 32 slots, some of them taken by the machine, its disks and the bridges. */
const ON_ROOT = 12;
/** Slots 1 to 31 of a bridge, without the last. */
const ON_BRIDGE = 30;

const bridgeOf = (index: number): number => Math.floor((index - ON_ROOT) / ON_BRIDGE);

const bridges = (nics: readonly Nic[]): string[] => {
  const count =
    nics.filter(({ type }, index) => index >= ON_ROOT && PCI.test(type)).length === 0
      ? 0
      : bridgeOf(nics.length - 1) + 1;
  return Array.from({ length: count }, (_, n) => ['-device', `pci-bridge,id=bridge${n},chassis_nr=${n + 1}`]).flat();
};

const slot = (index: number): string => {
  if (index < ON_ROOT) return '';
  const address = ((index - ON_ROOT) % ON_BRIDGE) + 1;
  return `,bus=bridge${bridgeOf(index)},addr=0x${address.toString(16)}`;
};
