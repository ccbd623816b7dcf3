import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { invalid } from '../../common/errors.ts';
import { cannotBe } from '../command.ts';
import { labCommandWith } from '../lab-command.ts';
import { projectNamed, projectRow } from '../objects.ts';

const PROJECT = '/v2/projects/{project_id}';
const ENDING = '.gns3project';

export const duplicateCommand = labCommandWith(
  { 'reset-mac-addresses': { type: 'boolean' } },
  {
    usage: 'duplicate PROJECT [NAME]',
    counts: [1, 2],
    does: `Makes a copy of a project with the files of its nodes, also while they run. It is closed: topolog open opens it.

  --reset-mac-addresses  its nodes get new ones`,
  },
  async ({ client, wanted: [wanted, name = null], flags }) => {
    const { id: project_id } = await projectNamed(client, wanted);
    const body = { name, ...(flags['reset-mac-addresses'] === true ? { reset_mac_addresses: true } : {}) };
    const copy = await client.post(`${PROJECT}/duplicate`, { path: { project_id }, body });
    return { records: copy, rows: [projectRow(copy)] };
  },
);

/** Flags of an export that are `yes` or absent in the interface. */
const INCLUDED = ['include-images', 'include-snapshots', 'reset-mac-addresses', 'keep-compute-ids'] as const;
const boolean = { type: 'boolean' } as const;

export const exportCommand = labCommandWith(
  {
    output: { type: 'string', short: 'o' },
    'include-images': boolean,
    'include-snapshots': boolean,
    'reset-mac-addresses': boolean,
    'keep-compute-ids': boolean,
    compression: { type: 'string' },
    revision: { type: 'string' },
  },
  {
    usage: 'export PROJECT [-o FILE] [--include-images] [--include-snapshots]',
    counts: [1, 1],
    does: `Writes a project as an archive that existing tools read, to NAME${ENDING} in this directory. Nodes must be stopped; those that always run may run.

  -o, --output FILE      write it there; - is the standard output
  --include-images       with the images that its nodes need
  --include-snapshots    with its snapshots
  --reset-mac-addresses  without MAC addresses: the nodes get new ones where it is imported
  --keep-compute-ids     nodes stay on the computes of these ids
  --compression C        zip, or none (zip)
  --revision N           of the project file, for older tools`,
  },
  async ({ client, wanted: [wanted], flags }) => {
    const { id: project_id, names } = await projectNamed(client, wanted);
    const file = flags.output ?? `${names[0].replace(/[/\\]/g, '-')}${ENDING}`;
    if (file === '-' && process.stdout.isTTY) throw invalid('an archive is not for a terminal: -o FILE');
    const included = INCLUDED.flatMap((name) => (flags[name] === true ? [[name.replaceAll('-', '_'), 'yes']] : []));
    const { compression, revision } = flags;
    const query = { ...(Object.fromEntries(included) as object), ...defined({ compression, revision }) };
    const archive = await client.get(`${PROJECT}/export`, { path: { project_id }, query });
    const content = Readable.fromWeb(archive as ReadableStream<Uint8Array>);
    if (file === '-') {
      await pipeline(content, process.stdout, { end: false });
      return { records: [], rows: [], text: '' };
    }
    const octets = await writeWhole(file, content).catch(cannotBe('written', file));
    return { records: { file: path.resolve(file), octets }, rows: [[file, 'written', `${octets} octets`]] };
  },
);

const defined = (given: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

/** Writes the whole file or leaves it as it was; returns its size in octets. */
const writeWhole = async (file: string, content: Readable): Promise<number> => {
  const found = await stat(file).catch(() => null);
  // Devices and pipes are written to directly.
  if (found !== null && !found.isFile()) {
    const writing = createWriteStream(file);
    await pipeline(content, writing);
    return writing.bytesWritten;
  }
  const beside = `${file}.part-${process.pid}`;
  const to = await open(beside, 'wx');
  try {
    const writing = to.createWriteStream({ flush: true });
    await pipeline(content, writing);
    await rename(beside, file);
    return writing.bytesWritten;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
};

export const importCommand = labCommandWith(
  { name: { type: 'string' } },
  {
    usage: 'import FILE [--name NAME]',
    counts: [1, 1],
    does: `Makes a project of an archive (${ENDING}), as topolog export and existing tools write it. It is closed: topolog open opens it.

  --name NAME      its name, in place of that in the archive`,
  },
  async ({ client, wanted: [file = ''], flags }) => {
    if (file.endsWith('.gns3'))
      throw invalid(`${file} is a project file, not an archive: topolog load ${file} loads it`);
    if (/\.ya?ml$/.test(file)) throw invalid(`${file} is a lab as a text: topolog apply ${file} makes it`);
    const opened = await open(file).catch(cannotBe('read', file));
    try {
      if ((await opened.stat()).isDirectory()) throw invalid(`${file} cannot be read: it is a directory`);
      const body = Readable.toWeb(
        opened.createReadStream({ autoClose: false }),
      ) as globalThis.ReadableStream<Uint8Array>;
      const at = { path: { project_id: randomUUID() }, query: defined({ name: flags.name }) };
      const project = await client.post(`${PROJECT}/import`, { ...at, body });
      return { records: project, rows: [projectRow(project)] };
    } finally {
      await opened.close();
    }
  },
);
