import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Store } from '../../src/events/store/store.ts';
import { SYSTEM } from '../../src/events/event.ts';
import type { AnyDraft, DataOf } from '../../src/events/schemas.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { LabSecrets } from '../../src/common/lab-secrets/store.ts';
import { Moments } from '../../src/projections/past/moments.ts';
import { Records } from '../../src/projections/store.ts';
import { openSessionKey } from '../../src/session/keys.ts';
import { type ExportOptions, exportSession } from '../../src/session/export.ts';
import { drawingDraft, draftOf, PROJECT, projectData } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';
import { tempDir } from '../support/temp.ts';

export const NODES = [1, 2].map((n) => `00000000-0000-4000-a000-00000000000${n}`);
const LINK = '00000000-0000-4000-b000-000000000001';

export const nodeDirectory = (projectPath: string, id: string): string =>
  path.join(projectPath, 'project-files', 'vpcs', id);

const nodeData = (projectPath: string, id: string, n: number): DataOf<'node.created'> => ({
  node_id: id,
  project_id: PROJECT,
  compute_id: 'local',
  kind: 'simple_pc',
  name: `PC${n} “é” \u{1f600}`,
  template_id: null,
  console: 5000 + n,
  console_type: 'telnet',
  console_auto_start: false,
  properties: { '10': 1, '9': 2, text: 'line\nend\u2028\ufffd' },
  label: { text: `PC${n}` },
  symbol: null,
  width: 65,
  height: 65,
  x: -n,
  y: 0.5,
  z: 1,
  locked: false,
  port_name_format: 'Ethernet{0}',
  port_segment_size: 0,
  first_port_name: null,
  custom_adapters: [],
  ports: [],
  node_directory: nodeDirectory(projectPath, id),
  extra: {},
  failure: null,
});

const end = (node_id: string) => ({ node_id, adapter_number: 0, port_number: 0, label: { text: 'e0' } });

const refused: DataOf<'request.refused'> = {
  method: 'POST',
  route: '/v2/projects/{project_id}/nodes',
  path: `/v2/projects/${PROJECT}/nodes`,
  body: { name: 'PC1' },
  status: 409,
  reason: 'a node is named PC1 already',
  count: 1,
};

const drafts = (projectPath: string): AnyDraft[] => [
  draftOf('project.created', { ...projectData(), name: 'proof “lab”', path: projectPath }),
  draftOf('project.opened', { project_id: PROJECT }),
  ...NODES.map((id, i) => draftOf('node.created', nodeData(projectPath, id, i + 1))),
  draftOf('link.created', {
    link_id: LINK,
    project_id: PROJECT,
    link_type: 'ethernet',
    nodes: NODES.map(end),
    suspend: false,
    filters: {},
    link_style: {},
    extra: {},
  }),
  ...NODES.flatMap((node_id, i) => [
    draftOf('node.start_requested', { node_id, project_id: PROJECT, arguments: {} }),
    draftOf('node.started', {
      node_id,
      project_id: PROJECT,
      engine: 'embedded',
      pid: null,
      console: 5001 + i,
      command_line: '',
    }),
  ]),
  draftOf('link.updated', { link_id: LINK, project_id: PROJECT, changes: { filters: { delay: [50, 5] } } }),
  draftOf('request.refused', refused),
  ...Array.from({ length: 16 }, (_, n) => drawingDraft(n)),
  draftOf('drawing.deleted', { drawing_id: '00000000-0000-4000-9000-000000000003', project_id: PROJECT }),
  ...NODES.flatMap((node_id) => [
    draftOf('node.stop_requested', { node_id, project_id: PROJECT }),
    draftOf('node.stopped', { node_id, project_id: PROJECT }),
  ]),
];

const CAST = [
  '{"version":3,"term":{"cols":80,"rows":24}}',
  '[0.1,"o","PC1> "]',
  '[0.9,"i","ping 10.0.0.2\\r"]',
  '[0.2,"o","84 bytes from 10.0.0.2 \\u001b[1m\u2714\\u001b[0m\\r\\n"]',
  '',
].join('\n');

const writeFiles = async (projectPath: string): Promise<void> => {
  for (const [i, id] of NODES.entries()) {
    const directory = nodeDirectory(projectPath, id);
    await mkdir(path.join(directory, 'more'), { recursive: true });
    await writeFile(path.join(directory, 'startup.vpc'), `set pcname PC${i + 1}\nip 10.0.0.${i + 1}/24\n`);
    await writeFile(path.join(directory, 'more', 'notes.txt'), 'zwölf “Boxkämpfer”\n');
    const recordings = path.join(projectPath, 'project-files', 'recordings', id);
    await mkdir(recordings, { recursive: true });
    await writeFile(path.join(recordings, '2026-01-01.cast'), CAST);
  }
};

export interface RecordedLab {
  store: Store;
  log: EventLog;
  dataDir: string;
  projectPath: string;
  /** Versions of the project's stream. */
  versions: number;
  publicKey: string;
  export(options?: ExportOptions): Promise<string>;
  end(): Promise<void>;
}

/** A log of a few dozen events of one project, with some of the server's own between them, node files and recordings. */
export const recordedLab = async (): Promise<RecordedLab> => {
  const dir = await tempDir();
  const projectPath = path.join(dir.path, 'lab');
  const dataDir = path.join(dir.path, 'data');
  await writeFiles(projectPath);
  const store = memoryStore();
  let now = Date.UTC(2026, 0, 1);
  const log = await EventLog.open(() => Promise.resolve(store), new Records(), { clock: () => (now += 7) });
  const events = drafts(projectPath);
  for (const [i, draft] of events.entries()) {
    if (i % 10 === 0) await log.append([{ ...draftOf('server.stopped', { reason: 'test' }, null), by: SYSTEM }]);
    await log.append([draft]);
  }
  const key = await openSessionKey(dataDir);
  const moments = new Moments(() => store);
  return {
    store,
    log,
    dataDir,
    projectPath,
    versions: events.length,
    publicKey: key.publicKey,
    async export(options) {
      return textOf(
        await exportSession(
          {
            store,
            moments,
            key,
            secrets: await LabSecrets.read(dataDir),
            version: '0.1.0',
            spool: path.join(dataDir, 'spool'),
          },
          PROJECT,
          options,
        ),
      );
    },
    async end() {
      await log.close();
      await dir.remove();
    },
  };
};

const textOf = async (session: Readable): Promise<string> => {
  const blocks: Buffer[] = [];
  for await (const block of session) blocks.push(block as Buffer);
  return Buffer.concat(blocks).toString();
};
