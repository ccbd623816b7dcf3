import { execFile } from 'node:child_process';

/** How a program that was waited for has ended. */
interface ProgramResult {
  /** null: a signal ended it, or it could not be started. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Milliseconds after which it is killed. */
  timeout: number;
  /** Aborting kills it. */
  signal?: AbortSignal;
}

const LARGEST_OUTPUT = 16 * 1024 * 1024;

/** Never throws: a program that cannot be started says so in `stderr`. */
export const runProgram = (
  program: string,
  args: readonly string[],
  { timeout, signal }: RunOptions,
): Promise<ProgramResult> =>
  new Promise((resolve) => {
    const options = {
      timeout,
      maxBuffer: LARGEST_OUTPUT,
      windowsHide: true,
      env: environment(),
      ...(signal && { signal }),
    };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      const code = typeof error.code === 'number' ? error.code : null;
      const late = error.killed === true ? `it did not answer within ${timeout / 1000} s` : error.message;
      resolve({ code, stdout, stderr: code === null ? `${stderr}${late}` : stderr });
    });
  });

/** Messages in English, whose words are looked for; names of machines as the user writes them. */
const environment = (): NodeJS.ProcessEnv => {
  const { LC_ALL, LANGUAGE: _, ...rest } = process.env;
  return { ...rest, ...(LC_ALL === undefined ? {} : { LC_CTYPE: LC_ALL }), LC_MESSAGES: 'C' };
};

/** Whether a window can be shown here. */
export const hasScreen = (): boolean =>
  process.platform !== 'linux' || ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (process.env[name] ?? '') !== '');
