import { zipOf } from '../../../support/zip.ts';
import type { Attack } from '../attack.ts';

/** Switches of the largest lab here, one behind the other. */
export const ROW = 5_000;
/** Events of the longest log here, and how many come in one batch. */
export const EVENTS = 180_000;
export const AT_ONCE = 20_000;

export interface Labs {
  /** Paths of projects: a row of switches with a PC at either end, one with a long history, one with nothing. */
  row: string;
  long: string;
  empty: string;
  /** What a node and a link of the row are. */
  nodes: { node_id: string; name: string }[];
  links: { link_id: string }[];
  /** Throws for anything but a success. */
  ask: (method: string, url: string, body?: object | Buffer, headers?: Record<string, string>) => Promise<string>;
  /** Whatever is answered. */
  tell: (method: string, url: string, body: Buffer) => Promise<void>;
}

/** What a caller can make as costly as it likes, within its bounds. */
interface Cost {
  name: string;
  /** The operations of the interface that it is about. */
  of: readonly string[];
  ask: (labs: Labs, attack: Attack) => Promise<unknown>;
}

const P = '/v2/projects/{project_id}';
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const pcText = (count: number, startup: number): string =>
  [
    'lab: many\nversion: 1\nnodes:',
    ...times(count, (n) => `  PC${n}: { kind: simple_pc, startup: "${'#'.repeat(startup)}" }`),
    'links:',
    ...times(count >> 1, (n) => `  - ["PC${2 * n}:0", "PC${2 * n + 1}:0"]`),
  ].join('\n');

export const rowText = (name: string, length: number): string =>
  [
    `lab: ${name}\nversion: 1\nnodes:`,
    ...[1, 2].map((n) => `  PC${n}: { kind: simple_pc, startup: "ip 10.0.0.${n}/24" }`),
    ...times(length, (n) => `  SW${n + 1}: { kind: ethernet_switch }`),
    'links:\n  - ["PC1:0", "SW1:0"]',
    ...times(length - 1, (n) => `  - ["SW${n + 1}:1", "SW${n + 2}:0"]`),
    `  - ["SW${length}:1", "PC2:0"]`,
  ].join('\n');

const created = (random: Attack['random'], count: number): { steps: object[]; undo: object[] } => {
  const ids = times(count, () => random.uuid());
  const links = times(count >> 1, () => random.uuid());
  const end = (n: number): object => ({ node_id: ids[n], adapter_number: 0, port_number: 0 });
  const node = (node_id: string | undefined, n: number): object => ({
    action: 'create',
    type: 'node',
    record: { node_id, name: `N${n}`, node_type: 'simple_pc', compute_id: 'local', console_type: 'none' },
  });
  return {
    steps: [
      ...ids.map(node),
      ...links.map((link_id, n) => ({
        ...{ action: 'create', type: 'link' },
        record: { link_id, nodes: [end(2 * n), end(2 * n + 1)] },
      })),
    ],
    undo: [
      ...links.map((id) => ({ action: 'delete', type: 'link', id })),
      ...ids.map((id) => ({ action: 'delete', type: 'node', id })),
    ],
  };
};

