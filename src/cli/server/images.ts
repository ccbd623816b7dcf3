import { open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Client, Schemas } from '../../client/index.ts';
import { conflict, invalid, TopologError } from '../../common/errors.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { createKinds } from '../../emulators/registry.ts';
import { type Named, pick, verbIn } from '../names.ts';
import { printable } from '../printable.ts';
import { cannotBe, wrongUsage } from '../command.ts';
import { needYes } from '../running-server.ts';
import { type Asked, type Done, labCommandWith } from '../lab-command.ts';
import { counted } from '../objects.ts';

type Image = Schemas['CatalogueImage'];

const IMAGES = '/v2/catalogue/images';

interface NamedImage extends Named {
  image: Image;
}

/** Images by name, and as `KIND/NAME`, as two kinds may have an image of the same name. */
export const imagesOf = async (client: Client): Promise<NamedImage[]> =>
  (await client.get(IMAGES)).map((image) => {
    const whole = `${image.node_type}/${image.filename}`;
    return { id: whole, names: [whole, image.filename], image };
  });

const FLAGS = { kind: { type: 'string' }, name: { type: 'string' } } as const;
type ImagesAsked = Asked<typeof FLAGS>;

/** `topolog images` */
export const imagesCommand = labCommandWith(
  FLAGS,
  {
    usage: 'images [ls | add FILE [--kind KIND] [--name NAME] | rm IMAGE... [--yes]]',
    counts: [0, Infinity],
    does: `The images of this server that nodes are made of.

  ls            list them: name, kind, size, MD5 sum, and how many nodes and templates need them
  add FILE      store one, under the name of the file; in place of one of that name once that was confirmed, or with --yes (-y)
    --kind K    for nodes of this kind; otherwise the kind is told by how the file begins
    --name N    under this name
  rm IMAGE...   delete images that nothing needs, once that was confirmed, or with --yes (-y)

An image is named by its name, KIND/NAME, or a beginning that no other has.`,
  },
  async (asked) => {
    const [word = 'ls', ...names] = asked.wanted;
    const verb = verbIn('topolog images', VERBS, word);
    const [least, most, takes] = COUNTS[verb];
    if (names.length < least || names.length > most) throw wrongUsage(`images ${takes}`);
    return ACTIONS[verb](asked, names);
  },
);

const VERBS = ['ls', 'add', 'rm'] as const;
const COUNTS = { ls: [0, 0, 'ls'], add: [1, 1, 'add FILE'], rm: [1, Infinity, 'rm IMAGE...'] } as const;

const rowOf = ({ filename, node_type, filesize, md5sum, uses }: Image): string[] => [
  filename,
  node_type,
  `${filesize} octets`,
  md5sum,
  uses === 0 ? '' : `needed ${counted(uses, 'time')}`,
];

const list = async ({ client }: ImagesAsked): Promise<Done> => {
  const images = await imagesOf(client);
  return { records: images.map(({ image }) => image), rows: images.map(({ image }) => rowOf(image)) };
};

const add = async ({ client, flags, yes }: ImagesAsked, [file = '']: readonly string[]): Promise<Done> => {
  const opened = await open(file).catch(cannotBe('read', file));
  try {
    if (!(await opened.stat()).isFile()) throw invalid(`${file} cannot be read: it is not a file`);
    const { buffer } = await opened.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const kind = flags.kind === undefined ? kindOf(file, buffer) : kindNamed(flags.kind);
    const name = flags.name ?? path.basename(file);
    const known = (await imagesOf(client)).some(({ id }) => id === `${kind.name}/${name}`);
    const image = printable(`image ${kind.name}/${name}`);
    if (known && !yes) await needYes(`Replace ${image}?`, `not replaced: ${image}`);
    const content = Readable.toWeb(opened.createReadStream({ start: 0, autoClose: false }));
    await upload(client, `/v2/compute/${kind.name}/images/${encodeURIComponent(name)}`, content as ReadableStream);
    const stored = (await imagesOf(client)).find(({ id }) => id === `${kind.name}/${name}`);
    if (stored === undefined) throw conflict(`${name} is stored, and no image of ${kind.name}`);
    return { records: stored.image, rows: [rowOf(stored.image)] };
  } finally {
    await opened.close();
  }
};

/** Octets at the beginning of a file that identify its format. */
const HEAD = 64;

/** Kinds whose nodes need images. */
const withImages = (): Kind[] =>
  createKinds()
    .all()
    .filter(({ images }) => images !== undefined);

const kindNamed = (wanted: string): Kind => {
  const kinds = withImages();
  const name = verbIn(
    '--kind',
    kinds.flatMap((kind) => [kind.name, kind.alias]),
    wanted,
  );
  return kinds.find((kind) => kind.name === name || kind.alias === name) as Kind;
};

/** Kind of an image by the beginning of the file, else the kind that accepts any file. */
const kindOf = (file: string, head: Buffer): Kind => {
  const kinds = withImages();
  const found =
    kinds.find(({ images }) => images?.isImage?.(head)) ?? kinds.find(({ images }) => images?.isImage === undefined);
  if (found === undefined)
    throw invalid(`--kind says what ${file} is an image for: ${kinds.map(({ name }) => name).join(', ')}`);
  return found;
};

const upload = async (client: Client, url: string, body: ReadableStream): Promise<void> => {
  const headers = { 'content-type': 'application/octet-stream' };
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' };
  const answer = await client.fetch(url, init);
  if (answer.ok) return;
  const said = (await answer.json()) as { message: string };
  throw TopologError.saying(answer.status === 400 ? 'invalid_request' : 'conflict', said.message);
};

const remove = async ({ client, yes }: ImagesAsked, names: readonly string[]): Promise<Done> => {
  const images = await imagesOf(client);
  const wanted = names.map((name) => pick('image', images, name));
  const what = printable(`image ${wanted.map(({ id }) => id).join(', ')}`);
  if (!yes) await needYes(`Delete ${what} for good?`, `not deleted: ${what}`);
  for (const { image } of wanted) {
    const at = { path: { emulator: image.node_type, filename: image.filename } };
    await client.delete(`${IMAGES}/{emulator}/{filename}`, at);
  }
  return { records: wanted.map(({ id }) => id), rows: wanted.map(({ id }) => [`image ${id}`, 'deleted']) };
};

const ACTIONS = { ls: list, add, rm: remove };
