import { type LinkEnd, type LinkFields, type NodeFields, type WeatherEntry } from '../events/fields.ts';
import type { DataOf, EventType } from '../events/schemas.ts';
import { keysOf, picked } from '../model/derive.ts';
import { DRAWING } from '../model/drawing.ts';
import { LINK } from '../model/link.ts';
import { NODE } from '../model/node.ts';

/** Requests of the HTTP interface that lead to events. Pure: ids are those of the recording. */

export type Bag = Record<string, unknown>;

export interface Request {
  method: string;
  path: string;
  body: Bag | null;
}

/**
 * Whether a path is in the replay's own project, as a session may come from anybody. Segments are words only, so that no path leads elsewhere
 * once it is resolved.
 */
export const isInside = (path: string, projectId: string): boolean => {
  const [, inside] = /^\/v2\/(?:compute\/)?projects\/([0-9a-f-]{36})(?:\/[\w-]+)*$/i.exec(path) ?? [];
  return inside === projectId;
};

/** Name of a node's kind in paths of the compute group. */
export type KindOf = (nodeId: string) => string;

type Make<T extends EventType> = (data: DataOf<T>, kindOf: KindOf) => Request;

const project = (data: { project_id: string }): string => `/v2/projects/${data.project_id}`;
const node = (data: { project_id: string; node_id: string }): string => `${project(data)}/nodes/${data.node_id}`;
const link = (data: { project_id: string; link_id: string }): string => `${project(data)}/links/${data.link_id}`;
const drawing = (data: { project_id: string; drawing_id: string }): string =>
  `${project(data)}/drawings/${data.drawing_id}`;

const snapshots = (data: { project_id: string }): string => `${project(data)}/snapshots`;

interface PortOf {
  project_id: string;
  node_id: string;
  adapter_number: number;
  port_number: number;
}
/** Path of a port, for NIOs and captures, which only the compute group has. */
const port = (data: PortOf, kindOf: KindOf): string =>
  `/v2/compute/projects/${data.project_id}/${kindOf(data.node_id)}/nodes/${data.node_id}` +
  `/adapters/${data.adapter_number}/ports/${data.port_number}`;

const post = (path: string, body: Bag | null = null): Request => ({ method: 'POST', path, body });
const put = (path: string, body: Bag): Request => ({ method: 'PUT', path, body });
const remove = (path: string): Request => ({ method: 'DELETE', path, body: null });

/** Keys of both a creation and a change. Console ports belong to the machine, not to the lab: the server picks them. */
const NODE_KEYS = [
  'name',
  'console_type',
  'properties',
  'label',
  'symbol',
  ...keysOf(NODE),
  'port_name_format',
  'port_segment_size',
  'first_port_name',
  'custom_adapters',
] as const;

export const createNode = (data: NodeFields): Request =>
  post(`${project(data)}/nodes`, {
    node_type: data.kind,
    ...picked(data, ['node_id', 'template_id', ...NODE_KEYS]),
    ...withTexts(data),
  });

/** Texts of files are sent among the properties. */
const withTexts = ({
  properties,
  texts,
}: {
  properties?: Bag | undefined;
  texts?: NodeFields['texts'] | undefined;
}): Bag => (texts === undefined ? {} : { properties: { ...properties, ...texts } });

/** Gives a node the texts of the recording. */
export const giveTexts = (data: Pick<NodeFields, 'project_id' | 'node_id' | 'texts'>): Request =>
  put(node(data), withTexts({ texts: data.texts ?? {} }));

export const createLink = (data: LinkFields): Request =>
  post(`${project(data)}/links`, {
    link_id: data.link_id,
    nodes: data.nodes.map((end) => picked(end, ['node_id', 'adapter_number', 'port_number', 'label'])),
    ...picked(data, keysOf(LINK)),
  });

export const createDrawing = (data: DataOf<'drawing.created'>): Request =>
  post(`${project(data)}/drawings`, picked(data, ['drawing_id', ...keysOf(DRAWING)]));

const changeLink = ({ changes, ...data }: DataOf<'link.updated'>): Request =>
  put(link(data), {
    ...(changes.nodes === undefined
      ? {}
      : { nodes: changes.nodes.map((end: LinkEnd) => picked(end, ['node_id', 'label'])) }),
    ...picked(changes, keysOf(LINK)),
  });

/** Sets the weather; durations become numbers of seconds. */
export const setWeather = (project_id: string, weather: readonly WeatherEntry[]): Request =>
  put(`${project({ project_id })}/weather`, { entries: weather.map(withSeconds) });

const withSeconds = ({ at, for: lasts, repeat, flap, ...entry }: WeatherEntry): Bag => ({
  ...entry,
  at: at / 1000,
  ...(lasts === undefined ? {} : { for: lasts / 1000 }),
  ...(repeat === undefined ? {} : { repeat: { ...repeat, every: repeat.every / 1000 } }),
  ...(flap === undefined ? {} : { flap: { down: flap.down / 1000, up: flap.up / 1000 } }),
});

const captureAt = (data: DataOf<'capture.stopped'>, kindOf: KindOf): string =>
  data.link_id === null ? port(data, kindOf) : link({ project_id: data.project_id, link_id: data.link_id });

