import type { Missing } from '../kit/contract.ts';
import { type RunOptions, runProgram } from '../shared/desktop-vm/run-program.ts';
import { which } from '../shared/process/find-program.ts';

/** A call of vmrun that failed. Its message is what VMware says. */
export class VmrunError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'VmrunError';
  }
}

/** Milliseconds. A clone on a slow disk, a large memory that is saved. */
const TIMEOUT_MS = 300_000;

/** Workstation, Player and Fusion, as the option -T calls them. */
type Product = 'ws' | 'player' | 'fusion';

const VMRUN = ['vmrun', '/Applications/VMware Fusion.app/Contents/Library/vmrun'];

const findVmrun = async (): Promise<string | null> => {
  for (const place of VMRUN) {
    const found = await which(place);
    if (found !== null) return found;
  }
  return null;
};

export const vmrunLacks = async (): Promise<Missing | null> =>
  (await findVmrun()) !== null
    ? null
    : {
        needs: 'vmrun',
        install:
          'install VMware Workstation Pro (sudo sh VMware-Workstation-Full-<version>.bundle, from https://support.broadcom.com; ' +
          'Player needs the VIX API beside it), so that vmrun is in the PATH',
      };

/** Player alone has no program `vmware`. */
export const productHere = async (): Promise<Product> => {
  if (process.platform === 'darwin') return 'fusion';
  if ((await which('vmware')) !== null) return 'ws';
  return (await which('vmplayer')) === null ? 'ws' : 'player';
};

/** Answers what it printed. Throws a VmrunError. */
export const vmrun = async (args: readonly string[], options: Partial<RunOptions> = {}): Promise<string> => {
  const program = await findVmrun();
  if (program === null) throw new VmrunError('vmrun is gone');
  const all = ['-T', await productHere(), ...args];
  const { code, stdout, stderr } = await runProgram(program, all, { timeout: TIMEOUT_MS, ...options });
  const error = errorIn(stdout) ?? errorIn(stderr);
  if (code === 0 && error === null) return stdout;
  throw new VmrunError(
    error ??
      (`${stdout}${stderr}`.trim().slice(-1000) || `vmrun ${args[0] ?? ''} ended with code ${code ?? 'unknown'}`),
  );
};

/** `Error: <what>`, on its standard output, and not always with an exit code. */
const errorIn = (output: string): string | null => /^Error: (.*)$/m.exec(output)?.[1]?.trim() ?? null;

/** `Total running VMs: 2` and the paths, one a line. */
export const runningVms = async (): Promise<string[]> => linesBehindTotal(await vmrun(['list']));

/** `Total snapshots: 2` and the names, one a line. */
export const snapshotsOf = async (vmx: string): Promise<string[]> =>
  linesBehindTotal(await vmrun(['listSnapshots', vmx])).map((line) => line.trim());

const linesBehindTotal = (output: string): string[] =>
  output.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^Total .*: \d+$/.test(line));
