import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { conflict } from '../../common/errors.ts';
import type { Kind, KindNode } from '../../emulators/kit/contract.ts';
import { md5Of } from '../../emulators/shared/images/checksum.ts';
import { findImage, type ImageContext, imagePlacesOf } from '../../emulators/shared/images/image-files.ts';
import { listOf } from '../client/errors.ts';
import { encodedPath } from '../client/target.ts';
import type { ComputeClient } from '../client/client.ts';
import { SharedWork } from './shared-work.ts';

/** Images that a compute needs for nodes of ours. Each is sent once, and again only when it has changed. */

/** Progress of an upload, in octets. */
export interface ImageProgress {
  name: string;
  done: number;
  total: number;
}

interface ImageParts {
  client: ComputeClient;
  /** For messages. */
  compute: string;
  /** Directories of this server's images. */
  images: ImageContext;
  /** Called at the beginning and the end of each upload, and at most every quarter of a second between. */
  progress?: (progress: ImageProgress) => void;
}

type WithImages = Pick<Kind, 'alias' | 'images'>;
type Imaged = Pick<KindNode, 'properties' | 'node_directory'>;

const LISTED = z.object({ filename: z.string(), path: z.string().optional(), md5sum: z.string().nullish() });
type Listed = z.infer<typeof LISTED>;

interface Image {
  alias: string;
  /** Path in the node's property, with `/`. */
  name: string;
  file: string;
  md5: string;
  isImage: ((head: Uint8Array) => boolean) | undefined;
}

const PROGRESS_MS = 250;
/** Octets at the beginning of a file by which its type is known. */
const HEAD = 16;

/** Images of one connection to a compute. */
export class ComputeImages {
  readonly #parts: ImageParts;
  readonly #lists = new Map<string, { asked: number; list: readonly Listed[] }>();
  readonly #listing = new SharedWork<readonly Listed[]>();
  readonly #sending = new SharedWork<void>();
  /** MD5 sums of sent images that no list tells a sum of, by kind and name. */
  readonly #sent = new Map<string, string>();
  #asked = 0;

  constructor(parts: ImageParts) {
    this.#parts = parts;
  }

  /** Forgets the lists: after a connection was lost, or when the compute says that an image is missing. */
  forget(): void {
    this.#lists.clear();
    this.#sent.clear();
  }

  /** Sends the images of a node that the compute lacks or has with another sum. Images that are missing here are left for the compute to report. */
  async send(node: Imaged, kind: WithImages, signal: AbortSignal): Promise<void> {
    for (const image of await this.#imagesOf(node, kind))
      // Repeated where another file of that name was just being sent.
      while (!(await this.#isThere(image, signal)))
        await this.#sending.of(`${image.alias}/${image.name}`, signal, (all) => this.#upload(image, all));
  }

  async #imagesOf({ properties, node_directory }: Imaged, { alias, images }: WithImages): Promise<Image[]> {
    if (images === undefined) return [];
    const places = imagePlacesOf(this.#parts.images, images.folder, node_directory);
    const found = new Map<string, Image>();
    for (const field of images.fields) {
      const name = properties[field];
      if (typeof name !== 'string' || !isRelative(name)) continue;
      const file = await findImage(field, name, places).catch(() => null);
      if (file === null) continue;
      const plain = path.posix.normalize(name);
      found.set(plain, { alias, name: plain, file, md5: await md5Of(file), isImage: images.isImage });
    }
    return [...found.values()];
  }

  async #isThere({ alias, name, md5 }: Image, signal: AbortSignal): Promise<boolean> {
    if (this.#sent.get(`${alias}/${name}`) === md5) return true;
    if (!this.#lists.has(alias)) await this.#listing.of(alias, signal, (all) => this.#list(alias, all));
    return listedAs(this.#lists.get(alias)?.list ?? [], name)?.md5sum?.toLowerCase() === md5;
  }

  /** Reads the list of images. A late answer does not replace a newer list. */
  async #list(alias: string, signal: AbortSignal): Promise<readonly Listed[]> {
    const asked = ++this.#asked;
    const answer = await this.#parts.client.request('GET', `/${alias}/images`, { signal });
    const list = listOf(LISTED, answer, { compute: this.#parts.compute, what: `images of ${alias}` });
    if (asked > (this.#lists.get(alias)?.asked ?? 0)) this.#lists.set(alias, { asked, list });
    return list;
  }

  async #upload(image: Image, signal: AbortSignal): Promise<void> {
    const { alias, name } = image;
    const content = await this.#content(image);
    try {
      await this.#parts.client.upload(`/${alias}/images/${encodedPath(name)}`, content, signal);
    } finally {
      content.destroy();
    }
    await this.#check(image, listedAs(await this.#list(alias, signal), name));
  }

  async #check(image: Image, listed: Listed | undefined): Promise<void> {
    const { compute } = this.#parts;
    const { alias, name, file, md5 } = image;
    const sum = listed?.md5sum?.toLowerCase();
    if (sum === md5) return;
    if (listed === undefined && (await isListed(image)))
      throw conflict(`the image ${name} was sent to ${compute}, which does not list it`, { image: name, compute });
    if (sum !== undefined)
      throw conflict(
        `the image ${name} has the MD5 sum ${sum} at ${compute} after it was sent, and ${md5} here (${file})`,
        { image: name, compute },
      );
    this.#sent.set(`${alias}/${name}`, md5);
  }

  async #content({ file, name }: Image): Promise<Readable> {
    const { progress } = this.#parts;
    const content = createReadStream(file, { highWaterMark: 256 * 1024 });
    if (progress === undefined) return content;
    const { size: total } = await stat(file);
    return Readable.from(
      counted(content, total, (done) => progress({ name, done, total })),
      { objectMode: false },
    );
  }
}

/** Passes octets on and reports their number. */
async function* counted(content: Readable, total: number, tell: (done: number) => void): AsyncGenerator<Buffer> {
  let done = 0;
  let told = performance.now();
  tell(0);
  for await (const chunk of content) {
    yield chunk as Buffer;
    done += (chunk as Buffer).length;
    if (done === total || performance.now() - told < PROGRESS_MS) continue;
    told = performance.now();
    tell(done);
  }
  tell(done);
}

/** Whether a name means the same on another machine: absolute paths and those that lead out of the folder do not. */
const isRelative = (name: string): boolean =>
  name !== '' && !path.isAbsolute(name) && !path.posix.normalize(name).startsWith('..');

/** The listed image that the compute would use for a name: by its path, else by its file name. */
const listedAs = (list: readonly Listed[], name: string): Listed | undefined =>
  list.find((one) => (one.path ?? one.filename) === name) ?? list.find(({ filename }) => filename === name);

/** Whether a list would have the image: lists have only files that begin as images of the kind do. */
const isListed = async ({ file, isImage }: Image): Promise<boolean> => {
  if (isImage === undefined) return true;
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return isImage(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
};
