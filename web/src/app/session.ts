import { type Client, connect } from 'topolog/client';
import { createStore } from '../store/store.ts';

/** Who uses the page, of which server. */
export interface Session {
  readonly client: Client;
  /** Null where nobody is asked. */
  readonly user: string | null;
  /** The server asks for a password, or for another one. */
  readonly isAsked: boolean;
  /** Over what feeds come: a browser keeps to six HTTP connections, and a WebSocket takes no headers. */
  readonly over: 'http' | 'websocket';
}

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Kept until the tab is closed. */
const KEY = 'topolog.login';

const remembered = (): Credentials | null => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return isCredentials(value) ? value : null;
  } catch {
    return null;
  }
};

const isCredentials = (value: unknown): value is Credentials =>
  typeof value === 'object' && value !== null && 'user' in value && 'password' in value;

const sessionOf = (credentials: Credentials | null): Session => ({
  client: connect({
    ...credentials,
    fetch: async (input, init) => {
      // Without credentials of the browser's own, so that it does not ask by itself.
      const answer = await fetch(input, { ...init, credentials: 'omit' });
      if (answer.status === 401) session.update((now) => ({ ...now, isAsked: true }));
      return answer;
    },
  }),
  user: credentials?.user ?? null,
  isAsked: false,
  over: credentials === null ? 'websocket' : 'http',
});

export const session = createStore<Session>(sessionOf(remembered()));

/** Tries a user; throws what the server says. */
export const logIn = async (user: string, password: string): Promise<void> => {
  const next = sessionOf({ user, password });
  await next.client.get('/v2/projects');
  sessionStorage.setItem(KEY, JSON.stringify({ user, password }));
  session.set(next);
};

export const logOut = (): void => {
  sessionStorage.removeItem(KEY);
  session.set({ ...sessionOf(null), isAsked: true });
};
