import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Missing } from '../contract.ts';
import { which } from '../which.ts';

/** Capabilities that interfaces and network namespaces need (capabilities(7)), by their number. */
const NEEDED = [
  ['CAP_NET_ADMIN', 12],
  ['CAP_SYS_ADMIN', 21],
] as const;

/** What adapters lack; null when containers can have some. */
export const adaptersLack = async (): Promise<Missing | null> => {
  const programs = ['socat', 'ip'] as const;
  const found = await Promise.all(programs.map(which));
  const absent = programs.filter((_, index) => found[index] === null);
  if (absent.length > 0)
    return { needs: `${absent.join(' and ')} for its adapters`, install: 'apt-get install socat iproute2' };
  const lacking = await capabilitiesLacking();
  if (lacking.length === 0) return null;
  return {
    needs: `root for its adapters (${lacking.join(' and ')} to make network interfaces)`,
    install: 'start the server as root (sudo topolog serve), or set the adapters of the container to 0',
  };
};

const capabilitiesLacking = async (): Promise<string[]> => {
  const status = await readFile('/proc/self/status', 'latin1').catch(() => '');
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  return NEEDED.filter(([, bit]) => ((effective >> BigInt(bit)) & 1n) === 0n).map(([name]) => name);
};

/** Runs ip(8), with a batch of commands or with arguments. Throws what it says. */
export const ip = async (args: readonly string[], batch?: readonly string[]): Promise<void> => {
  const all = batch === undefined ? [...args] : [...args, '-batch', '-'];
  const running = promisify(execFile)('ip', all, { timeout: 30_000 });
  running.child.stdin?.on('error', () => undefined);
  running.child.stdin?.end(batch === undefined ? '' : `${batch.join('\n')}\n`);
  try {
    await running;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? '';
    throw new Error(`ip ${args.join(' ')}: ${said === '' ? String(error) : said}`, { cause: error });
  }
};
