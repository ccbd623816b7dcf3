import { z } from 'zod';
import { JSON_RULES } from './property-text.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof UNITS;

const TEXT = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** Most characters of a text. */
const LONGEST_TEXT = 32;
/** Longest duration: a day. Milliseconds. */
const MOST_MS = 24 * UNITS.h;

/** Pattern of whole numbers up to one, with a fraction below it. */
const upTo = (most: number): string => {
  const digits = String(most);
  const below = digits.split('').flatMap((digit, i) => {
    const rest = digits.length - i - 1;
    const head = `${digits.slice(0, i)}[0-${Number(digit) - 1}]`;
    return digit === '0' ? [] : [rest === 0 ? head : `${head}\\d{${rest}}`];
  });
  const fewer = digits.length > 1 ? [`\\d{1,${digits.length - 1}}`] : [];
  return `0*(?:(?:${[...fewer, ...below].join('|')})(?:\\.\\d+)?|${digits}(?:\\.0+)?)`;
};

/** Pattern of durations as texts, without its ends. */
export const DURATION = `(?:${Object.entries(UNITS)
  .map(([unit, ms]) => `${upTo(MOST_MS / ms)}${unit}`)
  .join('|')})`;

/** Durations in JSON Schema. */
const RULE = {
  anyOf: [
    { type: 'string', pattern: `^${DURATION}$` },
    { type: 'number', minimum: 0, maximum: MOST_MS / UNITS.s },
  ],
};

const MUST = 'must be a duration such as 500ms, 10s or 2m, or a number of seconds, and at most 24h';

const millisecondsOf = (given: string | number): number => {
  if (typeof given === 'number') return Math.round(given * UNITS.s);
  const [, number, unit] = TEXT.exec(given) ?? [];
  return Math.round(Number(number) * UNITS[unit as Unit]);
};

/** A duration as people write it: `500ms`, `10s`, `2m`, `1h`, or a number of seconds. Parsed, it is milliseconds. */
export const duration = z
  .union([z.string().max(LONGEST_TEXT).regex(TEXT, MUST), z.number().nonnegative(MUST)], MUST)
  .register(JSON_RULES, RULE)
  .transform(millisecondsOf)
  .refine((ms) => ms <= MOST_MS, MUST);

/** A duration that stays as it was written. */
export const writtenDuration = z
  .union([z.string().max(LONGEST_TEXT), z.number()])
  .superRefine((given, context) => {
    const problem = duration.safeParse(given).error?.issues[0]?.message;
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .register(JSON_RULES, RULE);

/** Shortest text for a number of milliseconds. */
export const durationText = (ms: number): string => {
  const unit = ms === 0 ? 's' : ((['h', 'm', 's'] as const).find((name) => ms % UNITS[name] === 0) ?? 'ms');
  return `${ms / UNITS[unit]}${unit}`;
};
