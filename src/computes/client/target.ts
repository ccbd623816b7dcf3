import type { ComputeFields } from '../../events/server-fields.ts';
import { lookupElsewhere } from '../../common/loopback.ts';

/** Address of a compute, and its user and password. */
export interface Target extends Pick<ComputeFields, 'name' | 'protocol' | 'host' | 'port' | 'user'> {
  certificate?: string;
  password: string | null;
  /** Addresses that only this machine reaches are allowed. */
  mayBeHere: boolean;
}

/** Host as a URL has it: IPv6 in brackets. Existing tools send the any-address for this machine. */
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

/** Options of sockets to it. A pinned certificate is trusted whatever name it has, and no other certificate is. */
export const socketsTo = ({ certificate, mayBeHere }: Pick<Target, 'certificate' | 'mayBeHere'>): object => ({
  ...(certificate === undefined ? {} : { ca: certificate, checkServerIdentity: () => undefined }),
  ...(mayBeHere ? {} : { lookup: lookupElsewhere }),
});

/** A path for a request, with its slashes. */
export const encodedPath = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
