import { useSyncExternalStore } from 'react';

/** Where the page is. In the hash, so that the server has one page only. */
export type Route =
  | { readonly view: 'projects' }
  | { readonly view: 'catalogue'; readonly section: Section }
  | { readonly view: 'lab'; readonly projectId: string };

/** Parts of the catalogue, in their order. */
export const SECTIONS = ['images', 'templates', 'appliances', 'symbols'] as const;
export type Section = (typeof SECTIONS)[number];

export const routeOf = (hash: string): Route => {
  const [, wanted] = /^#\/catalogue(?:\/(\w+))?$/.exec(hash) ?? [];
  if (hash.startsWith('#/catalogue'))
    return { view: 'catalogue', section: SECTIONS.find((section) => section === wanted) ?? 'images' };
  const [, projectId] = /^#\/projects\/([0-9a-f-]{36})(?:\?.*)?$/i.exec(hash) ?? [];
  return projectId === undefined ? { view: 'projects' } : { view: 'lab', projectId };
};

export const hashOf = (route: Route): string =>
  route.view === 'lab'
    ? `#/projects/${route.projectId}`
    : route.view === 'catalogue'
      ? `#/catalogue/${route.section}`
      : '#/';

const MOMENT = /[?&]at=([^&]+)/;

/** The moment of the past that an address names, milliseconds since 1970. */
export const momentOf = (hash: string): number | null => {
  const [, at] = MOMENT.exec(hash) ?? [];
  const time = at === undefined ? NaN : Date.parse(decodeURIComponent(at));
  return Number.isNaN(time) ? null : time;
};

export const withMoment = (hash: string, time: number | null): string => {
  const [place = ''] = hash.split('?');
  return time === null ? place : `${place}?at=${new Date(time).toISOString()}`;
};

export const goTo = (route: Route): void => {
  location.hash = hashOf(route);
};

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

export const useRoute = (): Route => routeOf(useSyncExternalStore(subscribe, () => location.hash));
