import { createStore } from '../store/store.ts';
import { language, told } from './words.ts';

/** What forms call the fields of records, by their names there; nothing until somebody has read the server's forms. */
export const titles = createStore<ReadonlyMap<string, string>>(new Map());

/** What kinds are called by language, by the names that the server has for them; nothing until somebody has read its forms. */
export const kindTitles = createStore<ReadonlyMap<string, Readonly<Record<string, string>>>>(new Map());

/** A kind as people read it: the server names it with underscores. */
export const sayKind = (kind: string): string =>
  kindTitles.get().get(kind)?.[language.get()] ?? kind.replaceAll('_', ' ');

/** `properties.adapter_type` as its form calls it; what has no form goes by its own name. */
export const titleOf = (field: string): string =>
  field
    .replace(/^properties\./, '')
    .split('.')
    .map((part) => told(titles.get().get(part) ?? part.replaceAll('_', ' ')))
    .join(' ');

/** The same within a sentence. German has its nouns as they are. */
export const titleWithin = (field: string): string => {
  const title = titleOf(field);
  return language.get() === 'en' ? title.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()) : title;
};
