import type { Metric } from 'prom-client';
import { unlessAborted } from '../../common/promises.ts';
import type { Api, Standing } from '../api.ts';
import type { Histogram } from './counts.ts';

/** How long the fabric may take: one that hangs must not take the other figures away. Milliseconds. */
const FABRIC_MS = 1_000;

type Told = Pick<Api, 'changes' | 'computeId' | 'counts' | 'fabricTotals' | 'records' | 'standing' | 'version'>;

/** Metrics of the server, listed in docs/reference/metrics.md; those of the process are added to them. */
export const families = async (api: Told): Promise<Family[]> => [
  gauge('topolog_info', 'Version of the server', [[1, { version: api.version }]]),
  ...ofRequests(api),
  ...ofLog(api),
  ...ofCell(api.standing()),
  ...ofLab(api),
  ...(await ofFabric(api)),
];

const ofRequests = ({ counts }: Told): Family[] => {
  const all = [...counts.routes].flatMap(([route, methods]) =>
    [...methods].map(([method, one]) => ({ labels: { route, method }, one })),
  );
  return [
    counter(
      'topolog_http_requests_total',
      'Requests that were answered; code 499: the client went away before',
      all.flatMap(({ labels, one }) => [...one.codes].map(([code, n]): Labelled<number> => [n, { ...labels, code }])),
    ),
    histogram(
      'topolog_http_request_seconds',
      'From the headers of a request to the end of its answer; of a feed or WebSocket to its end',
      all.map(({ labels, one }) => [one.seconds, labels]),
    ),
    gauge(
      'topolog_feed_listeners',
      'Open listeners of feeds',
      [...counts.listeners].map(([feed, n]) => [n, { feed }]),
    ),
  ];
};

const ofLog = ({ counts, changes, standing }: Told): Family[] => {
  const { role, refuses } = standing();
  return [
    gauge('topolog_log_position', 'Position of the last event', changes.position()),
    gauge('topolog_log_writable', '1: events can be appended by this server', Number(role === 'writer' && !refuses)),
    histogram('topolog_log_append_seconds', 'From an append to the moment it is safe', counts.appendSeconds),
    histogram('topolog_log_batch_seconds', 'Writing of a batch of appends with its fsync', counts.batchSeconds),
    histogram('topolog_log_batch_events', 'Events of a batch', counts.batchEvents),
  ];
};

const ofCell = ({ role, cell }: Standing): Family[] => {
  const roles = (['writer', 'standby'] as const).map((one): Labelled<number> => [Number(one === role), { role: one }]);
  const own = [gauge('topolog_role', '1: what the server is in its cell', roles)];
  if (cell === undefined) return own;
  const { epoch, lease_seconds, standbys } = cell;
  const lags = (of: 'lag_events' | 'lag_seconds'): Labelled<number>[] =>
    standbys.map((one) => [one[of], { server: one.server }]);
  return [
    ...own,
    gauge('topolog_cell_epoch', 'Epoch of the cell: more with each takeover, the last known', epoch),
    gauge('topolog_cell_lease_seconds', 'How long this server may still write; 0: it has no lease', lease_seconds),
    gauge('topolog_cell_standby_lag_events', 'Events that a standby does not have yet', lags('lag_events')),
    gauge('topolog_cell_standby_lag_seconds', 'How far a standby is behind', lags('lag_seconds')),
  ];
};

const ofLab = ({ records, computeId }: Told): Family[] => {
  const projects = new Tally();
  const nodes = new Tally();
  const unreachable = new Tally();
  for (const { project_id, state } of records.projects()) {
    projects.add({ state });
    for (const node of records.ofProject('node', project_id)) {
      nodes.add({ compute_id: node.compute_id, state: node.state });
      if (node.unreachable !== undefined) unreachable.add({ compute_id: node.compute_id });
    }
  }
  const computes = records
    .ofServer('compute')
    .map(({ compute_id, name, connected }): Labelled<number> => [Number(connected), { compute_id, name }]);
  return [
    gauge('topolog_projects', 'Projects by state', projects.values()),
    gauge('topolog_nodes', 'Nodes by state and compute', nodes.values()),
    gauge('topolog_nodes_unreachable', 'Nodes whose compute cannot be reached', unreachable.values()),
    gauge('topolog_compute_connected', '1: the compute can be used', [
      [1, { compute_id: computeId, name: computeId }],
      ...computes,
    ]),
  ];
};

/** Counts by labels. */
class Tally {
  readonly #counts = new Map<string, [number, Record<string, string>]>();

  add(labels: Record<string, string>): void {
    const key = Object.values(labels).join(' ');
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, [1, labels]);
    else known[0]++;
  }

  values(): Labelled<number>[] {
    return [...this.#counts.values()];
  }
}

const ofFabric = async (api: Told): Promise<Family[]> => {
  const totals = await unlessAborted(api.fabricTotals(), AbortSignal.timeout(FABRIC_MS)).catch(() => null);
  const up = gauge('topolog_fabric_up', '1: the process that moves frames answers', Number(totals !== null));
  if (totals === null) return [up];
  const { frames, bytes, dropped, delayed, cables } = totals;
  return [
    up,
    counter('topolog_fabric_frames_total', 'Frames that arrived at the end of a cable', frames),
    counter('topolog_fabric_bytes_total', 'Their octets', bytes),
    counter('topolog_fabric_dropped_total', 'Frames that filters, suspension or full queues have dropped', dropped),
    gauge('topolog_fabric_delayed', 'Frames that wait for their delay', delayed),
    gauge('topolog_fabric_cables', 'Cables', cables),
  ];
};

type Labels = Readonly<Record<string, string | number>>;

interface Sample {
  labels: Labels;
  value: number;
  /** Absent: the name of its family. */
  metricName?: string;
}

/** Samples of one name, as the text format groups them: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: Sample[];
}

/** Value with its labels. */
export type Labelled<T> = readonly [T, Labels];

const plain =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, given: number | readonly Labelled<number>[]): Family => {
    const values = typeof given === 'number' ? [[given, {}] as const] : given;
    return { name, help, type, values: values.map(([value, labels]) => ({ labels, value })) };
  };

const gauge = plain('gauge');
const counter = plain('counter');

const histogram = (name: string, help: string, given: Histogram | readonly Labelled<Histogram>[]): Family => {
  const all = 'buckets' in given ? [[given, {}] as const] : given;
  return { name, help, type: 'histogram', values: all.flatMap(([one, labels]) => samplesOf(name, one, labels)) };
};

/** Each bucket has what is in those below it. */
const samplesOf = (name: string, { bounds, buckets, sum }: Histogram, labels: Labels): Sample[] => {
  let count = 0;
  const below = buckets.map((n, i) => {
    count += n;
    return { labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...below,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
};

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics of the process, measured from the first request for them on: its timers and listeners cost a little. */
let ofProcess: Promise<() => Promise<string>> | null = null;

const measureProcess = async (): Promise<() => Promise<string>> => {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const register = new Registry();
  // Milliseconds between two looks at the event loop: half as many as by default, which is half as much processor while all is quiet.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 20 });
  return () => register.metrics();
};

/** The text that a scraper reads: these families, and what is known of the process. */
export const exposition = async (families: readonly Family[]): Promise<string> => {
  const { Registry } = await import('prom-client');
  const registry = new Registry();
  // A registry uses only the name of a metric and its values.
  for (const family of families)
    registry.registerMetric({ name: family.name, get: () => Promise.resolve(family) } as unknown as Metric);
  const process = await (ofProcess ??= measureProcess());
  return `${await registry.metrics()}\n${await process()}`;
};
