import { language } from './words.ts';

/** Clocks, dates and numbers as the locale of the browser has them; what is made of words as the language of the page has it. */

/** `the lock and the symbol` */
export const sayList = (items: readonly string[]): string => new Intl.ListFormat(language.get()).format(items);

/** `45m` as the server writes it is `45 min` for people. */
export const sayDuration = (text: string): string => {
  const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  return number === '' ? text : `${Number(number).toLocaleString()} ${unit === 'm' ? 'min' : unit}`;
};

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago an ISO time is: `3 minutes ago`, `yesterday`. `now`: milliseconds since 1970. */
export const sayAgo = (time: string, now: number): string => {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  const format = new Intl.RelativeTimeFormat(language.get(), { numeric: 'auto' });
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  return format.format(0, 'minute');
};

/** A time of the session as people read it, with its seconds. */
export const sayMoment = (time: number): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const sayClock = (time: number): string => new Date(time).toLocaleTimeString();