/** null: no request leads to it; it is the outcome of another event, or happens by itself. */
export const REQUESTS: { readonly [T in EventType]: Make<T> | null } = {
  'server.started': null,
  'server.stopped': null,
  'server.took_over': null,
  // Carries its own request.
  'request.refused': null,
  'request.keyed': null,
  'request.answered': null,
  'event.lost': null,
  'log.repaired': null,
  'project.repaired': null,
  'warning.raised': null,

  // A replay starts from the beginning of a lab, which is not a step.
  'project.created': null,
  'project.replaced': null,
  // Computes are left out: a replay runs on this server.
  'project.updated': ({ changes: { default_compute: _c, on_takeover: _t, weather, ...changes }, ...data }) =>
    weather === undefined ? put(project(data), changes) : setWeather(data.project_id, weather),
  'project.open_requested': (data) => post(`${project(data)}/open`),
  'project.opened': null,
  'project.open_failed': null,
  'project.close_requested': (data) => post(`${project(data)}/close`),
  'project.closed': null,
  'project.deleted': (data) => remove(project(data)),
  'project.file_written': null,
  'project.unattended': null,
  'project.attended': null,
  'project.nodes_requested': (data) => post(`${project(data)}/nodes/${data.action}`),
  'project.nodes_finished': null,
  // The changes that it led to are replayed, as the log does not contain the text.
  'project.apply_requested': null,
  'project.applied': null,
  'project.apply_finished': null,

  // The weather is paused: each of its steps is a request, in order with the others.
  'weather.started': ({ seed, ...data }) => post(`${project(data)}/weather/start`, { seed, paused: true }),
  'weather.stepped': ({ at, ...data }) => post(`${project(data)}/weather/skip`, { to: at / 1000 }),
  'weather.paused': null,
  'weather.resumed': null,
  'weather.ended': (data) => post(`${project(data)}/weather/end`),
  // Checks run by themselves.
  'run.begun': null,
  'run.ended': null,
  'check.met': null,
  'check.broken': null,

  'project.restore_requested': (data) => post(`${snapshots(data)}/${data.snapshot_id}/restore`),
  'project.restored': null,
  'project.restore_failed': null,

  'snapshot.created': (data) => post(snapshots(data), picked(data, ['name', 'snapshot_id'])),
  'snapshot.deleted': (data) => remove(`${snapshots(data)}/${data.snapshot_id}`),
  // The log has no contents of files.
  'file.written': null,
  'image.uploaded': null,
  'image.deleted': null,
  // Disks and programs belong to the recorded machine.
  'operation.requested': null,
  'operation.finished': null,

  'node.created': createNode,
  'node.updated': (data) => put(node(data), { ...picked(data.changes, NODE_KEYS), ...withTexts(data.changes) }),
  'node.deleted': (data) => remove(node(data)),
  'node.restored': null,
  'node.start_requested': (data) => post(`${node(data)}/start`, data.arguments),
  'node.started': null,
  'node.start_failed': null,
  'node.stop_requested': (data) => post(`${node(data)}/stop`),
  'node.stopped': null,
  'node.stop_failed': null,
  'node.suspend_requested': (data) => post(`${node(data)}/suspend`),
  'node.suspended': null,
  'node.suspend_failed': null,
  // The controller group resumes a suspended node by starting it.
  'node.resume_requested': (data) => post(`${node(data)}/start`),
  'node.resumed': null,
  'node.resume_failed': null,
  'node.reload_requested': (data) => post(`${node(data)}/reload`),
  'node.reloaded': null,
  'node.reload_failed': null,
  'node.exited': null,
  'node.adopted': null,
  'node.lost': null,
  'node.nio_added': (data, kindOf) => post(`${port(data, kindOf)}/nio`, { ...data.nio }),
  'node.nio_updated': (data, kindOf) => put(`${port(data, kindOf)}/nio`, { ...data.nio }),
  'node.nio_removed': (data, kindOf) => remove(`${port(data, kindOf)}/nio`),
  'node.trace_finished': null,
  'node.config_collected': (data) => post(`${project(data)}/configs/collect`, { nodes: [data.node_id] }),
  'node.recording_started': null,
  'node.recording_stopped': null,
  'node.unreachable': null,
  'node.reachable': null,

  'link.created': createLink,
  'link.updated': changeLink,
  'link.deleted': (data) => remove(link(data)),
  'link.restored': null,
  'link.tunnel_made': null,
  'link.tunnel_joined': null,
  'link.unproved': null,
  'link.proved': null,
  'capture.start_requested': (data, kindOf) =>
    post(`${captureAt(data, kindOf)}/start_capture`, {
      capture_file_name: data.file_name,
      data_link_type: data.data_link_type,
    }),
  'capture.started': null,
  'capture.failed': null,
  'capture.stop_requested': (data, kindOf) => post(`${captureAt(data, kindOf)}/stop_capture`),
  'capture.stopped': null,

  'drawing.created': createDrawing,
  'drawing.updated': (data) => put(drawing(data), picked(data.changes, keysOf(DRAWING))),
  'drawing.deleted': (data) => remove(drawing(data)),

  // Events of the server, not of the project.
  'compute.added': null,
  'compute.updated': null,
  'compute.removed': null,
  'compute.connected': null,
  'compute.disconnected': null,
  'template.created': null,
  'template.updated': null,
  'template.deleted': null,
  'symbol.stored': null,
  'symbol.deleted': null,
  'license.changed': null,
  // Events of machines, not of labs.
  'compute.claimed': null,
  'compute.released': null,
  'drawing.restored': null,
};
