import type { Client, Schemas } from '../../client/index.ts';
import { findServer } from '../../server/found-server.ts';
import { printable, printableJson } from '../printable.ts';
import { COMMON, command, dataDirOf, parse, wrongUsage } from '../command.ts';
import { printRows } from '../table.ts';
import { lackOf } from './computes.ts';
import { counted } from '../objects.ts';

const HELP = `topolog status [--json] [--data-dir DIR]

Tells whether the server of a data directory runs and is well: its version and address, its log, engines, labs and computes.

  --json           print it as JSON
  --data-dir DIR   where the server's data are

Exit code 0: it runs and is well; 1: it does not run, only reads, or its log is damaged.
`;

const OPTIONS = { ...COMMON, json: { type: 'boolean' } } as const;

/** `topolog status` */
export const statusCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  if (positionals.length > 0) throw wrongUsage('status');
  const dataDir = dataDirOf(values['data-dir']);
  const server = await findServer(dataDir);
  const status = server === null ? null : await statusOf(server.client);
  if (values.json === true) {
    const told = status === null ? { running: false } : { running: true, url: server?.url, ...status };
    process.stdout.write(`${printableJson(JSON.stringify({ ...told, data_dir: dataDir }, null, 2))}\n`);
  } else if (status === null) printRows([['server', `does not run on ${dataDir}: topolog serve starts it`]]);
  else
    printRows([
      ['server', `${status.version} at ${server?.url ?? ''}, ${status.role}, data in ${dataDir}`],
      ...rowsOf(status),
    ]);
  return status?.status === 'ok' ? 0 : 1;
});

interface Status {
  version: string;
  role: string;
  status: 'ok' | 'read_only' | 'damaged';
  log: { position: number; writable: boolean; reason: string | null };
  engines: Schemas['Engine'][];
  labs: { project_id: string; nodes: number; running: number; opened: boolean }[];
  computes: Schemas['Compute'][];
}

const statusOf = async (client: Client): Promise<Status> => {
  const [health, overview, projects, computes] = await Promise.all([
    client.get('/v2/health'),
    client.get('/v2/projects/overview'),
    client.get('/v2/projects'),
    client.get('/v2/computes'),
  ]);
  const opened = new Set(projects.filter((one) => one.status === 'opened').map(({ project_id }) => project_id));
  const engines = await client.get('/v2/computes/{compute_id}/engines', { path: { compute_id: 'local' } });
  const { version, role, status, log } = health;
  const labs = overview.map(({ project_id, nodes, running }) => ({
    project_id,
    nodes,
    running,
    opened: opened.has(project_id),
  }));
  return { version, role, status, log, engines, labs, computes };
};

const rowsOf = ({ status, log, engines, labs, computes }: Status): string[][] => {
  const sum = (key: 'nodes' | 'running'): number => labs.reduce((all, lab) => all + lab[key], 0);
  const ready = engines.filter(({ available }) => available);
  const away = computes.filter(({ connected }) => !connected);
  const lack = lackOf(engines);
  const why = log.reason === null ? '' : `: ${log.reason}`;
  return [
    ['log', status === 'ok' ? `is well, ${counted(log.position, 'event')}` : `${WORDS[status]}${why}`],
    ['engines', ready.map(({ node_type, engine }) => `${node_type}/${engine}`).join(' ')],
    ...(lack === '' ? [] : [['', `${lack}; topolog doctor tells what installs it`]]),
    [
      'labs',
      `${labs.length}, ${labs.filter(({ opened }) => opened).length} opened; ${counted(sum('nodes'), 'node')}, ${sum('running')} started`,
    ],
    [
      'computes',
      `${computes.length}${away.length === 0 ? ', all connected' : `, away: ${away.map(({ name }) => printable(name)).join(', ')}`}`,
    ],
  ];
};

const WORDS = { read_only: 'cannot be written', damaged: 'is damaged' } as const;
