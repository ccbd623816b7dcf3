import { z } from 'zod';
import type { Draft, LogEvent } from './event.ts';
import * as f from './fields.ts';

/**
 * Every event there is: type → schema version and shape of its data. Events are past tense and carry final values, so that
 * a fold only merges. Requested and outcome are two events. To change a shape: raise `v` here and add the step from the old
 * version in upcasters.ts; never change what was stored.
 *
 * What is not an event: traffic, counters, pings, console bytes.
 */
const node = z.object({ node_id: z.string(), project_id: z.string() });
const link = z.object({ link_id: z.string(), project_id: z.string() });
const project = z.object({ project_id: z.string() });
const drawing = z.object({ drawing_id: z.string(), project_id: z.string() });
const template = z.object({ template_id: z.string() });
const nodeFailed = node.extend({ failure: f.failure });
const portOf = { adapter_number: z.int().nonnegative(), port_number: z.int().nonnegative() };
const captured = node.extend({ link_id: z.string().nullable(), ...portOf });
const operated = z.object({
  kind: z.string(),
  operation: z.string(),
  project_id: z.string().nullable(),
  node_id: z.string().nullable(),
});
const actions = z.enum(['start', 'stop', 'suspend', 'reload']);

const event = <S extends z.ZodType>(v: number, data: S): { v: number; data: S } => ({ v, data });

