/** Secrets in texts: where they are, and what stands for them. Pure. */

/** Shown in the place of a secret. */
export const HIDDEN = '***';
/** Stands for a secret in events and records; the value is kept elsewhere by the 32 digits. */
export const REFERENCE = /\*\*\*([0-9a-f]{32})/g;
const ONLY_REFERENCE = /^\*\*\*[0-9a-f]{32}$/;
const ANY = /^\*\*\*[0-9a-f]{32}/;

/** A text that is a secret wherever it stands: `***secret:VALUE***`. */
const MARK = '***secret:';
export const markOf = (secret: string): string => `${MARK}${secret}${HIDDEN}`;
const MARKED = /\*\*\*secret:([\s\S]+?)\*\*\*/g;

/** Names behind which a secret stands: `DB_PASSWORD=x`, `"token": "x"`, `enable secret x`. */
const NAME = /password|secret|token/i;
/** It is replaced when a node starts: the secret is elsewhere. */
const PLACEHOLDER = /^(?:%[a-z-]+%|\$\{[^{}]+\})$/;

/** Keys whose texts tell people something. */
const FOR_PEOPLE = new Set(['usage']);

export const referenceTo = (digits: string): string => HIDDEN + digits;

export const isReference = (text: string): boolean => ONLY_REFERENCE.test(text);

export const hasHidden = (text: string): boolean => text.includes(HIDDEN);

/** Whether a JSON value has references. */
export const hasReferences = (value: unknown): boolean => {
  const text = JSON.stringify(value) ?? '';
  return hidden(text) !== text;
};

/** A text as it is shown. */
export const hidden = (text: string): string => (text.includes(HIDDEN) ? text.replace(REFERENCE, HIDDEN) : text);

