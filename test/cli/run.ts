import { spawn } from 'node:child_process';
import { programFile } from '../../src/common/package.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `topolog` with these arguments to its end. */
export const topolog = (...args: string[]): Promise<Ended> => topologIn({}, ...args);

/** The same with other variables in its environment. */
export const topologIn = (env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> => run(args, { env });

/** The same with a standard input. */
export const topologWith = (input: string, ...args: string[]): Promise<Ended> => run(args, { input });

/** The same whose standard output is closed, as that of a pipe to `head` that has enough. */
export const topologUnread = (...args: string[]): Promise<Ended> => run(args, { isUnread: true });

interface Ways {
  env?: NodeJS.ProcessEnv;
  input?: string;
  isUnread?: boolean;
}

const run = (args: string[], { env = {}, input, isUnread = false }: Ways): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const program = programFile('cli/topolog');
    const child = spawn(process.execPath, [program, ...args], {
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    child.stdin?.end(input);
    if (isUnread) child.stdout?.destroy();
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
