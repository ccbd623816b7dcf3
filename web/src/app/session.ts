import { type Client, connect } from 'topolog/client';
import { createStore } from '../store/store.ts';

/** Who uses the page, of which server. */
export interface Session {
  readonly client: Client;
  /** Null: nobody said. */
  readonly user: string | null;
  /** By a password; without one the name is what somebody calls themselves. */
  readonly isLoggedIn: boolean;
  /** The server asks for a password, or for another one. */
  readonly isAsked: boolean;
  /** Value of the header for what the client does not send. */
  readonly authorization: string | null;
  /** Over what feeds come: a browser keeps to six HTTP connections, but its WebSockets take no headers. */
  readonly over: 'http' | 'websocket';
}

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Kept until the tab is closed. */
const LOGIN = 'topolog.login';
const NAME = 'topolog.name';
/** What the server takes for a name. */
const SANE = /^[\w.@ +-]{1,64}$/;

const remembered = (): Credentials | null => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(LOGIN) ?? 'null');
    return isCredentials(value) ? value : null;
  } catch {
    return null;
  }
};

const isCredentials = (value: unknown): value is Credentials =>
  typeof value === 'object' && value !== null && 'user' in value && 'password' in value;

const sessionOf = (login: Credentials | null, name: string | null): Session => ({
  client: connect({
    ...login,
    ...(login === null && name !== null ? { headers: { 'X-Topolog-User': name } } : {}),
    fetch: async (input, init) => {
      // Without credentials of the browser's own, so that it does not ask by itself.
      const answer = await fetch(input, { ...init, credentials: 'omit' });
      if (answer.status === 401) session.update((now) => ({ ...now, isAsked: true }));
      return answer;
    },
  }),
  user: login?.user ?? name,
  isLoggedIn: login !== null,
  isAsked: false,
  authorization: login === null ? null : basicOf(login),
  over: login === null ? 'websocket' : 'http',
});

const basicOf = ({ user, password }: Credentials): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;

export const session = createStore<Session>(sessionOf(remembered(), localStorage.getItem(NAME)));

/** Tries a user; throws what the server says. */
export const logIn = async (user: string, password: string): Promise<void> => {
  const next = sessionOf({ user, password }, null);
  await next.client.get('/v2/projects');
  sessionStorage.setItem(LOGIN, JSON.stringify({ user, password }));
  session.set(next);
};

export const logOut = (): void => {
  sessionStorage.removeItem(LOGIN);
  session.set({ ...sessionOf(null, null), isAsked: true });
};

/** A name for the history and for the others, where nobody is asked for a password. Throws for one that the server does not take. */
export const callMyself = (name: string): void => {
  if (!SANE.test(name)) throw new RangeError('At most 64 letters, digits, spaces and . @ + - _');
  localStorage.setItem(NAME, name);
  session.set(sessionOf(null, name));
};
