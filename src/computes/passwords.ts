import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../common/durable.ts';

/** Of `<data-dir>/computes.json`, which only the user of the server can read. */
const secrets = z.object({
  /** Of this server as a controller. */
  controller_id: z.uuid(),
  passwords: z.record(z.string(), z.string()),
});

/** What this server needs to be let in by its computes, and what no event has. */
export class ComputeSecrets {
  readonly #file: string;
  #known: z.infer<typeof secrets>;

  private constructor(file: string, known: z.infer<typeof secrets>) {
    this.#file = file;
    this.#known = known;
  }

  /** Throws for a file that cannot be read or has something else. */
  static async read(dataDir: string): Promise<ComputeSecrets> {
    const file = path.join(dataDir, 'computes.json');
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    const known = text === null ? { controller_id: randomUUID(), passwords: {} } : secrets.parse(JSON.parse(text));
    return new ComputeSecrets(file, known);
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
    await writeDurably(this.#file, `${JSON.stringify(this.#known)}\n`, 0o600);
  }
}
