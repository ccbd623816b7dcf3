import { createHash } from 'node:crypto';
import { USER } from './lab.ts';

type Bag = Record<string, unknown>;
type Reads = Map<string, string>;

/** Everything that can be read of a lab, by its path: status and a hash of the body, or the body where it names damage. */
export const readAll = async (url: string, last: number): Promise<Reads> => {
  const reads: Reads = new Map();
  const read = async (where: string, normal = (text: string): string => text): Promise<unknown> => {
    const answer = await fetch(`${url}${where}`, { headers: USER });
    const octets = Buffer.from(await answer.arrayBuffer());
    const text = octets.toString('latin1');
    const hash = createHash('sha256').update(normal(text), 'latin1').digest('hex');
    reads.set(where, answer.status >= 400 ? `${answer.status} ${text}` : `${answer.status} ${hash}`);
    try {
      return JSON.parse(octets.toString('utf8'));
    } catch {
      return null;
    }
  };
  const list = async (where: string): Promise<Bag[]> => {
    const found = await read(where);
    return Array.isArray(found) ? (found as Bag[]) : [];
  };
  const plain = async (...paths: string[]): Promise<void> => {
    for (const where of paths) await read(where);
  };
  await plain('/v2/templates', '/v2/symbols', '/v2/symbols/own.svg/raw', `/v2/events?to=${last}`);
  for (const image of await list('/v2/compute/machine_emulator/images'))
    await read(`/v2/compute/machine_emulator/images/${String(image['filename'])}`);
  for (const project of await list('/v2/projects'))
    await readProject(String(project['project_id']), { read, list, last });
  return reads;
};

interface Reading {
  read: (where: string) => Promise<unknown>;
  list: (where: string) => Promise<Bag[]>;
  last: number;
}

const readProject = async (id: string, { read, list, last }: Reading): Promise<void> => {
  const here = `/v2/projects/${id}`;
  await read(here);
  for (const [noun, key] of [
    ['nodes', 'node_id'],
    ['links', 'link_id'],
    ['drawings', 'drawing_id'],
  ] as const)
    for (const record of await list(`${here}/${noun}`)) await read(`${here}/${noun}/${String(record[key])}`);
  for (const noun of ['snapshots', 'files'])
    await read(noun === 'files' ? `/v2/compute/projects/${id}/files` : `${here}/${noun}`);
  for (const at of [0.3, 0.6, 1].map((part) => Math.floor(last * part))) await read(`${here}/nodes?at=${at}`);
  for (const at of [0.5, 0.9].map((part) => Math.floor(last * part))) await read(`${here}/drawings?at=${at}`);
  await read(`${here}/events?to=${last}`);
  for (const name of ['notes.txt', 'project-files/captures/one.pcap']) await read(`${here}/files/${name}`);
  for (const node of await list(`${here}/nodes`))
    for (const { name } of await list(`${here}/nodes/${String(node['node_id'])}/recordings`))
      await read(`${here}/nodes/${String(node['node_id'])}/recordings/${String(name)}`);
};
