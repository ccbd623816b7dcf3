import { createFinalURL, createQuerySerializer } from 'openapi-fetch';

/** Where requests go, and who asks. */
export interface Address {
  /** Without a slash at its end. */
  base: string;
  /** Of every request. */
  headers: Readonly<Record<string, string>>;
  /** Of WebSockets, which take no headers; only WebSockets themselves may see it, as it has the password in it. */
  socketBase: string;
}

export interface Credentials {
  user?: string | undefined;
  password?: string | undefined;
}

/** A user in the URL counts when none is given beside it; fetch itself refuses such URLs. */
export const addressOf = (given: string | URL, { user, password }: Credentials): Address => {
  const url = new URL(given);
  const name = user ?? decodeURIComponent(url.username);
  const secret = password ?? decodeURIComponent(url.password);
  url.username = url.password = url.search = url.hash = '';
  const base = withoutSlash(url);
  if (name === '') return { base, headers: {}, socketBase: forSockets(base) };
  url.username = encodeURIComponent(name);
  url.password = encodeURIComponent(secret);
  return { base, headers: { authorization: basic(name, secret) }, socketBase: forSockets(withoutSlash(url)) };
};

const withoutSlash = ({ href }: URL): string => href.replace(/(?<!\/)\/+$/, '');

/** `http` becomes `ws`, `https` becomes `wss`. */
export const forSockets = (url: string): string => url.replace(/^http/, 'ws');

/** RFC 7617, in UTF-8. */
const basic = (user: string, password: string): string =>
  `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(`${user}:${password}`)))}`;

type Value = string | number | boolean;
type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>;

export interface Place {
  path?: Readonly<Record<string, string | number>> | undefined;
  query?: Query | undefined;
}

/** Placeholders whose values may have slashes, which stay. */
const TAILS = new Set(['path', 'filename', 'action']);

/** A path template with its values, and the query. Throws TypeError for a value that is missing or that a URL cannot carry. */
export const fill = (template: string, { path = {}, query = {} }: Place): string =>
  createFinalURL(template, {
    baseUrl: '',
    params: { path, query },
    querySerializer: createQuerySerializer(),
    pathSerializer: fillPath,
  });

/** The library leaves a placeholder without a value as it is, and takes `..` for a value. */
export const fillPath = (template: string, path: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] as string | number | undefined;
    if (value === undefined || value === '') throw new TypeError(`${template} needs a value for ${name}`);
    const segments = TAILS.has(name) ? String(value).split('/') : [String(value)];
    // A URL takes such a segment away together with the one before, escaped or not.
    if (segments.some((segment) => segment === '.' || segment === '..'))
      throw new TypeError(`${name} must not have . or .. in it: ${value}`);
    return segments.map(encodeURIComponent).join('/');
  });