export const COSTS: readonly Cost[] = [
  {
    name: 'plan of a text of 7 MiB with 9,000 nodes',
    of: ['POST /v2/labs/plan', 'POST /v2/labs/apply'],
    // There may be fewer console ports, which is found out at the end.
    ask: ({ tell }) => tell('POST', '/v2/labs/plan', Buffer.from(JSON.stringify({ text: pcText(9_000, 740) }))),
  },
  {
    name: 'plan of the row as it is',
    of: ['POST /v2/labs/plan', 'POST /v2/labs/apply'],
    ask: ({ ask }) => ask('POST', '/v2/labs/plan', { text: rowText('row', ROW) }),
  },
  {
    name: 'plan of the row with another name of each node',
    of: ['POST /v2/labs/plan', 'POST /v2/labs/apply'],
    ask: ({ ask }) => ask('POST', '/v2/labs/plan', { text: rowText('row', ROW).replaceAll('SW', 'S') }),
  },
  {
    name: 'batch of 5,000 nodes with links, and its end',
    of: [`POST ${P}/batch`],
    async ask({ ask, empty }, { random }) {
      const { steps, undo } = created(random, 5_000);
      await ask('POST', `${empty}/batch`, { steps });
      await ask('POST', `${empty}/batch`, { steps: undo });
    },
  },
  {
    name: 'undo of a batch of 5,000 nodes',
    of: [`POST ${P}/undo`, `POST ${P}/redo`, `GET ${P}/edits`],
    async ask({ ask, empty }, { random }) {
      await ask('POST', `${empty}/batch`, { steps: created(random, 5_000).steps });
      await ask('GET', `${empty}/edits`);
      await ask('POST', `${empty}/undo`, {});
    },
  },
  {
    name: 'batch of 20,000 steps that are all wrong',
    of: [`POST ${P}/batch`],
    ask: ({ tell, empty }) => {
      const steps = times(20_000, (n) => ({ action: 'create', type: 'node', record: { [`x${n}`]: n, y: [n] } }));
      return tell('POST', `${empty}/batch`, Buffer.from(JSON.stringify({ steps })));
    },
  },
  ...(
    [
      ['lists within lists', `{"steps":[${'[[[[1]]]],'.repeat(1_000_000)}1]}`],
      ['one text of 16 MiB', `{"steps":[],"x":"${'\\u0041'.repeat(2_700_000)}"}`],
      ['keys', `{${times(900_000, (n) => `"k${n}":${n}`).join(',')}}`],
      ['no JSON', '{"a":'.repeat(3_000_000)],
    ] as const
  ).map(([what, body]): Cost => ({
    name: `body of up to 16 MiB: ${what}`,
    of: [`POST ${P}/batch`, 'POST /v2/compute/batch', 'POST /v2/labs/plan', 'POST /v2/labs/apply', `POST ${P}/lab`],
    ask: ({ tell, empty }) => tell('POST', `${empty}/batch`, Buffer.from(body.slice(0, 16 << 20))),
  })),
  {
    name: 'compute batch of 1,000 reads of everything',
    of: ['POST /v2/compute/batch'],
    ask: ({ ask, row }) =>
      ask('POST', '/v2/compute/batch', {
        calls: times(1_000, () => ({ method: 'GET', path: `/projects/${row.split('/').at(-1) ?? ''}/files` })),
      }),
  },
  {
    name: '40 reads of earlier moments at once',
    of: [`GET ${P}/nodes`, `GET ${P}/links`, `GET ${P}/drawings`],
    ask: ({ ask, long }, { random }) =>
      Promise.all(times(40, () => ask('GET', `${long}/drawings?at=${random.below(EVENTS) + 20_000}`))),
  },
  {
    name: '40 reads of earlier moments of the row at once',
    of: [`GET ${P}/nodes`, `GET ${P}/links`, `GET ${P}/drawings`],
    ask: ({ ask, row }, { random }) =>
      Promise.all(times(40, () => ask('GET', `${row}/nodes?at=${random.below(10_000) + 100}`))),
  },
  {
    name: 'differences between moments',
    of: [`GET ${P}/diff`],
    async ask({ ask, row, long }) {
      await ask('GET', `${row}/diff?from=50&to=30000`);
      await Promise.all(
        times(10, (n) => ask('GET', `${long}/diff?from=${20_000 + n * 1_000}&to=${EVENTS - n * 1_000}`)),
      );
    },
  },
  {
    name: 'why over the row',
    of: [`GET ${P}/why`, `POST ${P}/why`],
    async ask({ ask, row, links }) {
      await ask('GET', `${row}/why?from=PC1&to=PC2`);
      await ask('POST', `${row}/why`, { from: 'PC1', to: 'PC2' });
      await ask('PUT', `${row}/links/${links[ROW >> 1]?.link_id ?? ''}`, { suspend: true });
      await ask('GET', `${row}/why?from=PC1&to=PC2`);
      await ask('PUT', `${row}/links/${links[ROW >> 1]?.link_id ?? ''}`, { suspend: false });
    },
  },
  {
    name: 'lists of the row',
    of: [`GET ${P}/nodes`, `GET ${P}/links`, `GET ${P}/drawings`, `GET ${P}/stats`, 'GET /v2/projects/overview'],
    ask: ({ ask, row }) =>
      Promise.all(
        ['nodes', 'links', 'drawings', 'stats'].flatMap((what) => times(5, () => ask('GET', `${row}/${what}`))),
      ).then(() => ask('GET', '/v2/projects/overview')),
  },
  {
    name: 'picture of the row',
    of: [`GET ${P}/picture.svg`],
    ask: ({ ask, row }) => ask('GET', `${row}/picture.svg`),
  },
  {
    name: 'text of the row, and one brought up to date',
    of: [`GET ${P}/lab`, `POST ${P}/lab`],
    async ask({ ask, row }) {
      const text = await ask('GET', `${row}/lab`);
      await ask('POST', `${row}/lab`, { text: text.replace(/x: 1/, 'x: 2') });
    },
  },
  {
    name: 'events, all and filtered',
    of: [
      ...[`GET ${P}/events`, 'GET /v2/events'],
      ...['nodes/{node_id}', 'links/{link_id}', 'drawings/{drawing_id}'].map((one) => `GET ${P}/${one}/history`),
    ],
    async ask({ ask, row, long, nodes }) {
      await ask('GET', `${long}/events?type=node.&principal=nobody`);
      await ask('GET', '/v2/events', undefined, { accept: 'application/x-ndjson' });
      await Promise.all(times(10, () => ask('GET', `${long}/events?limit=1000`)));
      await ask('GET', `${row}/nodes/${nodes[9]?.node_id ?? ''}/history?limit=1000`);
    },
  },
  {
    name: 'the time line',
    of: [`GET ${P}/timeline`, `GET ${P}/timeline/entries`, `GET ${P}/timeline/objects`],
    async ask({ ask, long, row }) {
      for (const lab of [long, row])
        for (const part of ['timeline', 'timeline/entries', 'timeline/objects']) await ask('GET', `${lab}/${part}`);
    },
  },
  { name: 'the log verified', of: ['GET /v2/verify'], ask: ({ ask }) => ask('GET', '/v2/verify') },
  { name: 'a session', of: [`GET ${P}/session`], ask: ({ ask, long }) => ask('GET', `${long}/session`) },
  {
    name: 'archive of the row, written and read',
    of: [`GET ${P}/export`, `POST ${P}/import`],
    async ask({ ask, row }, { client, random }) {
      await ask('GET', `${row}/export`);
      await client.get(row);
      const copy = random.uuid();
      await ask('POST', `/v2/projects/${copy}/import`, projectFile(random, 10_000), OCTETS);
      await ask('DELETE', `/v2/projects/${copy}`);
    },
  },
  {
    name: 'copy of the row, its end, its close and its opening',
    of: [`POST ${P}/duplicate`, `DELETE ${P}`, `POST ${P}/close`, `POST ${P}/open`],
    async ask({ ask, row }) {
      const { project_id } = JSON.parse(await ask('POST', `${row}/duplicate`, { name: 'copy' })) as {
        project_id: string;
      };
      await ask('DELETE', `/v2/projects/${project_id}`);
      await ask('POST', `${row}/close`);
      await ask('POST', `${row}/open`);
    },
  },
  {
    name: 'snapshot of the row, taken and restored',
    of: [`POST ${P}/snapshots`, `POST ${P}/snapshots/{snapshot_id}/restore`, `POST ${P}/restore`],
    async ask({ ask, row }) {
      const taken = JSON.parse(await ask('POST', `${row}/snapshots`, { name: 's' })) as { snapshot_id: string };
      await ask('POST', `${row}/snapshots/${taken.snapshot_id}/restore`, {});
    },
  },
  {
    name: 'all nodes of the row started and stopped',
    of: [`POST ${P}/nodes/start`, `POST ${P}/nodes/stop`],
    async ask({ ask, row }) {
      await ask('POST', `${row}/nodes/start`);
      await ask('POST', `${row}/nodes/stop`);
    },
  },
  {
    name: 'metrics, statistics and the document',
    of: ['GET /metrics', 'GET /v2/statistics', 'GET /v2/openapi.json', 'GET /v2/health'],
    async ask({ ask }) {
      for (const url of ['/metrics', '/v2/statistics', '/v2/openapi.json', '/v2/health'])
        await Promise.all(times(5, () => ask('GET', url)));
    },
  },
];

const OCTETS = { 'content-type': 'application/octet-stream' };

/** An archive of a lab with the most nodes there can be. */
const projectFile = (random: Attack['random'], count: number): Buffer => {
  const nodes = times(count, (n) => ({
    ...{ node_id: random.uuid(), name: `PC${n}`, node_type: 'vpcs', compute_id: 'local', x: n, y: n },
  }));
  const topology = { nodes, links: [], drawings: [], computes: [] };
  const head = { project_id: random.uuid(), name: 'lab', revision: 9, version: '2.2.60', type: 'topology' };
  return zipOf([{ name: 'project.gns3', data: JSON.stringify({ ...head, topology }) }]);
};
