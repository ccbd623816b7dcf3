import { invalid } from '../../../common/errors.ts';

/** Where a database is. */
export interface Address {
  /** In words, without a password. */
  place: string;
  /** A URL for each of its hosts, in the order in which they are tried. */
  urls: string[];
}

/** Name or address of a host and its port; none: what the environment of PostgreSQL's programs says. */
const HOST = /^(?:\[[\da-fA-F:.]+\]|[^\s:[\]]+|%2[fF][^\s:]*)?(?::\d{1,5})?$/;

/** `postgres://user:password@host:port,host:port/database?parameters`; no error of it has the text, which may hold a password. */
export const addressOf = (text: string): Address => {
  const [, scheme = '', authority = '', database = '', parameters = ''] =
    /^(postgres(?:ql)?):\/\/([^/?#]*)(\/[^?#]*)?(\?.*)?$/.exec(text) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',');
  // A password with one of these makes a host of the wrong part.
  if (scheme === '' || database.includes('@') || hosts.some((host) => !HOST.test(host))) throw noAddress();
  // The package takes these for the strictest, and warns of it each time.
  const given = parameters.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
  const urls = hosts.map((host) => `${scheme}://${authority.slice(0, at)}${host}${database}${given}`);
  const user = authority.slice(0, at).replace(/^([^:]*):.*@$/, '$1@');
  return { place: `${scheme}://${user}${hosts.join(',')}${database}`, urls };
};

const noAddress = (): Error =>
  invalid(
    'the log must be at an address like postgres://user@host:5432,host:5432/database, with / ? # @ of a password as %2F %3F %23 %40',
    { field: 'log' },
  );
