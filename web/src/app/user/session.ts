import { type Client, connect } from 'topolog/client';
import { createStore } from '../../store/store.ts';
import { t } from '../../words/words.ts';
import { retryingReads } from './retrying-fetch.ts';

/** Session of the page: who uses it, of which server. */
export interface Session {
  readonly client: Client;
  /** Null: nobody said. */
  readonly user: string | null;
  /** By a password; without one the name is what somebody calls themselves. */
  readonly isLoggedIn: boolean;
  /** The server asks for a password, or for another one. */
  readonly isAsked: boolean;
}

const NAME = 'topolog.name';
/** Names that the server accepts. */
const SANE = /^(?!(?:anonymous|system)$)(?! )[\w.@ +-]{1,64}(?<! )$/;

/** Headers that say who it is where nobody is asked; for what the client does not send. */
export const nameHeaders = ({ user, isLoggedIn }: Pick<Session, 'user' | 'isLoggedIn'>): Record<string, string> =>
  user === null || isLoggedIn ? {} : { 'X-Topolog-User': user };

const clientOf = (name: string | null): Client =>
  connect({
    headers: nameHeaders({ user: name, isLoggedIn: false }),
    fetch: async (input, init) => {
      const answer = await retryingReads(fetch)(input, init);
      if (answer.status === 401) session.update((now) => ({ ...now, isAsked: true }));
      return answer;
    },
  });

/** One that was taken before the server knew better is none. */
const knownName = (): string | null => {
  const name = localStorage.getItem(NAME);
  return name !== null && SANE.test(name) ? name : null;
};

const sessionOf = (name: string | null): Session => ({
  client: clientOf(name),
  user: name,
  isLoggedIn: false,
  isAsked: false,
});

export const session = createStore<Session>(sessionOf(knownName()));

/** Finds out whether the server asks, and whom it knows by the cookie that stands for a password. */
export const readLogin = async (): Promise<void> => {
  const { asked, user } = await session.get().client.get('/v2/login');
  if (asked) session.update((now) => ({ ...now, user, isLoggedIn: user !== null, isAsked: user === null }));
};

/** Tries a user; from then on a cookie stands for the password. Throws what the server says. */
export const logIn = async (user: string, password: string): Promise<void> => {
  await connect({ user, password }).post('/v2/login', { body: {} });
  session.set({ client: clientOf(null), user, isLoggedIn: true, isAsked: false });
};

export const logOut = async (): Promise<void> => {
  await session.get().client.delete('/v2/login');
  session.set({ ...sessionOf(null), isAsked: true });
};

/** A name for the history and for the others, where nobody is asked for a password. Throws for one that the server does not take. */
export const setUserName = (name: string): void => {
  if (!SANE.test(name))
    throw new RangeError(
      t('1 to 64 letters, digits, spaces and . @ + - _, no space at its ends; not anonymous or system'),
    );
  localStorage.setItem(NAME, name);
  session.set(sessionOf(name));
};