export const EVENTS = {
  'server.started': event(
    1,
    z.object({
      version: z.string(),
      pid: z.int(),
      recovered: z.record(z.string(), z.int()),
      /** Where the data directory is, and was; absent in the first logs. */
      data_dir: z.string().exactOptional(),
      former_data_dirs: z.array(z.string()).exactOptional(),
      /** Paths in it that events tell are relative to it, but for those up to this position. */
      whole_paths_until: z.int().exactOptional(),
    }),
  ),
  'server.stopped': event(
    1,
    z.object({
      reason: z.string(),
      /** What ran was left running, and not ended with the server. */
      kept_running: z.literal(true).exactOptional(),
    }),
  ),
  'request.refused': event(
    1,
    z.object({
      method: z.string(),
      route: z.string(),
      path: z.string(),
      status: z.int(),
      reason: z.string(),
      /** null: there was none. A text says why it was not kept; an object has secrets replaced by `[left out]`. */
      body: z.unknown(),
      /** Further ones like it within a few seconds are one event more, whose cause is the first. */
      count: z.int(),
    }),
  ),
  /** A request with an Idempotency-Key is about to be carried out. `idempotency_id`: hash of the principal and the key. */
  'request.keyed': event(
    1,
    z.object({
      idempotency_id: z.string(),
      key: z.string(),
      method: z.string(),
      path: z.string(),
      body_sha256: z.string(),
    }),
  ),
  /** What it was answered. A status of 400 or more: nothing was done. `body` null: there was none, or a long one that is not kept. */
  'request.answered': event(
    1,
    z.object({ idempotency_id: z.string(), status: z.int(), body: z.string().nullable(), kept: z.boolean() }),
  ),
  /** In the place of an event that is lost, whose position and version it has. Its hash is its own: what follows it does not fit it. */
  'event.lost': event(1, z.object({})),
  /** A new log was made of what was whole of a damaged one. `lost`: where `event.lost` stands. The signature is that of sessions. */
  'log.repaired': event(
    1,
    z.object({
      lost: z.array(z.object({ first: z.int(), last: z.int() })),
      /** Nobody knows their last state: what their whole events tell is kept, if anything. */
      records_lost: z.array(z.object({ collection: z.string(), id: z.string() })),
      events: z.int(),
      /** Where the damaged log is kept, below the data directory. */
      kept_as: z.string(),
      public_key: z.string(),
      signature: z.string(),
      records: f.rightRecords,
    }),
  ),
  /** Records as they were stored, which are not what the project's remaining events fold to. */
  'project.repaired': event(1, project.extend({ records: f.rightRecords })),
  'warning.raised': event(1, z.object({ message: z.string(), node_id: z.string().nullable() })),

  'project.created': event(1, f.projectFields),
  'project.updated': event(1, project.extend({ changes: f.projectSettings.partial() })),
  'project.open_requested': event(1, project),
  /** `starting`: its nodes are to be started, as it has `auto_start`. */
  'project.opened': event(1, project.extend({ starting: z.literal(true).optional() })),
  'project.open_failed': event(1, project.extend({ failure: f.failure })),
  /** `reason`: of a closing that nobody asked for; as the end of a sentence. */
  'project.close_requested': event(1, project.extend({ reason: z.string().exactOptional() })),
  'project.closed': event(1, project),
  'project.deleted': event(1, project),
  /** The project file was changed by someone else: what follows with this cause replaces the topology. */
  'project.replaced': event(1, f.projectFields),
  /** `version`: of the program that wrote it; the file says that of the existing tools. Absent in the first logs. */
  'project.file_written': event(1, project.extend({ file_sha256: z.string(), version: z.string().exactOptional() })),
  'project.nodes_requested': event(1, project.extend({ action: actions })),
  'project.nodes_finished': event(
    1,
    project.extend({
      action: actions,
      done: z.int(),
      failed: z.array(node.pick({ node_id: true }).extend({ name: z.string(), failure: f.failure })),
    }),
  ),

  /** The last listener of the project's feed has left, and the project is to close unless one comes within the grace time. */
  'project.unattended': event(1, project),
  /** One came in time. */
  'project.attended': event(1, project),
  /** `running`: nodes to be started again should it fail. */
  'project.restore_requested': event(1, project.extend({ snapshot_id: z.string(), running: z.array(z.string()) })),
  /**
   * The last event of its batch, which has everything that differs from the snapshot. `staged` names the directory whose files
   * take the place of the project's.
   */
  'project.restored': event(
    1,
    project.extend({
      snapshot_id: z.string(),
      /** Whose records these are. */
      position: z.int(),
      staged: z.string(),
      settings: f.projectSettings,
      extra: z.record(z.string(), z.unknown()),
    }),
  ),
  'project.restore_failed': event(1, project.extend({ snapshot_id: z.string(), failure: f.failure })),

  'snapshot.created': event(1, f.snapshotFields),
  'snapshot.deleted': event(1, project.extend({ snapshot_id: z.string() })),
  /** A file of the project, or of a node (`path` is below its directory then), was written through the interface. */
  'file.written': event(
    1,
    project.extend({
      node_id: z.string().nullable(),
      path: z.string(),
      bytes: z.int(),
      sha256: z.string(),
      /** Which upload this is: tells after a crash whether it is to be finished. */
      upload: z.string(),
    }),
  ),

  /** `filename`: below the directory of the kind's images. `upload`: as in `file.written`. */
  'image.uploaded': event(
    1,
    z.object({ kind: z.string(), filename: z.string(), bytes: z.int(), md5sum: z.string(), upload: z.string() }),
  ),
  /** Something that only this kind can do, to a node of it or (both ids null) to this machine's images. */
  'operation.requested': event(1, operated.extend({ arguments: z.record(z.string(), z.unknown()) })),
  /** `failure` null: it is done. */
  'operation.finished': event(1, operated.extend({ failure: f.failure.nullable() })),

  'node.created': event(1, f.nodeFields),
  'node.updated': event(
    1,
    node.extend({ changes: f.nodeFields.omit({ node_id: true, project_id: true, kind: true }).partial() }),
  ),
  'node.deleted': event(1, node),
  /** As it is in a snapshot, whether it was still there or not. */
  'node.restored': event(1, f.restoredNode),
  'node.start_requested': event(1, node.extend({ arguments: z.record(z.string(), z.unknown()) })),
  'node.started': event(1, f.started),
  'node.start_failed': event(1, nodeFailed),
  'node.stop_requested': event(1, node),
  'node.stopped': event(1, node),
  'node.stop_failed': event(1, nodeFailed),
  'node.suspend_requested': event(1, node),
  'node.suspended': event(1, node),
  'node.suspend_failed': event(1, nodeFailed),
  'node.resume_requested': event(1, node),
  'node.resumed': event(1, node),
  'node.resume_failed': event(1, nodeFailed),
  'node.reload_requested': event(1, node),
  'node.reloaded': event(1, f.started),
  'node.reload_failed': event(1, nodeFailed),
  /** The engine ended by itself. `code` is its exit status, null when a signal ended it. */
  'node.exited': event(1, node.extend({ code: z.int().nullable(), signal: z.string().nullable(), output: z.string() })),
  /** Found running after the server came back. */
  'node.adopted': event(1, f.started.extend({ state: z.enum(['started', 'suspended']) })),
  /** Did not survive the server, or was half-way: it is stopped now. */
  'node.lost': event(1, node.extend({ reason: z.string() })),
  /** What is typed and printed at its console goes to `file`, a bare name in the directory of its recordings. */
  'node.recording_started': event(1, node.extend({ file: z.string() })),
  'node.recording_stopped': event(1, node.extend({ file: z.string(), content: f.content.optional() })),
  'node.nio_added': event(1, node.extend({ ...portOf, nio: f.nio })),
  'node.nio_updated': event(1, node.extend({ ...portOf, nio: f.nio })),
  'node.nio_removed': event(1, node.extend(portOf)),
  'node.trace_finished': event(
    1,
    node.extend({
      destination: z.string(),
      reached: z.boolean(),
      hops: z.array(z.object({ ttl: z.int(), address: z.string().nullable(), rtt_ms: z.number().nullable() })),
    }),
  ),

  'link.created': event(1, f.linkFields),
  'link.updated': event(
    1,
    link.extend({
      changes: f.linkFields.pick({ nodes: true, suspend: true, filters: true, link_style: true }).partial(),
    }),
  ),
  'link.deleted': event(1, link),
  'link.restored': event(1, f.restoredLink),
  /** Asked for at a link (`link_id`) or, by the compute group, at a port (null). */
  'capture.start_requested': event(
    1,
    captured.extend({ file_name: z.string(), path: z.string(), data_link_type: z.string() }),
  ),
  'capture.started': event(1, captured),
  'capture.failed': event(1, captured.extend({ failure: f.failure })),
  'capture.stop_requested': event(1, captured),
  /** `content`: of its file; absent for one that is not there, or larger than is looked at. */
  'capture.stopped': event(1, captured.extend({ content: f.content.optional() })),

  'drawing.created': event(1, f.drawingFields),
  'drawing.updated': event(
    1,
    drawing.extend({ changes: f.drawingFields.omit({ drawing_id: true, project_id: true, extra: true }).partial() }),
  ),
  'drawing.deleted': event(1, drawing),

  'template.created': event(1, f.templateFields),
  'template.updated': event(
    1,
    template.extend({ changes: f.templateFields.omit({ template_id: true, kind: true }).partial() }),
  ),
  'template.deleted': event(1, template),
  /** A picture was put into the symbol directory, in place of the one of that name if there was one. */
  'symbol.stored': event(1, z.object({ file: z.string(), bytes: z.int(), sha256: z.string() })),
  /** Never what it says: licences are secrets and live in a file of their own. */
  'license.changed': event(1, z.object({ license: z.string(), present: z.boolean() })),
  'drawing.restored': event(1, f.restoredDrawing),
} as const;

export type EventType = keyof typeof EVENTS;
export type DataOf<T extends EventType> = z.infer<(typeof EVENTS)[T]['data']>;

/** Any event, discriminated by `type`. */
export type AnyEvent = { [T in EventType]: LogEvent<T, DataOf<T>> }[EventType];
/** Any event before it has been appended. */
export type AnyDraft = { [T in EventType]: Draft<T, DataOf<T>> }[EventType];

export const isEventType = (type: string): type is EventType => Object.hasOwn(EVENTS, type);
