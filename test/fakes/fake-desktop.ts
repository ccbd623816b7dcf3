import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findMachineProcess } from '../../src/emulators/shared/desktop-vm/machine-process.ts';
import { isAlive } from '../../src/processes/identity.ts';
import { serveCalls } from './desktop-host.ts';

/** A fake hypervisor in a directory of its own, whose programs are first in the PATH as long as it is there. */
export interface FakeDesktop<S> {
  home: string;
  /** All there is; may be changed. */
  state: S;
  /** The next call of a command fails in this way. */
  fail(command: string, failure: string): Promise<void>;
  /** Arguments of every call so far. */
  calls(): Promise<string[][]>;
  forgetCalls(): Promise<void>;
  /** Uses that the real program does not have. */
  violations(): Promise<string>;
  /** Ends what runs. */
  close(): Promise<void>;
}

/** `answer` is the program `name`; the `others` only have to be there. */
export const fakeDesktop = async <S>(
  state: S,
  {
    name,
    answer,
    others = [],
  }: { name: string; answer: (state: S, argv: readonly string[]) => Promise<string>; others?: string[] },
): Promise<FakeDesktop<S>> => {
  const home = await mkdtemp(path.join(tmpdir(), 'topolog-desktop-'));
  const bin = path.join(home, 'bin');
  await mkdir(bin);
  const served = await serveCalls(home, (argv) => answer(state, argv));
  await writeFile(path.join(bin, name), caller(home, served.port), { mode: 0o755 });
  for (const other of others) await writeFile(path.join(bin, other), '#!/bin/sh\n', { mode: 0o755 });
  const before = process.env['PATH'] ?? '';
  process.env['PATH'] = `${bin}${path.delimiter}${before}`;
  const text = (file: string): Promise<string> => readFile(path.join(home, file), 'utf8').catch(() => '');

  return {
    home,
    state,
    fail: (command, failure) => writeFile(path.join(home, `fail-${command}`), failure),
    calls: async () =>
      (await text('calls.log'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as string[]),
    forgetCalls: () => rm(path.join(home, 'calls.log'), { force: true }),
    violations: () => text('violations.log'),
    async close() {
      process.env['PATH'] = before;
      await served.close();
      await endMachines(home);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** What is in the PATH: a shell starts many times faster than Node. */
const caller = (home: string, port: number): string => `#!/bin/bash
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\\0' "$#" "$@" >&3
read -r code number <&3
cat '${home}'/"$number".err >&2
cat '${home}'/"$number".out
exit "$code"
`;

/** Machines that a failed test has left. */
const endMachines = async (home: string): Promise<void> => {
  for (const name of (await readdir(home)).filter((one) => one.endsWith('.status'))) {
    const { pid } = JSON.parse(await readFile(path.join(home, name), 'utf8')) as { pid: number };
    const machine = await findMachineProcess((argv) => argv.some((word) => word.includes('desktop-machine')));
    if (machine?.pid === pid && (await isAlive(machine))) process.kill(pid, 'SIGKILL');
  }
};
