import { readdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import path from 'node:path';

export interface HostInterface {
  id: string;
  name: string;
  /** IPv4; empty: it has none. */
  ip_address: string;
  netmask: string;
  mac_address: string;
  type: 'ethernet' | 'tap';
  /** Of bridges, tunnels and hypervisors: seldom what a cloud is to lead to. */
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
/** if_tun.h: frames with an Ethernet header. */
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
