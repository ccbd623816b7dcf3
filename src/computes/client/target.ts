import type { ComputeFields } from '../../events/server-fields.ts';
import { lookupElsewhere } from '../../common/loopback.ts';

/** Where a compute is, and how to be let in. */
export interface Target extends Pick<ComputeFields, 'name' | 'protocol' | 'host' | 'port' | 'user'> {
  certificate?: string;
  password: string | null;
  /** It may be at an address that only this machine reaches. */
  mayBeHere: boolean;
}

/** `[::1]`; the any-address means this machine, as existing tools send it. */
const hostOf = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
};

export const originOf = ({ protocol, host, port }: Pick<Target, 'protocol' | 'host' | 'port'>): string =>
  `${protocol}://${hostOf(host)}:${port}`;

/** HTTP Basic, RFC 7617. */
export const authorizationOf = ({ user, password }: Pick<Target, 'user' | 'password'>): Record<string, string> =>
  user === null ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };

/** For its sockets. A pinned certificate is trusted for whatever name it has, and no other one is. */
export const socketsTo = ({ certificate, mayBeHere }: Pick<Target, 'certificate' | 'mayBeHere'>): object => ({
  ...(certificate === undefined ? {} : { ca: certificate, checkServerIdentity: () => undefined }),
  ...(mayBeHere ? {} : { lookup: lookupElsewhere }),
});
