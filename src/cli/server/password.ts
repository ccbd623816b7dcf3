import { readFile } from 'node:fs/promises';
import type { ReadStream } from 'node:tty';
import { fileTroubleOf, invalid } from '../../common/errors.ts';

/** Longest password: HTTP Basic carries it in a header. */
const MOST = 512;

/** Reads a new password twice from the terminal, or once from the first line of standard input. */
export const newPassword = async (): Promise<string> => {
  const { stdin } = process;
  if (!stdin.isTTY) return firstLine(stdin);
  const first = checked(await typed(stdin, 'Password: '));
  if ((await typed(stdin, 'Once more: ')) !== first) throw invalid('the two passwords differ');
  return first;
};

/** Reads an existing password: the first line of a file, of the terminal or of standard input. */
export const knownPassword = async (file: string | undefined): Promise<string> => {
  const { stdin } = process;
  if (file === undefined) return stdin.isTTY ? checked(await typed(stdin, 'Password: ')) : firstLine(stdin);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw invalid(`the password file cannot be read: ${fileTroubleOf(error)}`);
  });
  return lineOf(text);
};

const firstLine = async (input: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of input) {
    chunks.push(chunk);
    if (chunk.includes(0x0a)) break;
  }
  return lineOf(Buffer.concat(chunks).toString());
};

const lineOf = (text: string): string => checked((text.split('\n', 1)[0] ?? '').replace(/\r$/, ''));

const checked = (password: string): string => {
  if (password.length > MOST) throw invalid(`the password has more than ${MOST} characters`);
  return password;
};

/** Reads a line from a terminal without showing it. */
const typed = (terminal: ReadStream, prompt: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let line = '';
    const end = (settle: () => void): void => {
      terminal.off('data', take).setRawMode(false).pause();
      process.stderr.write('\n');
      settle();
    };
    const take = (text: string): void => {
      for (const c of text) {
        if (c === '\u0003' || c === '\u0004') return end(() => reject(invalid('no password was given')));
        if (c === '\r' || c === '\n') return end(() => resolve(line));
        if (c === '\u007f' || c === '\b') line = line.replace(/.$/u, '');
        else line += c;
      }
    };
    process.stderr.write(prompt);
    terminal.setRawMode(true).setEncoding('utf8').on('data', take).resume();
  });
