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
}

/** Kept by the browser, where nobody is asked for a password. */
const NAME = 'topolog.name';
/** What the server takes for a name. */
const SANE = /^[\w.@ +-]{1,64}$/;

/** Whom the cookie is of; it goes with every request, also of pictures, downloads and WebSockets, and no script can read it. */
const sessionOf = (login: string | null, name: string | null): Session => ({
  client: connect({
    ...(login === null && name !== null ? { headers: { 'X-Topolog-User': name } } : {}),
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (answer.status === 401) session.update((now) => ({ ...now, isAsked: true }));
      return answer;
    },
  }),
  user: login ?? name,
  isLoggedIn: login !== null,
  isAsked: false,
});

export const session = createStore<Session>(sessionOf(null, localStorage.getItem(NAME)));

/** Finds out whether the server knows who this is, or wants to. Without an answer the page goes on, and says that nobody answers. */
export const beginSession = async (): Promise<void> => {
  const { asked, user } = await session.get().client.get('/v2/login');
  if (asked) session.set({ ...sessionOf(user, null), isAsked: user === null });
};

/** Tries a user; throws what the server says. The password is not kept. */
export const logIn = async (user: string, password: string): Promise<void> => {
  await connect({ user, password }).post('/v2/login');
  session.set(sessionOf(user, null));
};

export const logOut = async (): Promise<void> => {
  await session.get().client.delete('/v2/login');
  session.set({ ...sessionOf(null, null), isAsked: true });
};

/** A name for the history and for the others, where nobody is asked for a password. Throws for one that the server does not take. */
export const callMyself = (name: string): void => {
  if (!SANE.test(name)) throw new RangeError('At most 64 letters, digits, spaces and . @ + - _');
  localStorage.setItem(NAME, name);
  session.set(sessionOf(null, name));
};
