import { IntlMessageFormat } from 'intl-messageformat';
import { createStore } from '../store/store.ts';
import type { german } from './german.ts';
import { sentencesIn } from './sentences.ts';

/** Messages of the page, in English: ICU MessageFormat. The other language is found by them, so a message without one does not compile. */
export type Message = keyof typeof german;
export type Values = Readonly<Record<string, string | number | Date>>;
export type Language = 'en' | 'de';

/** In their own names. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

const KEY = 'topolog.language';
const isLanguage = (value: unknown): value is Language => value === 'en' || value === 'de';

let messages: Readonly<Record<string, string>> | null = null;
let sentenceFor: ((text: string) => string | undefined) | null = null;
let titleFor: ((title: string) => string | undefined) | null = null;
const formats = new Map<string, IntlMessageFormat>();

/** The one that is shown. Who shows text starts again with another one. */
export const language = createStore<Language>('en');

/** The chosen language, or else the first one of the browser's that there is. */
export const wantedLanguage = (kept: string | null, asked: readonly string[]): Language =>
  isLanguage(kept) ? kept : (asked.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en');

/** Loads the messages of a language and shows them. */
export const speak = async (wanted: Language): Promise<void> => {
  const german = wanted === 'de' ? await import('./german.ts') : null;
  messages = german?.everything ?? null;
  sentenceFor = german === null ? null : sentencesIn(german.sentences, told);
  titleFor = german === null ? null : sentencesIn(german.titles, toldTitle);
  formats.clear();
  document.documentElement.lang = wanted;
  language.set(wanted);
};

/** As it was asked for in this browser. */
export const speakAsAsked = (): Promise<void> => speak(wantedLanguage(localStorage.getItem(KEY), navigator.languages));

export const changeLanguage = (wanted: Language): Promise<void> => {
  localStorage.setItem(KEY, wanted);
  return speak(wanted);
};

/** Translates a text of the server, of its settings or of what it did not do, into the language of the page where there is one. */
export const told = (text: string): string => messages?.[text] ?? sentenceFor?.(text) ?? text;

/** Title of a check: the server's, if nobody has named it. */
export const toldTitle = (title: string): string => titleFor?.(title) ?? title;

/** A message in the language of the page. `values`: for its placeholders; numbers and dates by the locale of the browser. */
export const t = (message: Message, values?: Values): string => {
  const text = messages?.[message] ?? message;
  if (values === undefined && !/[{}']/.test(text)) return text;
  let format = formats.get(text);
  if (format === undefined) formats.set(text, (format = new IntlMessageFormat(text, language.get())));
  return String(format.format(values));
};
