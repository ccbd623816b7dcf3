import { z } from 'zod';
import { verdict } from '../common/forms/check.ts';
import type { Draft, LogEvent } from './event.ts';
import * as f from './fields.ts';
import * as s from './server-fields.ts';

/** Fields of `weather.stepped`. */
const weatherStep = {
  at: z.number(),
  since: z.int().nullable(),
  storms: z.array(z.string()),
  down: z.array(z.string()),
  up: z.array(z.string()),
};

/** Actions left to do after applying a lab text, whether that succeeds or fails. */
const applyEnd = z.object({
  /** Nodes to start: those that were stopped for it, and new ones of kinds that always run. */
  running: z.array(z.string()),
  /** Nodes to move to another compute. */
  moves: z.array(z.object({ node_id: z.string(), to: z.string() })),
  /** Start all nodes. */
  start: z.literal(true).exactOptional(),
  /** The project was created for it, and is deleted where it fails. */
  made: z.literal(true).exactOptional(),
});
export type ApplyEnd = z.infer<typeof applyEnd>;

/** `sha256`: of the text. */
const applyRequested = {
  format: z.string(),
  sha256: z.string(),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  restarted: z.int(),
  /** Absent in the first logs. */
  after: applyEnd.exactOptional(),
};

/**
 * Every event: type → schema version and shape of its data. Events are past tense and carry final values, so that a
 * fold only merges. A request and its outcome are two events. To change a shape: raise `v` here and add the step from
 * the old version in upcasters.ts; never change what was stored.
 *
 * Not recorded as events: traffic, counters, pings, console bytes.
 */
const server = z.object({});
const node = z.object({ node_id: z.string(), project_id: z.string() });
const link = z.object({ link_id: z.string(), project_id: z.string() });
const project = z.object({ project_id: z.string() });
const drawing = z.object({ drawing_id: z.string(), project_id: z.string() });
const template = z.object({ template_id: z.string() });
const compute = z.object({ compute_id: z.string() });
const nodeFailed = node.extend({ failure: f.failure });
const portOf = { adapter_number: z.int().nonnegative(), port_number: z.int().nonnegative() };
const captured = node.extend({ link_id: z.string().nullable(), ...portOf });
const actions = z.enum(['start', 'stop', 'suspend', 'reload']);

/** `shape`: fields beside those of `base`. */
const event = <B extends z.ZodRawShape, S extends z.ZodRawShape = typeof server.shape>(
  base: z.ZodObject<B>,
  shape = {} as S,
  v = 1,
) => ({ v, data: base.extend(shape) });

