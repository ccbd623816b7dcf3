import { readFile } from 'node:fs/promises';
import type { Missing } from '../contract.ts';
import { which } from '../which.ts';

/** Capabilities that interfaces and network namespaces need (capabilities(7)), by their number. */
const NEEDED = [
  ['CAP_NET_ADMIN', 12],
  ['CAP_SYS_ADMIN', 21],
] as const;

/**
 * What the making of network interfaces lacks: programs (each with the Debian package that has it) or privileges. null: nothing.
 * `forWhat`: `its adapters`. `otherwise`: what the user can do instead of becoming root.
 */
export const networkLacks = async (
  programs: Readonly<Record<string, string>>,
  forWhat: string,
  otherwise: string,
): Promise<Missing | null> => {
  const names = Object.keys(programs);
  const found = await Promise.all(names.map(which));
  const absent = names.filter((_, index) => found[index] === null);
  if (absent.length > 0)
    return {
      needs: `${absent.join(' and ')} for ${forWhat}`,
      install: `apt-get install ${[...new Set(absent.map((name) => programs[name] ?? name))].join(' ')}`,
    };
  const lacking = await capabilitiesLacking();
  if (lacking.length === 0) return null;
  return {
    needs: `root for ${forWhat} (${lacking.join(' and ')} to make network interfaces)`,
    install: `start the server as root (sudo topolog serve), or ${otherwise}`,
  };
};

const capabilitiesLacking = async (): Promise<string[]> => {
  const status = await readFile('/proc/self/status', 'latin1').catch(() => '');
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  return NEEDED.filter(([, bit]) => ((effective >> BigInt(bit)) & 1n) === 0n).map(([name]) => name);
};
