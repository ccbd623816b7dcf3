import { readFile } from 'node:fs/promises';
import type { Missing } from '../../kit/contract.ts';
import { which } from '../process/find-program.ts';

/** capabilities(7), by their number. */
const NUMBERS = { CAP_NET_ADMIN: 12, CAP_NET_RAW: 13, CAP_SYS_ADMIN: 21 } as const;
type Capability = keyof typeof NUMBERS;

/** Interfaces and network namespaces need them. */
const FOR_NAMESPACES: readonly Capability[] = ['CAP_NET_ADMIN', 'CAP_SYS_ADMIN'];

/**
 * Finds what is missing for making network interfaces: programs (each with the Debian package that has it) or privileges. null: nothing.
 * `forWhat`: `its adapters`. `otherwise`: what the user can do instead of becoming root. `needed`: default, what namespaces need.
 */
export const networkLacks = async (
  programs: Readonly<Record<string, string>>,
  forWhat: string,
  otherwise: string,
  needed: readonly Capability[] = FOR_NAMESPACES,
): Promise<Missing | null> => {
  const absent = await programsLacking(programs, forWhat);
  if (absent !== null) return absent;
  const lacking = await capabilitiesLacking(needed);
  if (lacking.length === 0) return null;
  return {
    needs: `root for ${forWhat} (${lacking.join(' and ')})`,
    install: `start the server as root (sudo topolog serve), or ${otherwise}`,
  };
};

/** Finds the programs (each with the Debian package that has it) that are not in the PATH; null when all are. */
export const programsLacking = async (
  programs: Readonly<Record<string, string>>,
  forWhat: string,
): Promise<Missing | null> => {
  const names = Object.keys(programs);
  const found = await Promise.all(names.map(which));
  const absent = names.filter((_, index) => found[index] === null);
  if (absent.length === 0) return null;
  return {
    needs: `${absent.join(' and ')} for ${forWhat}`,
    install: `apt-get install ${[...new Set(absent.map((name) => programs[name] ?? name))].join(' ')}`,
  };
};

const capabilitiesLacking = async (needed: readonly Capability[]): Promise<Capability[]> => {
  const status = await readFile('/proc/self/status', 'latin1').catch(() => '');
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  return needed.filter((name) => ((effective >> BigInt(NUMBERS[name])) & 1n) === 0n);
};
