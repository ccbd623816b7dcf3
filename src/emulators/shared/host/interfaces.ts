import { readdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { isThere } from '../../../common/file.ts';

export interface HostInterface {
  id: string;
  name: string;
  /** IPv4; empty: it has none. */
  ip_address: string;
  netmask: string;
  mac_address: string;
  type: 'ethernet' | 'tap';
  /** Belongs to a bridge, tunnel or hypervisor: seldom what a cloud is to lead to. */
  special: boolean;
}

const SPECIAL = [
  'lo',
  'br-',
  'docker',
  'podman',
  'cni',
  'veth',
  'virbr',
  'vboxnet',
  'vmnet',
  'vnet',
  'gns3',
  'p2p',
  'lxc',
];
/** netdevice(7), and if_tun.h: frames with an Ethernet header. */
const IFF_UP = 0x1;
const IFF_TAP = 0x2;
const SYS = '/sys/class/net';

/** Interfaces of this machine by name, without the loopback. On Linux also those without an address. */
export const hostInterfaces = async (): Promise<HostInterface[]> => {
  const addressed = networkInterfaces();
  const names = new Set([...Object.keys(addressed), ...(await readdir(SYS).catch(() => []))]);
  const found = await Promise.all(
    [...names].sort().map(async (name): Promise<HostInterface | null> => {
      const all = addressed[name] ?? [];
      if (name === 'lo' || all.some(({ internal }) => internal)) return null;
      const [mac, tun] = await Promise.all([valueOf(name, 'address'), valueOf(name, 'tun_flags')]);
      // Files beside the interfaces, as bonding_masters, have no address.
      if (all.length === 0 && mac === null) return null;
      const ipv4 = all.find(({ family }) => family === 'IPv4');
      return {
        id: name,
        name,
        ip_address: ipv4?.address ?? '',
        netmask: ipv4?.netmask ?? '',
        mac_address: all[0]?.mac ?? mac ?? '',
        type: isTap(name, tun) ? 'tap' : 'ethernet',
        special: SPECIAL.some((begin) => name.toLowerCase().startsWith(begin)),
      };
    }),
  );
  return found.filter((one) => one !== null);
};

const isTap = (name: string, flags: string | null): boolean =>
  flags === null ? /^tap\d/.test(name) : (Number(flags) & IFF_TAP) !== 0;

const valueOf = (name: string, what: string): Promise<string | null> =>
  readFile(path.join(SYS, name, what), 'latin1').then(
    (text) => text.trim(),
    () => null,
  );

/** Names that Linux accepts for an interface, without those that would have a meaning in a path or a command line. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,14}$/;

/** State of an interface of this machine. */
export interface InterfaceState {
  up: boolean;
  tap: boolean;
}

export const isInterfaceName = (name: string): boolean => NAME.test(name);

export const interfaceExists = (name: string): Promise<boolean> => isThere(path.join(SYS, name));

/** null: this machine has none of this name. */
export const interfaceOf = async (name: string): Promise<InterfaceState | null> => {
  if (!isInterfaceName(name) || !(await interfaceExists(name))) return null;
  const [flags, tun] = await Promise.all(['flags', 'tun_flags'].map((what) => valueOf(name, what)));
  return { up: (Number(flags ?? 0) & IFF_UP) !== 0, tap: (Number(tun ?? 0) & IFF_TAP) !== 0 };
};
