import { z } from 'zod';
import type { Draft, Fact } from './fact.ts';
import * as f from './fields.ts';

/**
 * Every fact there is: type → schema version and shape of its data. Facts are past tense and carry final values, so that
 * a fold only merges. Requested and outcome are two facts. To change a shape: raise `v` here and add the step from the old
 * version in upcasters.ts; never change what was stored.
 *
 * What is not a fact: traffic, counters, pings, console bytes.
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

const fact = <S extends z.ZodType>(v: number, data: S): { v: number; data: S } => ({ v, data });

export const FACTS = {
  'server.started': fact(
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
  'server.stopped': fact(
    1,
    z.object({
      reason: z.string(),
      /** What ran was left running, and not ended with the server. */
      kept_running: z.literal(true).exactOptional(),
    }),
  ),
  'request.refused': fact(
    1,
    z.object({
      method: z.string(),
      route: z.string(),
      path: z.string(),
      status: z.int(),
      reason: z.string(),
      /** null: there was none. A text says why it was not kept; an object has secrets replaced by `[left out]`. */
      body: z.unknown(),
      /** Further ones like it within a few seconds are one fact more, whose cause is the first. */
      count: z.int(),
    }),
  ),
  /** A request with an Idempotency-Key is about to be carried out. `idempotency_id`: hash of the principal and the key. */
  'request.keyed': fact(
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
  'request.answered': fact(
    1,
    z.object({ idempotency_id: z.string(), status: z.int(), body: z.string().nullable(), kept: z.boolean() }),
  ),
  /** In the place of an event that is lost, whose position and version it has. Its hash is its own: what follows it does not fit it. */
  'event.lost': fact(1, z.object({})),
  /** A new log was made of what was whole of a damaged one. `lost`: where `event.lost` stands. The signature is that of sessions. */
  'log.repaired': fact(
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
  'project.repaired': fact(1, project.extend({ records: f.rightRecords })),
  'warning.raised': fact(1, z.object({ message: z.string(), node_id: z.string().nullable() })),

  'project.created': fact(1, f.projectFields),
  'project.updated': fact(1, project.extend({ changes: f.projectSettings.partial() })),
  'project.open_requested': fact(1, project),
  /** `starting`: its nodes are to be started, as it has `auto_start`. */
  'project.opened': fact(1, project.extend({ starting: z.literal(true).optional() })),
  'project.open_failed': fact(1, project.extend({ failure: f.failure })),
  /** `reason`: of a closing that nobody asked for; as the end of a sentence. */
  'project.close_requested': fact(1, project.extend({ reason: z.string().exactOptional() })),
  'project.closed': fact(1, project),
  'project.deleted': fact(1, project),
  /** The project file was changed by someone else: what follows with this cause replaces the topology. */
  'project.replaced': fact(1, f.projectFields),
  /** `version`: of the program that wrote it; the file says that of the existing tools. Absent in the first logs. */
  'project.file_written': fact(1, project.extend({ file_sha256: z.string(), version: z.string().exactOptional() })),
  'project.nodes_requested': fact(1, project.extend({ action: actions })),
  'project.nodes_finished': fact(
    1,
    project.extend({
      action: actions,
      done: z.int(),
      failed: z.array(node.pick({ node_id: true }).extend({ name: z.string(), failure: f.failure })),
    }),
  ),

  /** The last listener of the project's feed has left, and the project is to close unless one comes within the grace time. */
  'project.unattended': fact(1, project),
  /** One came in time. */
  'project.attended': fact(1, project),
  /** `running`: nodes to be started again should it fail. */
  'project.restore_requested': fact(1, project.extend({ snapshot_id: z.string(), running: z.array(z.string()) })),
  /**
   * The last fact of its batch, which has everything that differs from the snapshot. `staged` names the directory whose files
   * take the place of the project's.
   */
  'project.restored': fact(
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
  'project.restore_failed': fact(1, project.extend({ snapshot_id: z.string(), failure: f.failure })),

  'snapshot.created': fact(1, f.snapshotFields),
  'snapshot.deleted': fact(1, project.extend({ snapshot_id: z.string() })),
  /** A file of the project, or of a node (`path` is below its directory then), was written through the interface. */
  'file.written': fact(
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
  'image.uploaded': fact(
    1,
    z.object({ kind: z.string(), filename: z.string(), bytes: z.int(), md5sum: z.string(), upload: z.string() }),
  ),
  /** Something that only this kind can do, to a node of it or (both ids null) to this machine's images. */
  'operation.requested': fact(1, operated.extend({ arguments: z.record(z.string(), z.unknown()) })),
  /** `failure` null: it is done. */
  'operation.finished': fact(1, operated.extend({ failure: f.failure.nullable() })),

  'node.created': fact(1, f.nodeFields),
  'node.updated': fact(
    1,
    node.extend({ changes: f.nodeFields.omit({ node_id: true, project_id: true, kind: true }).partial() }),
  ),
  'node.deleted': fact(1, node),
  /** As it is in a snapshot, whether it was still there or not. */
  'node.restored': fact(1, f.restoredNode),
  'node.start_requested': fact(1, node.extend({ arguments: z.record(z.string(), z.unknown()) })),
  'node.started': fact(1, f.started),
  'node.start_failed': fact(1, nodeFailed),
  'node.stop_requested': fact(1, node),
  'node.stopped': fact(1, node),
  'node.stop_failed': fact(1, nodeFailed),
  'node.suspend_requested': fact(1, node),
  'node.suspended': fact(1, node),
  'node.suspend_failed': fact(1, nodeFailed),
  'node.resume_requested': fact(1, node),
  'node.resumed': fact(1, node),
  'node.resume_failed': fact(1, nodeFailed),
  'node.reload_requested': fact(1, node),
  'node.reloaded': fact(1, f.started),
  'node.reload_failed': fact(1, nodeFailed),
  /** The engine ended by itself. `code` is its exit status, null when a signal ended it. */
  'node.exited': fact(1, node.extend({ code: z.int().nullable(), signal: z.string().nullable(), output: z.string() })),
  /** Found running after the server came back. */
  'node.adopted': fact(1, f.started.extend({ state: z.enum(['started', 'suspended']) })),
  /** Did not survive the server, or was half-way: it is stopped now. */
  'node.lost': fact(1, node.extend({ reason: z.string() })),
  /** What is typed and printed at its console goes to `file`, a bare name in the directory of its recordings. */
  'node.recording_started': fact(1, node.extend({ file: z.string() })),
  'node.recording_stopped': fact(1, node.extend({ file: z.string(), content: f.content.optional() })),
  'node.nio_added': fact(1, node.extend({ ...portOf, nio: f.nio })),
  'node.nio_updated': fact(1, node.extend({ ...portOf, nio: f.nio })),
  'node.nio_removed': fact(1, node.extend(portOf)),
  'node.trace_finished': fact(
    1,
    node.extend({
      destination: z.string(),
      reached: z.boolean(),
      hops: z.array(z.object({ ttl: z.int(), address: z.string().nullable(), rtt_ms: z.number().nullable() })),
    }),
  ),

  'link.created': fact(1, f.linkFields),
  'link.updated': fact(
    1,
    link.extend({
      changes: f.linkFields.pick({ nodes: true, suspend: true, filters: true, link_style: true }).partial(),
    }),
  ),
  'link.deleted': fact(1, link),
  'link.restored': fact(1, f.restoredLink),
  /** Asked for at a link (`link_id`) or, by the compute group, at a port (null). */
  'capture.start_requested': fact(
    1,
    captured.extend({ file_name: z.string(), path: z.string(), data_link_type: z.string() }),
  ),
  'capture.started': fact(1, captured),
  'capture.failed': fact(1, captured.extend({ failure: f.failure })),
  'capture.stop_requested': fact(1, captured),
  /** `content`: of its file; absent for one that is not there, or larger than is looked at. */
  'capture.stopped': fact(1, captured.extend({ content: f.content.optional() })),

  'drawing.created': fact(1, f.drawingFields),
  'drawing.updated': fact(
    1,
    drawing.extend({ changes: f.drawingFields.omit({ drawing_id: true, project_id: true, extra: true }).partial() }),
  ),
  'drawing.deleted': fact(1, drawing),

  'template.created': fact(1, f.templateFields),
  'template.updated': fact(
    1,
    template.extend({ changes: f.templateFields.omit({ template_id: true, kind: true }).partial() }),
  ),
  'template.deleted': fact(1, template),
  /** A picture was put into the symbol directory, in place of the one of that name if there was one. */
  'symbol.stored': fact(1, z.object({ file: z.string(), bytes: z.int(), sha256: z.string() })),
  /** Never what it says: licences are secrets and live in a file of their own. */
  'license.changed': fact(1, z.object({ license: z.string(), present: z.boolean() })),
  'drawing.restored': fact(1, f.restoredDrawing),
} as const;

export type FactType = keyof typeof FACTS;
export type DataOf<T extends FactType> = z.infer<(typeof FACTS)[T]['data']>;

/** Any fact, discriminated by `type`. */
export type AnyFact = { [T in FactType]: Fact<T, DataOf<T>> }[FactType];
/** Any fact before it has been appended. */
export type AnyDraft = { [T in FactType]: Draft<T, DataOf<T>> }[FactType];

export const isFactType = (type: string): type is FactType => Object.hasOwn(FACTS, type);
