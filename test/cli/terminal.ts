import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { programFile } from '../../src/common/package.ts';

const PROGRAM = programFile('cli/topolog');

/** Why nothing can be run at a terminal here; false: it can. */
export const noTerminal = await promisify(execFile)('script', ['--version']).then(
  ({ stdout }) => !stdout.includes('util-linux') && 'script is not that of util-linux',
  () => 'script (util-linux) is not installed',
);

/** `topolog` while it runs. */
export interface Session {
  child: ChildProcess;
  /** Resolves with all that it has printed once this is in it, rejects when it ends without. */
  until(pattern: RegExp): Promise<string>;
  type(text: string): void;
  /** Its exit code. */
  ended: Promise<number | null>;
}

const sessionOf = (child: ChildProcess): Session => {
  let output = '';
  let look = (): void => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      look();
    });
  const closed = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (pattern.test(output)) resolve(output);
        };
        look();
        void closed.then(() => reject(new Error(`it has ended without ${String(pattern)}: ${output}`)));
      }),
    type: (text) => void child.stdin?.write(text),
    ended: closed,
  };
};

/** Runs `topolog` with pipes. */
export const running = (env: NodeJS.ProcessEnv, ...args: string[]): Session =>
  sessionOf(spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env } }));

/** Runs it at a terminal of its own. */
export const atTerminal = (env: NodeJS.ProcessEnv, ...args: string[]): Session => {
  const line = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  return sessionOf(spawn('script', ['-qec', line, '/dev/null'], { env: { ...process.env, TERM: 'xterm', ...env } }));
};