export const EVENTS = {
  'server.started': event(server, {
    version: z.string(),
    pid: z.int(),
    recovered: z.record(z.string(), z.int()),
    /** The directory of files, and its earlier paths; absent in the first logs. */
    data_dir: z.string().exactOptional(),
    former_data_dirs: z.array(z.string()).exactOptional(),
    /** Paths in events are relative to it, except up to this position. */
    whole_paths_until: z.int().exactOptional(),
    /** Id and name of this server among those that have written this log; absent in the first logs. */
    server: z.string().exactOptional(),
    name: z.string().exactOptional(),
  }),
  'server.stopped': event(server, {
    reason: z.string(),
    /** Nodes were left running when the server ended. */
    kept_running: z.literal(true).exactOptional(),
  }),
  'request.refused': event(server, {
    method: z.string(),
    route: z.string(),
    path: z.string(),
    status: z.int(),
    reason: z.string(),
    /** null: no body. A text says why it was not stored; in an object secrets are replaced by `[left out]`. */
    body: z.unknown(),
    /** Repeated requests within a few seconds are one more event, whose cause is the first. */
    count: z.int(),
  }),
  /**
   * A request with an Idempotency-Key is about to be executed. `idempotency_id`: hash of the principal and the key.
   */
  'request.keyed': event(server, {
    idempotency_id: z.string(),
    key: z.string(),
    method: z.string(),
    path: z.string(),
    body_sha256: z.string(),
  }),
  /** The answer. A status of 400 or more: nothing was done. `body` null: none, or too long to store. */
  'request.answered': event(server, {
    idempotency_id: z.string(),
    status: z.int(),
    body: z.string().nullable(),
    kept: z.boolean(),
  }),
  /**
   * Replaces an event that is lost, with its position and version. It has a hash of its own, which the next event
   * does not refer to.
   */
  'event.lost': event(server),
  /**
   * A new log was made of the undamaged parts of a damaged one. `lost`: ranges of `event.lost`. Signed as sessions
   * are.
   */
  'log.repaired': event(server, {
    lost: z.array(z.object({ first: z.int(), last: z.int() })),
    /** Records whose last state is lost: they are folded from the remaining events, if any. */
    records_lost: z.array(z.object({ collection: z.string(), id: z.string() })),
    events: z.int(),
    /** Name of the damaged log, below the data directory. */
    kept_as: z.string(),
    public_key: z.string(),
    signature: z.string(),
    records: f.rightRecords,
  }),
  /** Stored records that differ from what the remaining events of the project fold to. */
  'project.repaired': event(project, { records: f.rightRecords }),
  /** `settled`: the server has resolved it itself, as with a taken console port; no action is needed. */
  'warning.raised': event(server, {
    message: z.string(),
    node_id: z.string().nullable(),
    settled: z.literal(true).exactOptional(),
  }),

  'project.created': event(f.projectFields),
  'project.updated': event(project, { changes: f.projectSettings.partial() }),
  'project.open_requested': event(project),
  /** `starting`: its nodes are to be started, because of `auto_start`. */
  'project.opened': event(project, { starting: z.literal(true).optional() }),
  'project.open_failed': event(project, { failure: f.failure }),
  /** `reason`: why the server closed it by itself; ends a sentence. */
  'project.close_requested': event(project, { reason: z.string().exactOptional() }),
  'project.closed': event(project),
  'project.deleted': event(project),
  /** The project file was changed by another program: following events with this cause replace the topology. */
  'project.replaced': event(f.projectFields),
  /** `version`: of this program; the file has the version of the existing tools. Absent in the first logs. */
  'project.file_written': event(project, { file_sha256: z.string(), version: z.string().exactOptional() }),
  'project.nodes_requested': event(project, { action: actions, asked: z.int().exactOptional() }),
  'project.nodes_finished': event(project, {
    action: actions,
    done: z.int(),
    failed: z.array(node.pick({ node_id: true }).extend({ name: z.string(), failure: f.failure })),
  }),
  /** A lab text is being applied; events that carry it out have this one as their cause. */
  'project.apply_requested': event(project, applyRequested),
  /** First event of the batch that applies it. */
  'project.applied': event(project),
  /** `failure`: why the lab is unchanged; absent: it is as the text says. */
  'project.apply_finished': event(project, {
    failed: z.array(z.object({ name: z.string(), message: z.string() })),
    failure: f.failure.exactOptional(),
  }),

  /** The weather of the project begins. `since`: wall clock in milliseconds at its time 0; null: it is paused. */
  'weather.started': event(project, { seed: z.int(), since: z.int().nullable() }),
  /**
   * The weather has come to the time `at`, in milliseconds from its start, where something changes; those changes
   * have this event as their cause. `storms`: names of active entries. `down`: nodes that it stops, and those that it
   * stopped and has not restarted; `up`: nodes that restart.
   */
  'weather.stepped': event(project, weatherStep),
  'weather.paused': event(project, { at: z.number() }),
  'weather.resumed': event(project, { at: z.number(), since: z.int() }),
  /** All effects on links end, and stopped nodes restart. */
  'weather.ended': event(project, { at: z.number() }),
  /** A node of a project with checks runs: times of checks count from here. */
  'run.begun': event(project),
  /** The last node has ended, or the project is being stopped: checks are not evaluated until the next run. */
  'run.ended': event(project),
  'check.met': event(verdict),
  'check.broken': event(verdict),
  /** The last listener of the project's feed has left; the project closes unless one comes within the grace time. */
  'project.unattended': event(project),
  /** A listener came within the grace time. */
  'project.attended': event(project),
  /** `running`: nodes to start again should it fail. */
  'project.restore_requested': event(project, { snapshot_id: z.string(), running: z.array(z.string()) }),
  /**
   * Last event of its batch, which has all differences from the snapshot. `staged`: directory whose files replace
   * those of the project.
   */
  'project.restored': event(project, {
    snapshot_id: z.string(),
    /** Position whose records were restored. */
    position: z.int(),
    staged: z.string(),
    settings: f.projectSettings,
    extra: z.record(z.string(), z.unknown()),
  }),
  'project.restore_failed': event(project, { snapshot_id: z.string(), failure: f.failure }),

  'snapshot.created': event(f.snapshotFields),
  'snapshot.deleted': event(project, { snapshot_id: z.string() }),
  /** A file of the project, or of a node (`path` is below its directory then), was written through the interface. */
  'file.written': event(project, { node_id: z.string().nullable(), ...s.writtenFile.shape }),

  /** `filename`: below the directory of the kind's images. `upload`: as in `file.written`. */
  'image.uploaded': event(server, {
    kind: z.string(),
    filename: z.string(),
    bytes: z.int(),
    md5sum: z.string(),
    upload: z.string(),
  }),
  'image.deleted': event(server, { kind: z.string(), filename: z.string(), upload: z.string().exactOptional() }),
  /** An operation of a kind, for a node of it or (both ids null) for this machine's images. */
  'operation.requested': event(s.operated, { arguments: z.record(z.string(), z.unknown()) }),
  /** `failure` null: it succeeded. */
  'operation.finished': event(s.operated, { failure: f.failure.nullable() }),

  /** `written`: texts of the request that are files of the node. Absent in earlier logs as well. */
  'node.created': event(f.nodeFields, { written: z.array(s.writtenFile).exactOptional() }),
  'node.updated': event(node, {
    written: z.array(s.writtenFile).exactOptional(),
    changes: f.nodeFields.omit({ node_id: true, project_id: true, kind: true }).partial(),
  }),
  'node.deleted': event(node),
  /** Node as it is in a snapshot, whether it still existed or not. */
  'node.restored': event(f.restoredNode),
  'node.start_requested': event(node, { arguments: z.record(z.string(), z.unknown()) }),
  'node.started': event(f.started),
  'node.start_failed': event(nodeFailed),
  'node.stop_requested': event(node, { restart: z.literal(true).exactOptional() }),
  'node.stopped': event(node),
  'node.stop_failed': event(nodeFailed),
  'node.suspend_requested': event(node),
  'node.suspended': event(node),
  'node.suspend_failed': event(nodeFailed),
  'node.resume_requested': event(node),
  'node.resumed': event(node),
  'node.resume_failed': event(nodeFailed),
  'node.reload_requested': event(node),
  'node.reloaded': event(f.started),
  'node.reload_failed': event(nodeFailed),
  /** The engine ended by itself. `code` is its exit status, null when a signal ended it. */
  'node.exited': event(node, { code: z.int().nullable(), signal: z.string().nullable(), output: z.string() }),
  /** Found running after a restart of the server. */
  'node.adopted': event(f.started, { state: z.enum(['started', 'suspended']) }),
  /** It did not survive a restart of the server, or was starting or stopping then: it is stopped now. */
  'node.lost': event(node, { reason: z.string() }),
  /** Input and output of its console go to `file`, a bare name in the directory of its recordings. */
  'node.recording_started': event(node, { file: z.string() }),
  'node.recording_stopped': event(node, { file: z.string(), content: f.content.optional() }),
  /**
   * Its compute is unreachable: the state of the node there is unknown. `server`: the node runs at another server
   * that has written this log.
   */
  'node.unreachable': event(node, { reason: z.string(), server: z.string().exactOptional() }),
  'node.reachable': event(node),
  'node.nio_added': event(node, { ...portOf, nio: f.nio }),
  'node.nio_updated': event(node, { ...portOf, nio: f.nio }),
  'node.nio_removed': event(node, portOf),
  'node.trace_finished': event(node, f.trace.shape),
  /** Its configuration was collected and differs from the last time. `sha256`: of all files, as JSON. */
  'node.config_collected': event(node, {
    files: z.array(z.object({ name: z.string(), content: z.string() })),
    sha256: z.string(),
  }),

  'link.created': event(f.linkFields),
  'link.updated': event(link, { changes: f.linkChanges }),
  'link.deleted': event(link),
  'link.restored': event(f.restoredLink),
  /** Requested for a link (`link_id`) or, by the compute group, for a port (null). */
  'capture.start_requested': event(captured, { file_name: z.string(), path: z.string(), data_link_type: z.string() }),
  'capture.started': event(captured),
  'capture.failed': event(captured, { failure: f.failure }),
  'capture.stop_requested': event(captured),
  /** `content`: of its file; absent when the file is missing or too large to be read. */
  'capture.stopped': event(captured, { content: f.content.optional() }),

  /** The link joins two machines. Ends in the order of its nodes; a later event replaces this one. */
  'link.tunnel_made': event(link, { ends: z.array(f.tunnelEnd).length(2) }),
  /** Both ends were configured. */
  'link.tunnel_joined': event(link),
  /**
   * A compute that cannot replace a NIO was unreachable: whether frames pass over the link has not been observed
   * since.
   */
  'link.unproved': event(link, { reason: z.string() }),
  /** An answer has come over the link since, or it does not lead there any more. */
  'link.proved': event(link),

  'drawing.created': event(f.drawingFields),
  'drawing.updated': event(drawing, {
    changes: f.drawingFields.omit({ drawing_id: true, project_id: true, extra: true }).partial(),
  }),
  'drawing.deleted': event(drawing),

  'compute.added': event(s.computeFields),
  'compute.updated': event(compute, { changes: s.computeFields.omit({ compute_id: true }).partial() }),
  'compute.removed': event(compute),
  'compute.connected': event(compute, s.computeCapabilities.shape),
  /** The compute is unreachable, or this server cannot use it. */
  'compute.disconnected': event(compute, { reason: z.string() }),

  'template.created': event(s.templateFields),
  'template.updated': event(template, { changes: s.templateFields.omit({ template_id: true, kind: true }).partial() }),
  'template.deleted': event(template),
  /** A picture was put into the symbol directory, replacing the one of that name. */
  'symbol.stored': event(server, {
    file: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    upload: z.string().exactOptional(),
  }),
  'symbol.deleted': event(server, { file: z.string(), upload: z.string().exactOptional() }),
  /** Without the content: licences are secrets and are stored in a file of their own. */
  'license.changed': event(server, { license: z.string(), present: z.boolean(), ...s.prepared.partial().shape }),
  'drawing.restored': event(f.restoredDrawing),

  /** Another server became the controller of this one. `epoch` grows with each start of the controller. */
  'compute.claimed': event(server, s.claim.shape),
  'compute.released': event(server, s.claim.pick({ controller_id: true }).shape),

  /**
   * From here on this server writes the log, which another one (`from`) wrote. Same batch as the new states of that
   * server's nodes.
   */
  'server.took_over': event(server, { server: z.string(), name: z.string(), from: z.string() }),
} as const;

export type EventType = keyof typeof EVENTS;
export type DataOf<T extends EventType> = z.infer<(typeof EVENTS)[T]['data']>;

/** Any event, discriminated by `type`. */
export type AnyEvent = { [T in EventType]: LogEvent<T, DataOf<T>> }[EventType];
/** Any event before it has been appended. */
export type AnyDraft = { [T in EventType]: Draft<T, DataOf<T>> }[EventType];

export const isEventType = (type: string): type is EventType => Object.hasOwn(EVENTS, type);
