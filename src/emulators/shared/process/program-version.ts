import { execFile } from 'node:child_process';

const PATIENCE_MS = 5_000;

/** What the first group of `pattern` finds in what a program says of its version, on either output; null when it finds nothing. */
export const programVersion = (
  program: string,
  pattern: RegExp,
  args: readonly string[] = ['--version'],
): Promise<string | null> =>
  new Promise((resolve) => {
    // Some say it with an exit code of failure.
    const asked = execFile(program, [...args], { timeout: PATIENCE_MS }, (_error, stdout, stderr) =>
      resolve(pattern.exec(`${stdout}\n${stderr}`)?.[1] ?? null),
    );
    asked.stdin?.end();
  });
