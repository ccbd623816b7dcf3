import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { MOST_SECRETS } from '../bounds.ts';
import { conflict } from '../errors.ts';
import type { FileSort } from '../file-sort.ts';
import { sealed, unsealed } from '../sealed.ts';
import {
  hidden,
  HIDDEN,
  isReference,
  mapTexts,
  markOf,
  REFERENCE,
  referenceTo,
  withKept,
  withoutMarks,
  replaceSecrets,
} from './texts.ts';
import { placeOf, type Secrets, secretsOf } from '../secrets.ts';

const FOLDER = 'secrets';

const secret = z.strictObject({
  /** Project; null: a template of the server. */
  of: z.string().nullable(),
  value: z.string(),
});
type Secret = z.infer<typeof secret>;

/** Secrets that were new in one batch of the log. Never changed but for `unused_since`, so a server that lost its lease destroys nothing. */
const storedEntry = z.strictObject({
  /** By the digits of their references. */
  secrets: z.record(z.string(), secret),
  /** Nothing has referred to them since. Milliseconds since 1970. */
  unused_since: z.int().exactOptional(),
});
type Entry = z.infer<typeof storedEntry>;

/** How long a secret is kept that nothing refers to: an undo needs it again. */
const KEEP_MS = 30 * 24 * 3_600_000;

/** Characters: a shorter secret, such as `1`, is no news in a sentence. */
const SHORTEST_TOLD = 4;

const parse = (kept: Secrets, name: string, text: string): Entry =>
  unsealed(text, storedEntry, placeOf(kept, name), 'put it back from a copy, or remove it and set its secrets again');

const entriesOf = async (kept: Secrets, known?: ReadonlyMap<string, Entry>): Promise<[string, Entry][]> => {
  const names = (await kept.list(FOLDER)).filter((name) => known?.has(name) !== true);
  const texts = await Promise.all(names.map(async (name) => [name, await kept.get(name)] as const));
  return texts.flatMap(([name, text]) => (text === null ? [] : [[name, parse(kept, name, text)]]));
};

export const LAB_SECRETS: FileSort = {
  name: 'secrets',
  what: 'secrets of labs',
  at: [`${FOLDER}/*.json`],
  changed: 'named',
  check: async ({ secrets }) => void (await entriesOf(secrets)),
};

/** Names of what is stored, for a copy of the log. */
export const namesOfLabSecrets = (secrets: Secrets): Promise<string[]> => secrets.list(FOLDER);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const mapReferences = <T>(value: T, change: (reference: string) => string): T =>
  mapTexts(value, (text) => (text.includes(HIDDEN) ? text.replace(REFERENCE, change) : text));

/** Secrets of labs: events and records have references to them (`***` and 32 digits), the values are stored beside the log. */
export class LabSecrets {
  readonly #kept: Secrets;
  readonly #entries = new Map<string, Entry>();
  /** By reference. */
  readonly #values = new Map<string, Secret>();
  /** References by owner, and value. */
  readonly #known = new Map<string | null, Map<string, string>>();
  #new: Entry['secrets'] = {};

  private constructor(kept: Secrets) {
    this.#kept = kept;
  }

  /** Throws where they cannot be read or are damaged. `kept`: a data directory, or a store of secrets. */
  static async read(kept: string | Secrets): Promise<LabSecrets> {
    const secrets = new LabSecrets(secretsOf(kept));
    await secrets.refresh();
    return secrets;
  }

