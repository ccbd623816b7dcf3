import { useSyncExternalStore } from 'react';

/** Where the page is. In the hash, so that the server has one page only. */
export type Route =
  | { readonly view: 'projects' }
  | { readonly view: 'catalogue'; readonly section: Section }
  | { readonly view: 'lab'; readonly projectId: string }
  /** Panels of a lab in a window of their own, by their keys. */
  | { readonly view: 'panels'; readonly projectId: string; readonly keys: readonly string[] };

/** Parts of the catalogue, in their order. */
export const SECTIONS = ['images', 'templates', 'appliances', 'symbols'] as const;
export type Section = (typeof SECTIONS)[number];

/** No key has one. */
const BETWEEN = '|';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

export const routeOf = (hash: string): Route => {
  const [isCatalogue, wanted] = /^#\/catalogue(?:\/(\w+))?/.exec(hash) ?? [];
  if (isCatalogue !== undefined)
    return { view: 'catalogue', section: SECTIONS.find((section) => section === wanted) ?? 'images' };
  const [, projectId, panels] = /^#\/projects\/([0-9a-f-]{36})(?:\/panels\/([^?]*))?(?:\?.*)?$/i.exec(hash) ?? [];
  if (projectId === undefined) return { view: 'projects' };
  if (panels === undefined) return { view: 'lab', projectId };
  return { view: 'panels', projectId, keys: decoded(panels).split(BETWEEN) };
};

export const hashOf = (route: Route): string => {
  if (route.view === 'projects') return '#/';
  if (route.view === 'catalogue') return `#/catalogue/${route.section}`;
  const lab = `#/projects/${route.projectId}`;
  return route.view === 'lab' ? lab : `${lab}/panels/${encodeURIComponent(route.keys.join(BETWEEN))}`;
};

/** Value of a parameter behind the question mark of an address; null: it has none. */
export const wishOf = (hash: string, name: string): string | null => {
  const [, wishes = ''] = hash.split('?');
  const found = wishes.split('&').find((wish) => wish.startsWith(`${name}=`));
  return found === undefined ? null : decoded(found.slice(name.length + 1));
};

/** The address with something else under a name; null: with nothing. The rest of it stays. */
export const withWish = (hash: string, name: string, value: string | null): string => {
  const [place = '', wishes = ''] = hash.split('?');
  const others = wishes.split('&').filter((wish) => wish !== '' && !wish.startsWith(`${name}=`));
  const all = value === null ? others : [...others, `${name}=${value}`];
  return all.length === 0 ? place : `${place}?${all.join('&')}`;
};

/** Milliseconds since 1970; null: it is no time. */
export const timeOf = (text: string): number | null => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
};

/** The moment of the past that an address names, milliseconds since 1970. */
export const momentOf = (hash: string): number | null => timeOf(wishOf(hash, 'at') ?? '');

export const withMoment = (hash: string, time: number | null): string =>
  withWish(hash, 'at', time === null ? null : new Date(time).toISOString());

export const goTo = (route: Route): void => {
  location.hash = hashOf(route);
};

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

export const useRoute = (): Route => routeOf(useSyncExternalStore(subscribe, () => location.hash));
