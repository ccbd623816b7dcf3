import type { Logger } from 'pino';
import { conflict, invalid } from '../common/errors.ts';
import { isLoopback } from '../common/loopback.ts';
import { openUsers, type Users } from '../http/access/users.ts';
import type { Config } from './config.ts';

/** Opens the file of users. Throws where others could reach the server and nobody would be asked for a password. */
export const usersOf = (config: Config, logger: Logger): Users => {
  const { host, usersFile, needsUsers, insecure } = config;
  const users = openUsers(usersFile, logger);
  const add = `topolog user add NAME --users ${usersFile}`;
  if (needsUsers && !users.areAsked()) throw invalid(`${usersFile} has no users; ${add} makes one`, { field: 'users' });
  if (users.areAsked() || isLoopback(host)) return users;
  if (!insecure)
    throw conflict(
      `others can reach ${host}, and nobody would be asked for a password: ${add} makes a user; --insecure goes on without`,
    );
  logger.warn(`everyone who reaches ${host} can do everything: --insecure asks nobody for a password`);
  return users;
};

/** Address of consoles. They ask for no password, so with users others reach them only if the configuration says so. */
export const consoleHostOf = ({ host, consoleHost }: Config, users: Users): string => {
  const address = consoleHost ?? (users.areAsked() && !isLoopback(host) ? '127.0.0.1' : host);
  return address === 'localhost' ? '127.0.0.1' : address;
};
