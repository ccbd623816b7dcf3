import { createStore } from '../store/store.ts';
import { language, told } from './words.ts';

/** Titles of fields of records in forms, by their names there; empty until somebody has read the server's forms. */
export const titles = createStore<ReadonlyMap<string, string>>(new Map());

/** Titles of kinds by language, by the server's names for them; empty until somebody has read its forms. */
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
