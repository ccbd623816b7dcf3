import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FileSort } from '../common/file-sort.ts';
import { sealed, unsealed } from '../common/sealed.ts';
import { placeOf, SECRETS, type Secrets, secretsOf } from '../common/secrets.ts';

const NAME = SECRETS.computes;

const storedSecrets = z.strictObject({
  /** Id of this server as a controller. */
  controller_id: z.uuid(),
  passwords: z.record(z.string(), z.string()),
});

type StoredSecrets = z.infer<typeof storedSecrets>;

/** Throws a conflict for a damaged text. */
const parseSecrets = (kept: Secrets, text: string): StoredSecrets =>
  unsealed(
    text,
    storedSecrets,
    placeOf(kept, NAME),
    'put it back from a copy, or remove it and take each compute again',
  );

/** Throws a conflict for damaged secrets; does nothing where there are none. Changes nothing. */
const checkComputeSecrets = async (kept: string | Secrets): Promise<void> => {
  const secrets = secretsOf(kept);
  const text = await secrets.get(NAME);
  if (text !== null) parseSecrets(secrets, text);
};

export const COMPUTE_SECRETS: FileSort = {
  name: 'computes',
  what: 'passwords of computes',
  at: [NAME],
  changed: 'named',
  check: ({ secrets }) => checkComputeSecrets(secrets),
};

/** Passwords of computes, which no event has, and the id of this server as their controller. */
export class ComputeSecrets {
  readonly #secrets: Secrets;
  #known: StoredSecrets;

  private constructor(kept: Secrets, known: StoredSecrets) {
    this.#secrets = kept;
    this.#known = known;
  }

  /** Throws where they cannot be read or are damaged. `kept`: a data directory, or a store of secrets. */
  static async read(kept: string | Secrets): Promise<ComputeSecrets> {
    const begun = { controller_id: randomUUID(), passwords: {} };
    const secrets = secretsOf(kept);
    // The servers of a cell are one controller, so its id is stored at once. In a data directory it is stored with the first compute.
    const text = await (typeof kept === 'string' ? secrets.get(NAME) : secrets.keep(NAME, sealed(begun)));
    return new ComputeSecrets(secrets, text === null ? begun : parseSecrets(secrets, text));
  }

  get controllerId(): string {
    return this.#known.controller_id;
  }

  passwordOf(computeId: string): string | null {
    return this.#known.passwords[computeId] ?? null;
  }

  /** Stores a password; null removes it. */
  async keep(computeId: string, password: string | null): Promise<void> {
    const { [computeId]: _, ...others } = this.#known.passwords;
    this.#known = { ...this.#known, passwords: password === null ? others : { ...others, [computeId]: password } };
    await this.#secrets.put(NAME, sealed(this.#known));
  }
}
