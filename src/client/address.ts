import { createFinalURL, createQuerySerializer } from 'openapi-fetch';

/** Address of a server with the credentials for it. */
export interface Address {
  /** Without a slash at its end. */
  base: string;
  /** Headers of every request. */
  headers: Readonly<Record<string, string>>;
  /** Address for WebSockets, which take no headers. It contains the password: only WebSockets may get it. */
  socketBase: string;
}

export interface Credentials {
  user?: string | undefined;
  password?: string | undefined;
}

/** Takes the user and password out of a URL, as `fetch` refuses such URLs; those given beside it count first. */
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

/** Placeholders whose values may contain slashes, which are not escaped. */
const TAILS = new Set(['path', 'filename', 'action']);

/** Fills a path template and appends the query. Throws TypeError for a value that is missing or that a URL cannot carry. */
export const fill = (template: string, { path = {}, query = {} }: Place): string =>
  createFinalURL(template, {
    baseUrl: '',
    params: { path, query },
    querySerializer: createQuerySerializer(),
    pathSerializer: fillPath,
  });

/** Fills the placeholders of a path; the library keeps those without a value, and accepts `..`. Throws TypeError. */
export const fillPath = (template: string, path: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] as string | number | undefined;
    if (value === undefined || value === '') throw new TypeError(`${template} needs a value for ${name}`);
    const segments = TAILS.has(name) ? String(value).split('/') : [String(value)];
    // A URL removes such a segment, together with the one before it, even if it is escaped.
    if (segments.some((segment) => segment === '.' || segment === '..'))
      throw new TypeError(`${name} must not have . or .. in it: ${value}`);
    return segments.map(encodeURIComponent).join('/');
  });
