import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { SECRETS, type Secrets, secretsOf } from '../common/secrets.ts';

const NAME = SECRETS.computes;

const secrets = z.object({
  /** Of this server as a controller. */
  controller_id: z.uuid(),
  passwords: z.record(z.string(), z.string()),
});

/** What this server needs to be let in by its computes, and what no event has. */
export class ComputeSecrets {
  readonly #secrets: Secrets;
  #known: z.infer<typeof secrets>;

  private constructor(kept: Secrets, known: z.infer<typeof secrets>) {
    this.#secrets = kept;
    this.#known = known;
  }

  /** Throws for what cannot be read or is something else. `kept`: a data directory, or what keeps it elsewhere. */
  static async read(kept: string | Secrets): Promise<ComputeSecrets> {
    const begun = { controller_id: randomUUID(), passwords: {} };
    // All servers of a cell are one controller; that of a data directory is known once there is a compute.
    const text = await (typeof kept === 'string' ? secretsOf(kept).get(NAME) : kept.keep(NAME, JSON.stringify(begun)));
    return new ComputeSecrets(secretsOf(kept), text === null ? begun : secrets.parse(JSON.parse(text)));
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
    await this.#secrets.put(NAME, `${JSON.stringify(this.#known)}\n`);
  }
}
