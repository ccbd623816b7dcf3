import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

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
