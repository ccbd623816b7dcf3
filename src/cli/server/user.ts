import path from 'node:path';
import { invalid } from '../../common/errors.ts';
import { addUser, checkUserName, listUsers, removeUser } from '../../http/access/users.ts';
import { usersFileOf } from '../../server/config.ts';
import { command, COMMON, dataDirOf, parse, wrongUsage } from '../command.ts';
import { printable } from '../printable.ts';
import { newPassword } from './password.ts';

const HELP = `topolog user add NAME | remove NAME | list [--users FILE] [--data-dir DIR]

Users and their passwords, in a file of names and password hashes that only this user can read (DIR/users). A server that runs
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
    const users = await listUsers(file);
    if (users.length === 0) process.stderr.write(`topolog: there are no users in ${printable(file)}\n`);
    process.stdout.write(users.map((user) => `${user}\n`).join(''));
    return 0;
  }
  if ((action !== 'add' && action !== 'remove') || name === undefined || more !== undefined)
    throw wrongUsage('user add NAME | remove NAME | list');
  if (action === 'add') await add(file, checkUserName(name));
  else {
    await removeUser(file, name);
    process.stdout.write(`user ${name} removed from ${file}\n`);
  }
  return 0;
});

const add = async (file: string, name: string): Promise<void> => {
  const password = await newPassword();
  if (password === '') throw invalid('the password must not be empty');
  process.stdout.write(`user ${name} ${await addUser(file, name, password)} in ${file}\n`);
};
