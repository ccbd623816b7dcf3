import { isIP } from 'node:net';
import type { Missing } from '../../kit/contract.ts';
import { programVersion } from '../../shared/process/program-version.ts';
import { joinWords } from '../../shared/process/shell-words.ts';
import { which } from '../../shared/process/which.ts';

export const MISSING: Missing = {
  needs: 'dynamips',
  install:
    'install Dynamips, with apt-get install dynamips where the distribution has it, or from its source at github.com/GNS3/dynamips',
};

export const findProgram = (): Promise<string | null> => which('dynamips');

export const hypervisorVersion = async (): Promise<string | null> => {
  const program = await findProgram();
  // Without what the option needs it only says who it is; asked for help it would also write a log file where we are.
  return program === null ? null : programVersion(program, /\(version ([\w.]+)/, ['-H']);
};

/** Arguments of a hypervisor. `consoles`: where the router's console ports are opened; null: on the loopback. */
export const hypervisorArguments = (port: number, consoles: string | null): string[] => [
  // Files are named by the number of the instance.
  '-N1',
  '-H',
  `127.0.0.1:${port}`,
  ...(consoles === null ? [] : ['--console-binding-addr', consoles]),
];

/** Control port of a hypervisor that runs; null: this is none of ours. */
export const hypervisorPort = (argv: readonly string[]): number | null => {
  const [, port] = /^127\.0\.0\.1:(\d+)$/.exec(argv[argv.indexOf('-H') + 1] ?? '') ?? [];
  return port === undefined ? null : Number(port);
};

/** How a hypervisor was started, whatever interpreter or wrapper of it is in the list of processes. */
export const commandLine = (argv: readonly string[]): string =>
  joinWords(['dynamips', ...argv.slice(Math.max(0, argv.indexOf('-N1')))]);

/** Where to connect to a console that was opened at the address in the arguments. */
export const consoleHost = (argv: readonly string[]): string => {
  const at = argv.indexOf('--console-binding-addr');
  const address = at < 0 ? undefined : argv[at + 1];
  if (address === undefined || address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return isIP(address) === 0 ? 'localhost' : address;
};
