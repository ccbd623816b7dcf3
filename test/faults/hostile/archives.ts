import { type ZipEntry, zipOf } from '../../support/zip.ts';
import { type Attack, count, type Figures, send } from './attack.ts';

const LINK = 0o120777;
/** Far more than a lab may have. */
const MANY = 60_000;
/** As many as a lab may have: what holds up others most of all that is allowed. */
const LARGEST = 10_000;

interface Made {
  name: string;
  bytes: Buffer;
  /** May it be taken? */
  taken: boolean | null;
}

/** Archives of every wrong shape, and the largest right one. */
export const archives = async (attack: Attack): Promise<Figures> => {
  const figures: Figures = { archives: 0 };
  const all = made(attack);
  for (let n = 0; n < all.length || !attack.isOver(); n++) {
    const one = all[n % all.length];
    if (one === undefined || (n >= all.length && attack.isOver())) break;
    const bytes = n < all.length ? one.bytes : spoiled(attack, one.bytes);
    const project_id = attack.random.uuid();
    const reply = await send(attack, 'POST', `/v2/projects/${project_id}/import`, bytes, {
      'content-type': 'application/octet-stream',
    });
    figures['archives'] = (figures['archives'] ?? 0) + 1;
    count(figures, reply);
    if (typeof reply === 'string') continue;
    const isTaken = reply.status === 201;
    if (n < all.length && one.taken !== null && isTaken !== one.taken)
      attack.blame(`archive ${one.name}: ${reply.status} ${reply.text.slice(0, 300)}`);
    if (isTaken) await send(attack, 'DELETE', `/v2/projects/${project_id}`, null);
  }
  return figures;
};

/** A few octets of it turned, or its end cut off. */
const spoiled = ({ random }: Attack, bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes.subarray(0, random.below(4) === 0 ? random.below(bytes.length) : bytes.length));
  for (let times = random.below(8); times > 0 && copy.length > 0; times--)
    copy[random.below(copy.length)] = random.below(256);
  return copy;
};

const made = ({ random }: Attack): Made[] => {
  const project = (topology: object, more: object = {}): ZipEntry => ({
    name: 'project.gns3',
    data: JSON.stringify({
      project_id: random.uuid(),
      name: 'lab',
      revision: 9,
      version: '2.2.60',
      type: 'topology',
      topology,
      ...more,
    }),
  });
  const node = (n: number, more: object = {}): object => ({
    node_id: random.uuid(),
    name: `PC${String(n)}`,
    node_type: 'vpcs',
    compute_id: 'local',
    x: n,
    y: n,
    ...more,
  });
  const empty = { nodes: [], links: [], drawings: [], computes: [] };
  const nodes = (many: number, more: object = {}): object => ({
    ...empty,
    nodes: Array.from({ length: many }, (_, n) => node(n, more)),
  });
  const good = project(empty);
  const of = (...entries: ZipEntry[]): Buffer => zipOf([good, ...entries]);
  const text = (data: string): Buffer => zipOf([{ name: 'project.gns3', data }]);
  const deep = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  const refused: Record<string, Buffer> = {
    'not a zip': Buffer.from('PK but no zip'),
    'no project file': zipOf([{ name: 'a', data: 'a' }]),
    'steps up': of({ name: '../../../tmp/x', data: 'x' }),
    absolute: of({ name: '/tmp/x', data: 'x' }),
    'a link out': of({ name: 'l', data: '/etc/passwd', mode: LINK }),
    'below a link': of({ name: 'l', data: '.', mode: LINK }, { name: 'l/x', data: 'x' }),
    'a device': of({ name: 'd', mode: 0o020666 }),
    'a pipe': of({ name: 'p', mode: 0o010666 }),
    'a name twice': of({ name: 'a', data: '1' }, { name: 'a', data: '2' }),
    'the same octets twice': of({ name: 'b', same: 0 }),
    'a size that lies': of({ name: 'a', data: 'a'.repeat(100), size: 5 }),
    'a size beyond the disk': of({ name: 'a', data: 'a', size: 0xfffffff0 }),
    'a checksum that lies': of({ name: 'a', data: 'a', crc: 1 }),
    'a method nobody has': of({ name: 'a', data: 'a', method: 99 }),
    encrypted: of({ name: 'a', data: 'a', flags: 1 }),
    'a bomb': of({ name: 'a', data: Buffer.alloc(256 << 20), size: 0xf0000000 }),
    'not UTF-8': zipOf([{ name: 'project.gns3', data: Buffer.from([0x7b, 0xff, 0xfe]) }]),
    'deep JSON': text(deep(5_000)),
    'no JSON': text('{'.repeat(100_000)),
    'huge numbers': text(JSON.stringify({ revision: 1e308 }).replace('1e+308', '9'.repeat(100_000))),
    'too many nodes': zipOf([project(nodes(MANY))]),
    'a name too long': zipOf([project(empty, { name: 'n'.repeat(300) })]),
  };
  const taken: Record<string, Buffer> = {
    'the largest': zipOf([project(nodes(LARGEST))]),
    'nodes that are broken': zipOf([
      project(nodes(50, { port_name_format: 'x'.repeat(200_000), properties: { adapters: 1e9, ram: -1 } })),
    ]),
    'thousands of entries': of(
      ...Array.from({ length: 3_000 }, (_, n) => ({ name: `project-files/${String(n)}`, method: 0 })),
    ),
    'a good one': of({ name: 'project-files/a.txt', data: 'a' }),
    'a list of snapshots of any size': of(
      { name: 'snapshots/snapshots.conf', data: `[${'1,'.repeat(4_000_000)}1]` },
      { name: 'snapshots/a.gns3snapshot', data: 'x' },
    ),
  };
  const list = (archives: Record<string, Buffer>, isTaken: boolean): Made[] =>
    Object.entries(archives).map(([name, bytes]) => ({ name, bytes, taken: isTaken }));
  return [...list(refused, false), ...list(taken, true)];
};
