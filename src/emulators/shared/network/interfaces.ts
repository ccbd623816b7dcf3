import { readFile } from 'node:fs/promises';
import { isThere } from '../../../common/file.ts';

/** netdevice(7), if_tun.h. */
const IFF_UP = 0x1;
const IFF_TAP = 0x2;

/** What Linux takes for the name of an interface, without what would have a meaning in a path or a command line. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,14}$/;

/** An interface of this machine. */
export interface Interface {
  up: boolean;
  tap: boolean;
}

export const isInterfaceName = (name: string): boolean => NAME.test(name);

export const interfaceExists = (name: string): Promise<boolean> => isThere(`/sys/class/net/${name}`);

/** null: this machine has none of this name. */
export const interfaceOf = async (name: string): Promise<Interface | null> => {
  if (!isInterfaceName(name) || !(await interfaceExists(name))) return null;
  const [flags, tun] = await Promise.all(['flags', 'tun_flags'].map((what) => valueOf(name, what)));
  return { up: (Number(flags ?? 0) & IFF_UP) !== 0, tap: (Number(tun ?? 0) & IFF_TAP) !== 0 };
};

const valueOf = (name: string, what: string): Promise<string | null> =>
  readFile(`/sys/class/net/${name}/${what}`, 'latin1').then(
    (text) => text.trim(),
    () => null,
  );
