import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FileSort } from '../common/file-sort.ts';
import { sealed, unsealed } from '../common/sealed.ts';
import { placeOf, SECRETS, type Secrets, secretsOf } from '../common/secrets.ts';

const NAME = SECRETS.computes;

const known = z.strictObject({
  /** Of this server as a controller. */
  controller_id: z.uuid(),
  passwords: z.record(z.string(), z.string()),
});

type Known = z.infer<typeof known>;

/** Throws a conflict for what is damaged. */
const knownIn = (kept: Secrets, text: string): Known =>
  unsealed(text, known, placeOf(kept, NAME), 'put it back from a copy, or remove it and take each compute again');

/** Throws a conflict for those that are damaged; fine where there are none. Changes nothing. */
const checkComputeSecrets = async (kept: string | Secrets): Promise<void> => {
  const secrets = secretsOf(kept);
  const text = await secrets.get(NAME);
  if (text !== null) knownIn(secrets, text);
};

export const COMPUTE_SECRETS: FileSort = {
  ...{ name: 'computes', what: 'passwords of computes', at: [NAME], changed: 'named' },
  check: ({ secrets }) => checkComputeSecrets(secrets),
};

/** What this server needs to be let in by its computes, and what no event has. */
export class ComputeSecrets {
  readonly #secrets: Secrets;
  #known: Known;

  private constructor(kept: Secrets, known: Known) {
    this.#secrets = kept;
    this.#known = known;
  }

  /** Throws for what cannot be read or is something else. `kept`: a data directory, or what keeps it elsewhere. */
  static async read(kept: string | Secrets): Promise<ComputeSecrets> {
    const begun = { controller_id: randomUUID(), passwords: {} };
    const secrets = secretsOf(kept);
    // All servers of a cell are one controller; that of a data directory is known once there is a compute.
    const text = await (typeof kept === 'string' ? secrets.get(NAME) : secrets.keep(NAME, sealed(begun)));
    return new ComputeSecrets(secrets, text === null ? begun : knownIn(secrets, text));
  }

  get controllerId(): string {
    return this.#known.controller_id;
  }

  passwordOf(computeId: string): string | null {
    return this.#known.passwords[computeId] ?? null;
  }

  /** null: it has none. */
  async keep(computeId: string, password: string | null): Promise<void> {
    const { [computeId]: _, ...others } = this.#known.passwords;
    this.#known = { ...this.#known, passwords: password === null ? others : { ...others, [computeId]: password } };
    await this.#secrets.put(NAME, sealed(this.#known));
  }
}
