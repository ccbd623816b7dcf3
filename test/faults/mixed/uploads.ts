import type { Random } from '../prng.ts';
import { type Churner, makeProject, send } from './churner.ts';

/** Names that are written again and again, so that an older content could come back over a newer one. */
const NAMES = 3;
/** Octets. */
const LARGEST = 400_000;

interface Content {
  /** Last content that was answered; null: none. */
  answered: string | null;
  /** Content whose write was not answered. */
  under: string | null;
}

/** Writes files of a project, or images, each a few names over and over. */
export class Uploads implements Churner {
  readonly name: string;
  readonly #project: string | null;
  readonly #random: Random;
  readonly #files = new Map<string, Content>();
  #count = 0;

  constructor(random: Random, of: 'files' | 'images') {
    this.name = of;
    this.#random = random;
    this.#project = of === 'files' ? random.uuid() : null;
  }

  async prepare(url: string): Promise<void> {
    if (this.#project !== null) await makeProject(url, this.#project, 'uploads');
  }

  async step(url: string): Promise<void> {
    const name = `f${this.#random.below(NAMES)}`;
    const file = this.#files.get(name) ?? { answered: null, under: null };
    this.#files.set(name, file);
    file.under = `${++this.#count}:${String(this.#count % 10).repeat(this.#random.below(LARGEST))}`;
    await send(url, ['POST', this.#path(name)], file.under);
    file.answered = file.under;
    file.under = null;
  }

  async check(url: string): Promise<string[]> {
    const problems: string[] = [];
    for (const [name, file] of this.#files) {
      const { status, text } = await send(url, ['GET', this.#path(name)], undefined, [404]);
      const there = status === 404 ? null : text;
      if (there !== file.answered && (there === null || there !== file.under))
        problems.push(`${this.#path(name)} is ${shown(there)}, answered was ${shown(file.answered)}`);
      this.#files.set(name, { answered: there, under: null });
    }
    return problems;
  }

  #path(name: string): string {
    return this.#project === null
      ? `/v2/compute/qemu/images/mixed-${name}.img`
      : `/v2/projects/${this.#project}/files/${name}`;
  }
}

const shown = (content: string | null): string =>
  content === null ? 'missing' : `write ${content.split(':', 1)[0] ?? ''} of ${content.length} octets`;