  #learn(digits: string, one: Secret): string {
    const reference = referenceTo(digits);
    this.#values.set(reference, one);
    const known = this.#known.get(one.of) ?? new Map<string, string>();
    this.#known.set(one.of, known.set(one.value, reference));
    return reference;
  }

  /**
   * A value that a caller gives, with references where it has what is stored already, or `***` for what `before` has there. A reference of
   * another project is worth nothing.
   */
  known<T>(of: string | null, given: T, before?: unknown): T {
    const isOwn = (reference: string): boolean => [of, null].includes(this.#values.get(reference)?.of ?? of);
    const own = mapReferences(given, (reference) => (isOwn(reference) ? reference : HIDDEN));
    return replaceSecrets(withKept(own, before), (value, whole) => this.#known.get(of)?.get(this.open(value)) ?? whole);
  }

  /** A text with references where it has `***` for what a file has there. */
  keptIn(of: string, text: string, file: string): string {
    return text.includes(HIDDEN) ? this.known(of, text, this.untold(of, this.sealed(of, file))) : text;
  }

  /** A value with references of its own in the place of all secrets, which are stored by `flush`. */
  sealed<T>(of: string | null, value: T): T {
    const own = mapReferences(value, (reference) => {
      const known = this.#values.get(reference);
      return known === undefined || known.of === of ? reference : this.#referenceTo(of, known.value);
    });
    return replaceSecrets(own, (one) =>
      isReference(one) || one === HIDDEN ? one : this.#referenceTo(of, this.open(one)),
    );
  }

  /** Replaces secrets in a message, which may quote what was given. */
  untold<T>(of: string | null, told: T): T {
    const known = this.#known.get(of);
    const values = [...(known?.keys() ?? [])].filter(({ length }) => length >= SHORTEST_TOLD);
    if (values.length === 0) return told;
    values.sort((one, other) => other.length - one.length);
    // A reference that is there stays whole, whatever its digits are.
    const found = new RegExp([REFERENCE.source, ...values.map(escaped)].join('|'), 'g');
    return mapTexts(told, (text) => text.replace(found, (value) => known?.get(value) ?? value));
  }

  /** A text of a node as others may have it: `***` for what is named as a secret and for what is known as one. */
  shown(of: string | null, text: string): string {
    const named = replaceSecrets(text, () => HIDDEN);
    return this.shownValues(of, named);
  }

  /** The same by their values alone. */
  shownValues(of: string | null, text: string): string {
    return hidden(this.untold(of, text));
  }

  /** Whether there are any. */
  has(of: string | null): boolean {
    return (this.#known.get(of)?.size ?? 0) > 0;
  }

  /** Reads those that another server of the cell has stored since. */
  async refresh(): Promise<void> {
    for (const [name, entry] of await entriesOf(this.#kept, this.#entries)) {
      this.#entries.set(name, entry);
      for (const [digits, one] of Object.entries(entry.secrets)) this.#learn(digits, one);
    }
  }

  #referenceTo(of: string | null, value: string): string {
    const known = this.#known.get(of)?.get(value);
    if (known !== undefined) return known;
    if (this.#values.size >= MOST_SECRETS)
      throw conflict(`a server keeps at most ${MOST_SECRETS} secrets`, { limit: MOST_SECRETS });
    const digits = randomBytes(16).toString('hex');
    this.#new[digits] = { of, value };
    return this.#learn(digits, { of, value });
  }

  /** A text with its secrets; `***` for one that is not stored here. */
  open(text: string): string {
    return mapReferences(text, (reference) => this.#values.get(reference)?.value ?? HIDDEN);
  }

  /** A value as an engine takes it: with its secrets, and without marks. */
  plain<T>(value: T): T {
    return mapTexts(value, (text) => (text.includes(HIDDEN) ? withoutMarks(this.open(text)) : text));
  }

  /** A value for a server that keeps secrets in the same way: those that no name tells of are marked. */
  marked<T>(value: T): T {
    const named = new Set<string>();
    const opened = mapTexts(value, (text) => this.open(text));
    replaceSecrets(opened, (one) => (named.add(one), one));
    return mapReferences(value, (reference) => {
      const one = this.#values.get(reference)?.value ?? HIDDEN;
      return named.has(one) || one.includes(HIDDEN) ? one : markOf(one);
    });
  }

  /** Stores what is new: before the events that refer to it. */
  async flush(): Promise<void> {
    const secrets = this.#new;
    if (Object.keys(secrets).length === 0) return;
    this.#new = {};
    const name = `${FOLDER}/${randomBytes(16).toString('hex')}.json`;
    try {
      await this.#kept.put(name, sealed({ secrets }));
    } catch (error) {
      this.#new = { ...secrets, ...this.#new };
      throw error;
    }
    this.#entries.set(name, { secrets });
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /**
   * Notes which are unused, and removes those that have been for long. `used`: texts in which references may be; `kept`: projects whose
   * secrets all stay.
   */
  async sweep(used: Iterable<string>, kept: ReadonlySet<string>, now = Date.now()): Promise<void> {
    const referred = new Set<string>();
    for (const text of used) for (const [, digits = ''] of text.matchAll(REFERENCE)) referred.add(digits);
    for (const [name, { secrets, unused_since: since }] of this.#entries) {
      const isUsed = Object.entries(secrets).some(([digits, { of }]) => referred.has(digits) || kept.has(of ?? ''));
      if (isUsed && since !== undefined) await this.#note(name, { secrets });
      else if (!isUsed && since === undefined) await this.#note(name, { secrets, unused_since: now });
      else if (!isUsed && since !== undefined && now - since > KEEP_MS) await this.#remove(name, secrets);
    }
  }

  async #note(name: string, entry: Entry): Promise<void> {
    await this.#kept.put(name, sealed(entry));
    this.#entries.set(name, entry);
  }

  async #remove(name: string, secrets: Entry['secrets']): Promise<void> {
    // The same secret, set meanwhile, gets another reference.
    for (const [digits, one] of Object.entries(secrets)) {
      this.#values.delete(referenceTo(digits));
      this.#known.get(one.of)?.delete(one.value);
    }
    this.#entries.delete(name);
    await this.#kept.remove(name);
  }
}
