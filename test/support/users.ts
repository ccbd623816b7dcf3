import { randomBytes, scryptSync } from 'node:crypto';

/** A line of a file of users whose password costs next to nothing to check. */
export const userLine = (name: string, password: string): string => {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 16, r: 1, p: 1 });
  return `${name}:scrypt$16$1$1$${salt.toString('base64')}$${hash.toString('base64')}\n`;
};

/** Header of HTTP Basic. */
export const basic = (name: string, password: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
