import path from 'node:path';
import type { ReadStream } from 'node:tty';
import { usersFileOf } from '../server/config.ts';
import { invalid } from '../common/errors.ts';
import { checkUserName } from '../http/access/users.ts';
import { addUser, listUsers, removeUser } from '../http/access/users-file.ts';
import { COMMON, command, dataDirOf, parse } from './source.ts';

const HELP = `topolog user add NAME | remove NAME | list [--users FILE] [--data-dir DIR]

Who is asked for a password, in a file of name and password hash that only this user can read (DIR/users). A server that runs
reads it again at once. add asks for the password twice; when standard input is no terminal, its first line is the password. An
add of a user that is there changes the password.
`;

const OPTIONS = { ...COMMON, users: { type: 'string' } } as const;

/** `topolog user` */
export const userCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const file = values.users === undefined ? usersFileOf(dataDirOf(values['data-dir'])) : path.resolve(values.users);
  const [action, name, more] = positionals;
  if (action === 'list' && name === undefined) {
    process.stdout.write((await listUsers(file)).map((user) => `${user}\n`).join(''));
    return 0;
  }
  if ((action !== 'add' && action !== 'remove') || name === undefined || more !== undefined)
    throw invalid('topolog user takes add NAME, remove NAME or list');
  if (action === 'add') await add(file, checkUserName(name));
  else {
    await removeUser(file, name);
    process.stdout.write(`user ${name} removed from ${file}\n`);
  }
  return 0;
});

const add = async (file: string, name: string): Promise<void> => {
  const { stdin } = process;
  const password = stdin.isTTY ? await typedTwice(stdin) : await firstLine(stdin);
  if (password === '') throw invalid('the password must not be empty');
  process.stdout.write(`user ${name} ${await addUser(file, name, password)} in ${file}\n`);
};

/** Longest password: HTTP Basic carries it in a header. */
const MOST = 512;

const firstLine = async (input: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of input) {
    chunks.push(chunk);
    if (chunk.includes(0x0a)) break;
  }
  return checked((Buffer.concat(chunks).toString().split('\n', 1)[0] ?? '').replace(/\r$/, ''));
};

const checked = (password: string): string => {
  if (password.length > MOST) throw invalid(`the password has more than ${MOST} characters`);
  return password;
};

const typedTwice = async (terminal: ReadStream): Promise<string> => {
  const first = checked(await typed(terminal, 'Password: '));
  if ((await typed(terminal, 'Once more: ')) !== first) throw invalid('the two passwords differ');
  return first;
};

/** A line typed at a terminal that does not show it. */
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
