import { setTimeout as sleep } from 'node:timers/promises';
import type { Missing } from '../kit/contract.ts';
import { runProgram } from '../shared/desktop-vm/run-program.ts';
import { which } from '../shared/process/find-program.ts';

/** A call of VBoxManage that failed. Its message is what VirtualBox says. */
class VBoxError extends Error {
  /** Symbol of the error, e.g. `VBOX_E_OBJECT_NOT_FOUND`; null when VirtualBox tells none. */
  readonly code: string | null;
  constructor(code: string | null, message: string) {
    super(message);
    this.name = 'VBoxError';
    this.code = code;
  }
}

/** Milliseconds. A clone on a slow disk, a large memory that is saved. */
const TIMEOUT_MS = 300_000;
/** A machine is locked for a moment after it was switched off or cloned from. */
const LOCKED_MS = 15_000;
const AGAIN_MS = 200;

const PLACES = [
  'VBoxManage',
  'vboxmanage',
  '/usr/local/bin/VBoxManage',
  '/Applications/VirtualBox.app/Contents/MacOS/VBoxManage',
  String.raw`C:\Program Files\Oracle\VirtualBox\VBoxManage.exe`,
];

const findVBoxManage = async (): Promise<string | null> => {
  for (const place of PLACES) {
    const found = await which(place);
    if (found !== null) return found;
  }
  return null;
};

const INSTALL =
  'install VirtualBox (Debian and Ubuntu: the package virtualbox-7.1 of the repository that ' +
  'https://www.virtualbox.org/wiki/Linux_Downloads names; others: https://www.virtualbox.org/wiki/Downloads), ' +
  'so that VBoxManage is in the PATH';

/** Finds what VirtualBox lacks. The version is only asked for before a start. */
export const vboxLacks = async (starts: boolean): Promise<Missing | null> => {
  const program = await findVBoxManage();
  if (program === null) return { needs: 'VBoxManage', install: INSTALL };
  if (!starts) return null;
  const { stdout, stderr } = await runProgram(program, ['--version'], { timeout: TIMEOUT_MS });
  // It prints the version with a warning that no machine can be started.
  if (/vboxdrv/.test(stdout + stderr))
    return {
      needs: "VirtualBox's kernel module vboxdrv",
      install: 'load it (sudo modprobe vboxdrv), or build it first (sudo /sbin/vboxconfig)',
    };
  const major = Number(/^(\d+)\.\d+/m.exec(stdout)?.[1] ?? 0);
  return major >= 5 ? null : { needs: 'VirtualBox 5 or newer', install: INSTALL };
};

/** Answers what it printed. Throws a VBoxError. */
export const vboxManage = async (...args: string[]): Promise<string> => {
  const program = await findVBoxManage();
  if (program === null) throw new VBoxError('missing', `VBoxManage is gone: ${INSTALL}`);
  const until = performance.now() + LOCKED_MS;
  for (;;) {
    const { code, stdout, stderr } = await runProgram(program, args, { timeout: TIMEOUT_MS });
    if (code === 0) return stdout;
    const error = errorIn(stderr, `VBoxManage ${args.slice(0, 2).join(' ')} ended with code ${code ?? 'unknown'}`);
    if (!isLocked(error) || performance.now() >= until) throw error;
    await sleep(AGAIN_MS);
  }
};

const isLocked = ({ message }: VBoxError): boolean => /\block(?:ed)?\b|being (?:un)?locked/.test(message);

/**
 * Lines of an error are `VBoxManage: error: <what>`, `... error: Details: code <symbol> (<number>), component ...` and
 * `... error: Context: ...`; 7.1 and newer put the command in capitals in place of the program.
 */
export const errorIn = (stderr: string, otherwise: string): VBoxError => {
  const lines = [...stderr.matchAll(/^\S+: error: (.*)$/gm)].map(([, line = '']) => line.trim());
  const details = lines.find((line) => line.startsWith('Details: ')) ?? '';
  const said = lines.filter((line) => !/^(?:Details|Context): /.test(line)).join('; ');
  const code = /code (\w+) \(0x/.exec(details)?.[1] ?? null;
  return new VBoxError(code, said || stderr.trim().slice(-1000) || otherwise);
};

export const isNotFound = (error: unknown): boolean =>
  error instanceof VBoxError && (error.code === 'VBOX_E_OBJECT_NOT_FOUND' || error.code === 'missing');
