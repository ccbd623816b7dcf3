import { networkLacks } from '../../src/emulators/shared/network/privileges.ts';
import { ip } from '../../src/emulators/shared/network/ip.ts';

/**
 * Networks as VMware makes them: an interface of this host, `vmnet240`, and what the guests have, `vmnet240g`. The numbers are such
 * that nobody has them by himself.
 */
export interface VmnetPairs {
  names: string[];
  close(): Promise<void>;
}

const FIRST = 240;

/** Why there can be none here; null: nothing. */
export const pairsLack = async (): Promise<string | null> => {
  const lacks = await networkLacks({ socat: 'socat', ip: 'iproute2', setpriv: 'util-linux' }, 'vmnets', 'go without');
  return lacks === null ? null : `${lacks.needs} is not here`;
};

export const makePairs = async (count: number): Promise<VmnetPairs> => {
  const names = Array.from({ length: count }, (_, n) => `vmnet${FIRST + n}`);
  await ip(
    [],
    names.flatMap((name) => [
      `link add ${name} type veth peer name ${name}g`,
      `link set dev ${name}g arp off addrgenmode none up`,
      `link set dev ${name} addrgenmode none`,
    ]),
  );
  return {
    names,
    close: () =>
      ip(
        [],
        names.map((name) => `link delete ${name}`),
      ),
  };
};