/** Changes each member of an object or list; one in which nothing changes stays the same object. */
const eachMember = (value: object, change: (item: unknown, key: string) => unknown): object => {
  let copy: Record<string, unknown> | null = null;
  for (const [key, item] of Object.entries(value)) {
    const changed = change(item, key);
    if (changed === item) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[key] = changed;
  }
  return copy ?? value;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Changes each text in a JSON value. */
export const mapTexts = <T>(value: T, change: (text: string) => string): T => {
  const mapped = (item: unknown): unknown => {
    if (typeof item === 'string') return change(item);
    return isObject(item) ? eachMember(item, mapped) : item;
  };
  return mapped(value) as T;
};

/** Returns what replaces a secret, which may be a reference or `***`. `given`: the secret as it stands in the text, with its mark. */
type Put = (secret: string, given: string) => string;

/** Replaces each secret in a JSON value. */
export const replaceSecrets = <T>(value: T, put: Put): T => without(value, put, '') as T;

/** Whether a JSON value has a secret for which no reference stands. */
export const hasSecrets = (value: unknown): boolean => {
  let found = false;
  replaceSecrets(value, (secret, given) => {
    found ||= !isReference(secret) && secret !== HIDDEN;
    return given;
  });
  return found;
};

/** Whether a JSON value has `***` where a secret is wanted: it was left out where the value comes from. */
export const lacksSecrets = (value: unknown): boolean => {
  let found = false;
  replaceSecrets(value, (secret, given) => {
    found ||= secret === HIDDEN;
    return given;
  });
  return found;
};

const without = (value: unknown, put: Put, name: string): unknown => {
  if (typeof value === 'string') {
    if (FOR_PEOPLE.has(name)) return value;
    const unmarked = withoutIn(value, put);
    return unmarked === value && NAME.test(name) && !value.includes('\n') && isValue(value)
      ? put(value, value)
      : unmarked;
  }
  if (!isObject(value)) return value;
  // `{name, value}`, as variables have it.
  const own = (value as { name?: unknown }).name;
  const nameOf = (key: string): string => {
    if (key === 'value' && typeof own === 'string') return own;
    return Array.isArray(value) ? name : key;
  };
  return eachMember(value, (item, key) => without(item, put, nameOf(key)));
};

const isValue = (text: string): boolean => text !== '' && !PLACEHOLDER.test(text);

/** Replaces each secret in a text. */
const withoutIn = (text: string, put: Put): string => {
  const unmarked = text.includes(MARK) ? text.replace(MARKED, (given, secret: string) => put(secret, given)) : text;
  if (!NAME.test(unmarked)) return unmarked;
  return unmarked
    .split('\n')
    .map((line) => withoutInLine(line, put))
    .join('\n');
};

const WORD = /[\w.-]/;

const withoutInLine = (line: string, put: Put): string => {
  let done = '';
  let rest = line;
  for (;;) {
    const found = valueIn(rest);
    if (found === null) return done + rest;
    const { at, end } = found;
    const value = rest.slice(at, end);
    done += rest.slice(0, at) + (isValue(value) ? put(value, value) : value);
    rest = rest.slice(end);
  }
};

/** The first value behind a name: to its closing quote, or to the end of the line. null: there is none. */
const valueIn = (line: string): { at: number; end: number } | null => {
  let from = 0;
  for (;;) {
    const found = NAME.exec(line.slice(from));
    if (found === null) return null;
    const begun = from + found.index;
    let start = begun;
    while (start > from && WORD.test(line.charAt(start - 1))) start--;
    let end = begun + found[0].length;
    while (end < line.length && WORD.test(line.charAt(end))) end++;
    const isWord = line.slice(start, end).replace(/^-+/, '').length === found[0].length;
    const behind = /^["']?\s*[=:]\s*|^["']?\s+/.exec(line.slice(end, end + 100))?.[0] ?? '';
    const at = end + behind.length;
    // Behind a blank it is a value only of the word itself: `password-encryption on` has none.
    if (behind !== '' && at < line.length && (/[=:]/.test(behind) || isWord)) return quoted(line, at);
    from = end;
  }
};

const quoted = (line: string, at: number): { at: number; end: number } => {
  const quote = line.charAt(at);
  const close = quote === '"' || quote === "'" ? line.indexOf(quote, at + 1) : -1;
  if (close > at + 1) return { at: at + 1, end: close };
  return { at, end: at + line.slice(at).trimEnd().length };
};

/** A text whose secrets are no longer marked. */
export const withoutMarks = (text: string): string => (text.includes(MARK) ? text.replace(MARKED, '$1') : text);

/** Puts the references of `before` back where a value has `***` in their places: who sends back what is shown changes nothing. */
export const withKept = <T>(value: T, before: unknown): T => kept(value, before) as T;

const kept = (value: unknown, before: unknown): unknown => {
  if (typeof value === 'string') return typeof before === 'string' ? keptText(value, before) : value;
  if (!isObject(value) || !isObject(before)) return value;
  return eachMember(value, (item, key) => kept(item, memberOf(before, key, item)));
};

/** Items of lists that have names are found by them. */
const memberOf = (before: object, key: string, item: unknown): unknown => {
  const { name } = (item ?? {}) as { name?: unknown };
  if (!Array.isArray(before) || name === undefined) return (before as Record<string, unknown>)[key];
  return before.find((one: { name?: unknown } | null) => one?.name === name) as unknown;
};

/** By the beginning of the line, as it is shown. */
const keptText = (text: string, before: string): string => {
  if (!text.includes(HIDDEN) || !before.includes(HIDDEN)) return text;
  const known = new Map<string, string[]>();
  for (const line of before.split('\n'))
    for (const { index, 0: reference } of line.matchAll(REFERENCE)) {
      const beginning = hidden(line.slice(0, index)).trimStart();
      known.set(beginning, [...(known.get(beginning) ?? []), reference]);
    }
  return text
    .split('\n')
    .map((line) => keptLine(line, known))
    .join('\n');
};

const keptLine = (line: string, known: ReadonlyMap<string, string[]>): string => {
  let done = '';
  let at = 0;
  for (let next = line.indexOf(HIDDEN); next >= 0; next = line.indexOf(HIDDEN, at)) {
    // A reference that is there already counts as what is shown for it.
    const own = ANY.exec(line.slice(next))?.[0];
    const references = known.get(hidden(line.slice(0, next)).trimStart());
    // Several behind the same beginning follow each other as they did.
    const reference = references !== undefined && references.length > 1 ? references.shift() : references?.[0];
    done += line.slice(at, next) + (own ?? reference ?? HIDDEN);
    at = next + (own ?? HIDDEN).length;
  }
  return done + line.slice(at);
};
