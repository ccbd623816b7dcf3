import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseUsers } from '../../../src/http/access/users.ts';
import { request } from '../../support/server.ts';

/**
 * What a server shows, in parts of which each is changed by one client at a time: `project/<id>`, `images`, `symbols`, `templates`,
 * `license`, `accounts`, `key`. Values are JSON texts; null: there is none.
 */
export type Shown = Map<string, string>;

/** A value that is not asked about. */
export const ANY = '*';

/** Of users; not the server's own, which would ask every request for a password. */
export const accountsFile = (dataDir: string): string => path.join(dataDir, 'accounts');

type Bag = Record<string, unknown>;

const get = async (url: string, where: string): Promise<unknown> => {
  const { status, body, text } = await request(url, 'GET', where);
  if (status !== 200) throw new Error(`GET ${where} is answered ${status}: ${text.slice(0, 300)}`);
  return body;
};

const list = async (url: string, where: string): Promise<Bag[]> => (await get(url, where)) as Bag[];

const short = (text: unknown): string => createHash('sha256').update(String(text)).digest('base64').slice(0, 12);

const byId = (things: Bag[], id: string, value: (thing: Bag) => unknown): Bag =>
  Object.fromEntries(things.map((t) => [String(t[id]), value(t)] as const).sort(([a], [b]) => (a < b ? -1 : 1)));

export const showProject = async (url: string, id: string): Promise<string> => {
  const at = `/v2/projects/${id}`;
  const { status, body } = await request(url, 'GET', at);
  if (status === 404) return 'null';
  const [nodes, links, drawings, snapshots, files] = await Promise.all([
    ...['nodes', 'links', 'drawings', 'snapshots'].map((name) => list(url, `${at}/${name}`)),
    list(url, `/v2/compute/projects/${id}/files`),
  ]);
  return JSON.stringify({
    name: (body as Bag)['name'],
    width: (body as Bag)['scene_width'],
    nodes: byId(nodes ?? [], 'node_id', (n) => `${String(n['name'])} ${String(n['x'])}`),
    links: byId(links ?? [], 'link_id', () => 1),
    drawings: byId(drawings ?? [], 'drawing_id', (d) => `${String(d['x'])} ${short(d['svg'])}`),
    snapshots: byId(snapshots ?? [], 'snapshot_id', (s) => s['name']),
    files: byId(files ?? [], 'path', (f) => f['md5sum']),
  });
};

const showSymbols = async (url: string): Promise<string> => {
  const own = (await list(url, '/v2/symbols')).filter((s) => s['builtin'] === false);
  const raw = async (s: Bag): Promise<Bag> => ({
    id: s['symbol_id'],
    is: short((await request(url, 'GET', `/v2/symbols/${String(s['symbol_id'])}/raw`)).text),
  });
  return JSON.stringify(byId(await Promise.all(own.map(raw)), 'id', (s) => s['is']));
};

/** Users as their file has them. Throws for a file that is broken. */
const showAccounts = (dataDir: string): string => {
  const file = accountsFile(dataDir);
  if (!existsSync(file)) return '[]';
  return JSON.stringify(
    [...parseUsers(readFileSync(file, 'utf8'))].map(([name, { salt }]) => `${name} ${short(salt)}`),
  );
};

/** Images by their content, whatever checksum is kept beside them. */
const showImages = async (url: string): Promise<string> => {
  const images = await list(url, '/v2/compute/machine_emulator/images');
  const raw = async ({ path: name, md5sum }: Bag): Promise<Bag> => {
    const answer = await fetch(`${url}/v2/compute/machine_emulator/images/${String(name)}`);
    const md5 = createHash('md5')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
    return { path: name, is: md5 === md5sum ? md5 : `${md5}, said to be ${String(md5sum)}` };
  };
  return JSON.stringify(byId(await Promise.all(images.map(raw)), 'path', (i) => i['is']));
};

export const PARTS: Readonly<Record<string, (url: string, dataDir: string) => string | Promise<string>>> = {
  images: showImages,
  symbols: showSymbols,
  templates: async (url) =>
    JSON.stringify(
      byId(
        (await list(url, '/v2/templates')).filter((t) => t['builtin'] === false),
        'template_id',
        (t) => t['name'],
      ),
    ),
  license: async (url) => JSON.stringify(await get(url, '/v2/iou_license')),
  accounts: (_, dataDir) => showAccounts(dataDir),
  key: async (url) => String(((await get(url, '/v2/health')) as Bag)['public_key']),
};

export const showAll = async (url: string, dataDir: string): Promise<Shown> => {
  const shown: Shown = new Map();
  for (const [name, show] of Object.entries(PARTS)) shown.set(name, await show(url, dataDir));
  for (const project of await list(url, '/v2/projects')) {
    const id = String(project['project_id']);
    shown.set(`project/${id}`, await showProject(url, id));
  }
  return shown;
};

export const positionOf = async (url: string): Promise<number> =>
  Number(((await get(url, '/v2/health')) as { log: Bag }).log['position']);

/** Snapshots whose files are not as their manifest says. */
export const brokenSnapshots = (dataDir: string, shown: Shown): string[] => {
  const problems: string[] = [];
  for (const [part, value] of shown)
    for (const id of Object.keys(
      (part.startsWith('project/') && (JSON.parse(value) as Bag | null)?.['snapshots']) || {},
    )) {
      const place = path.join(dataDir, part.replace('project/', 'projects/'), 'snapshots', id);
      const problem = problemOf(place);
      if (problem !== null) problems.push(`snapshot ${id} is not whole: ${problem}`);
    }
  return problems;
};

const problemOf = (place: string): string | null => {
  try {
    const { entries } = JSON.parse(readFileSync(path.join(place, 'manifest.json'), 'utf8')) as {
      entries: { type: string; path: string; sha256: string }[];
    };
    for (const entry of entries.filter((e) => e.type === 'file')) {
      const content = readFileSync(path.join(place, 'files', entry.path));
      if (createHash('sha256').update(content).digest('hex') !== entry.sha256)
        return `${entry.path} has another content`;
    }
    return null;
  } catch (error) {
    return String(error);
  }
};

export const namesIn = (place: string): string[] => (existsSync(place) ? readdirSync(place) : []);
