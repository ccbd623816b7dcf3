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

type Sort = 'files' | 'node files' | 'images' | 'symbols' | 'licence';
export const SORTS: readonly Sort[] = ['files', 'node files', 'images', 'symbols', 'licence'];

/** Writes files of a project or of a node, images, symbols or the licence, each a few names over and over. */
export class Uploads implements Churner {
  readonly name: Sort;
  readonly #project: string;
  readonly #node: string;
  readonly #random: Random;
  readonly #files = new Map<string, Content>();
  #count = 0;

  constructor(random: Random, of: Sort) {
    this.name = of;
    this.#random = random;
    this.#project = random.uuid();
    this.#node = random.uuid();
  }

  async prepare(url: string): Promise<void> {
    await makeProject(url, this.#project, `uploads of ${this.name}`);
    if (this.name === 'node files')
      await send(url, ['POST', `/v2/projects/${this.#project}/nodes`], {
        ...{ node_id: this.#node, name: 'PC', node_type: 'vpcs', compute_id: 'local' },
      });
  }

  async step(url: string): Promise<void> {
    const name = this.name === 'licence' ? 'licence' : `f${this.#random.below(NAMES)}`;
    const file = this.#files.get(name) ?? { answered: null, under: null };
    this.#files.set(name, file);
    file.under = `${++this.#count}:${String(this.#count % 10).repeat(this.#random.below(LARGEST))}`;
    if (this.name === 'licence') await send(url, ['PUT', this.#path(name)], { iourc_content: file.under });
    else await send(url, ['POST', this.#path(name)], this.name === 'symbols' ? svgOf(file.under) : file.under);
    file.answered = file.under;
    file.under = null;
  }

  async check(url: string): Promise<string[]> {
    const problems: string[] = [];
    for (const [name, file] of this.#files) {
      const { status, text } = await send(url, ['GET', this.#path(name)], undefined, [404]);
      const there = status === 404 ? null : contentOf(text, this.name);
      if (there !== file.answered && (there === null || there !== file.under))
        problems.push(`${this.#path(name)} is ${shown(there)}, answered was ${shown(file.answered)}`);
      this.#files.set(name, { answered: there, under: null });
    }
    return problems;
  }

  #path(name: string): string {
    switch (this.name) {
      case 'files':
        return `/v2/projects/${this.#project}/files/${name}`;
      case 'node files':
        return `/v2/projects/${this.#project}/nodes/${this.#node}/files/${name}`;
      case 'images':
        return `/v2/compute/qemu/images/mixed-${name}.img`;
      case 'symbols':
        return `/v2/symbols/${name}.svg/raw`;
      case 'licence':
        return '/v2/iou_license';
    }
  }
}

const svgOf = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><desc>${content}</desc></svg>`;

/** Of an answer; null: it has none of ours, as a symbol that nobody has stored. */
const contentOf = (text: string, sort: Sort): string | null => {
  if (sort === 'symbols') return /<desc>(\d+:\d*)<\/desc>/.exec(text)?.[1] ?? null;
  if (sort === 'licence') return (JSON.parse(text) as { iourc_content: string }).iourc_content || null;
  return text;
};

const shown = (content: string | null): string =>
  content === null ? 'missing' : `write ${content.split(':', 1)[0] ?? ''} of ${content.length} octets`;
