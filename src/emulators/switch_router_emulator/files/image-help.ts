import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';

/** What an image says of itself. */
export interface ImageHelp {
  /** Kilobytes of NVRAM when it is given no other amount; null: it does not say. */
  nvram: number | null;
  /** It knows `-l`. */
  keepalives: boolean;
}

const PATIENCE_MS = 5_000;
/** By path, size and time of the image. */
const asked = new Map<string, Promise<ImageHelp>>();

/** Asks an image once for its help, in a directory where it may write. */
export const helpOf = async (image: string, cwd: string): Promise<ImageHelp> => {
  const { size, mtimeMs } = await stat(image);
  const key = `${image}\n${size}\n${mtimeMs}`;
  let help = asked.get(key);
  if (help === undefined) asked.set(key, (help = ask(image, cwd)));
  return help;
};

const ask = (image: string, cwd: string): Promise<ImageHelp> =>
  new Promise((resolve) => {
    // It may end with a code of failure: what counts is what it prints.
    const running = execFile(image, ['-h'], { cwd, timeout: PATIENCE_MS }, (_error, stdout, stderr) =>
      resolve(readHelp(`${stdout}\n${stderr}`)),
    );
    running.stdin?.on('error', () => undefined);
    running.stdin?.end();
  });

/** `-n <n>  Size of nvram in Kb (default 64KB)`, `-l  Enable Layer 1 keepalive messages`. */
export const readHelp = (text: string): ImageHelp => {
  const nvram = /-n\s+<n>\s+Size of nvram in Kb \(default (\d+)\s*KB\)/i.exec(text)?.[1];
  return {
    nvram: nvram === undefined ? null : Number(nvram),
    keepalives: /^[ \t]*-l\s+Enable Layer 1 keepalive/im.test(text),
  };
};
