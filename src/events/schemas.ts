import { z } from 'zod';
import type { Draft, LogEvent } from './event.ts';
import { verdict } from '../common/forms/check.ts';
import * as f from './fields.ts';
import * as s from './server-fields.ts';

/** What a step of the weather has told. */
const weatherStep = {
  at: z.number(),
  since: z.int().nullable(),
  storms: z.array(z.string()),
  down: z.array(z.string()),
  up: z.array(z.string()),
};

/** Left to do of a text once its lab is new, or has stayed old. */
const applyEnd = z.object({
  /** Nodes that run then: those that stand still for it, and new ones of kinds that always run. */
  running: z.array(z.string()),
  /** Nodes that go to another compute. */
  moves: z.array(z.object({ node_id: z.string(), to: z.string() })),
  /** All nodes are started. */
  start: z.literal(true).exactOptional(),
  /** The project was made for it, and goes where nothing comes of it. */
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
 * Every event there is: type → schema version and shape of its data. Events are past tense and carry final values, so that
 * a fold only merges. Requested and outcome are two events. To change a shape: raise `v` here and add the step from the old
 * version in upcasters.ts; never change what was stored.
 *
 * What is not an event: traffic, counters, pings, console bytes.
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

/** `shape`: what its data has beside that of `base`. */
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
    /** Where the directory of files is, and was; absent in the first logs. */
    data_dir: z.string().exactOptional(),
    former_data_dirs: z.array(z.string()).exactOptional(),
    /** Paths in it that events tell are relative to it, but for those up to this position. */
    whole_paths_until: z.int().exactOptional(),
    /** Which server it is of those that have had this log, and what people call it; absent in the first logs. */
    server: z.string().exactOptional(),
    name: z.string().exactOptional(),
  }),
  'server.stopped': event(server, {
    reason: z.string(),
    /** What ran was left running, and not ended with the server. */
    kept_running: z.literal(true).exactOptional(),
  }),
  'request.refused': event(server, {
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
  /** A request with an Idempotency-Key is about to be carried out. `idempotency_id`: hash of the principal and the key. */
  'request.keyed': event(server, {
    idempotency_id: z.string(),
    key: z.string(),
    method: z.string(),
    path: z.string(),
    body_sha256: z.string(),
  }),
  /** What it was answered. A status of 400 or more: nothing was done. `body` null: there was none, or a long one that is not kept. */
  'request.answered': event(server, {
    idempotency_id: z.string(),
    status: z.int(),
    body: z.string().nullable(),
    kept: z.boolean(),
  }),
  /** In the place of an event that is lost, whose position and version it has. Its hash is its own: what follows it does not fit it. */
  'event.lost': event(server),
  /** A new log was made of what was whole of a damaged one. `lost`: where `event.lost` stands. The signature is that of sessions. */
  'log.repaired': event(server, {
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
  /** Records as they were stored, which are not what the project's remaining events fold to. */
  'project.repaired': event(project, { records: f.rightRecords }),
  /** `settled`: the server has seen to it itself, as with a console port that was taken; nobody has to do anything. */
  'warning.raised': event(server, {
    message: z.string(),
    node_id: z.string().nullable(),
    settled: z.literal(true).exactOptional(),
  }),

  'project.created': event(f.projectFields),
  'project.updated': event(project, { changes: f.projectSettings.partial() }),
  'project.open_requested': event(project),
  /** `starting`: its nodes are to be started, as it has `auto_start`. */
  'project.opened': event(project, { starting: z.literal(true).optional() }),
  'project.open_failed': event(project, { failure: f.failure }),
  /** `reason`: of a closing that nobody asked for; as the end of a sentence. */
  'project.close_requested': event(project, { reason: z.string().exactOptional() }),
  'project.closed': event(project),
  'project.deleted': event(project),
  /** The project file was changed by someone else: what follows with this cause replaces the topology. */
  'project.replaced': event(f.projectFields),
  /** `version`: of the program that wrote it; the file says that of the existing tools. Absent in the first logs. */
  'project.file_written': event(project, { file_sha256: z.string(), version: z.string().exactOptional() }),
  'project.nodes_requested': event(project, { action: actions, asked: z.int().exactOptional() }),
  'project.nodes_finished': event(project, {
    action: actions,
    done: z.int(),
    failed: z.array(node.pick({ node_id: true }).extend({ name: z.string(), failure: f.failure })),
  }),
  /** The project is to be what a text says; what is done for it has this as its cause. */
  'project.apply_requested': event(project, applyRequested),
  /** The first event of the batch that makes it so. */
  'project.applied': event(project),
  /** `failure`: why the lab is as it was; absent: it is as the text says. */
  'project.apply_finished': event(project, {
    failed: z.array(z.object({ name: z.string(), message: z.string() })),
    failure: f.failure.exactOptional(),
  }),

  /** The weather of the project begins. `since`: when its time is 0, in milliseconds of the clock; null: it is paused there. */
  'weather.started': event(project, { seed: z.int(), since: z.int().nullable() }),
  /**
   * Its time has come to `at`, milliseconds from its start, where something changes; what does has this event as its cause. `storms`: names
   * of what is there. `down`: nodes that it ends, and those that it has ended and not started again; `up`: those that start again.
   */
  'weather.stepped': event(project, weatherStep),
  'weather.paused': event(project, { at: z.number() }),
  'weather.resumed': event(project, { at: z.number(), since: z.int() }),
  /** Nothing of it is left at links, and its nodes start again. */
  'weather.ended': event(project, { at: z.number() }),
  /** It runs, and has checks: their times are counted from here. */
  'run.begun': event(project),
  /** Nothing of it runs any more, or it is being stopped: its checks say nothing until the next run. */
  'run.ended': event(project),
  'check.met': event(verdict),
  'check.broken': event(verdict),
  /** The last listener of the project's feed has left, and the project is to close unless one comes within the grace time. */
  'project.unattended': event(project),
  /** One came in time. */
  'project.attended': event(project),
  /** `running`: nodes to be started again should it fail. */
  'project.restore_requested': event(project, { snapshot_id: z.string(), running: z.array(z.string()) }),
  /**
   * The last event of its batch, which has everything that differs from the snapshot. `staged` names the directory whose files
   * take the place of the project's.
   */
  'project.restored': event(project, {
    snapshot_id: z.string(),
    /** Whose records these are. */
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
  /** Something that only this kind can do, to a node of it or (both ids null) to this machine's images. */
  'operation.requested': event(s.operated, { arguments: z.record(z.string(), z.unknown()) }),
  /** `failure` null: it is done. */
  'operation.finished': event(s.operated, { failure: f.failure.nullable() }),

  /** `written`: the texts that it was given, where they are files of the node. Absent also in earlier logs. */
  'node.created': event(f.nodeFields, { written: z.array(s.writtenFile).exactOptional() }),
  'node.updated': event(node, {
    written: z.array(s.writtenFile).exactOptional(),
    changes: f.nodeFields.omit({ node_id: true, project_id: true, kind: true }).partial(),
  }),
  'node.deleted': event(node),
  /** As it is in a snapshot, whether it was still there or not. */
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
  /** Found running after the server came back. */
  'node.adopted': event(f.started, { state: z.enum(['started', 'suspended']) }),
  /** Did not survive the server, or was half-way: it is stopped now. */
  'node.lost': event(node, { reason: z.string() }),
  /** What is typed and printed at its console goes to `file`, a bare name in the directory of its recordings. */
  'node.recording_started': event(node, { file: z.string() }),
  'node.recording_stopped': event(node, { file: z.string(), content: f.content.optional() }),
  /** Its compute is away: what it does there is unknown. `server`: it runs at another one that has had this log. */
  'node.unreachable': event(node, { reason: z.string(), server: z.string().exactOptional() }),
  'node.reachable': event(node),
  'node.nio_added': event(node, { ...portOf, nio: f.nio }),
  'node.nio_updated': event(node, { ...portOf, nio: f.nio }),
  'node.nio_removed': event(node, portOf),
  'node.trace_finished': event(node, f.trace.shape),
  /** What configures it was read, and is another than the last time. `sha256`: of all of it, as JSON. */
  'node.config_collected': event(node, {
    files: z.array(z.object({ name: z.string(), content: z.string() })),
    sha256: z.string(),
  }),

  'link.created': event(f.linkFields),
  'link.updated': event(link, { changes: f.linkChanges }),
  'link.deleted': event(link),
  'link.restored': event(f.restoredLink),
  /** Asked for at a link (`link_id`) or, by the compute group, at a port (null). */
  'capture.start_requested': event(captured, { file_name: z.string(), path: z.string(), data_link_type: z.string() }),
  'capture.started': event(captured),
  'capture.failed': event(captured, { failure: f.failure }),
  'capture.stop_requested': event(captured),
  /** `content`: of its file; absent for one that is not there, or larger than is looked at. */
  'capture.stopped': event(captured, { content: f.content.optional() }),

  /** It joins machines. In the order of the link's nodes; a later one takes its place. */
  'link.tunnel_made': event(link, { ends: z.array(f.tunnelEnd).length(2) }),
  /** Both of these ends were put. */
  'link.tunnel_joined': event(link),
  /** A compute that changes no NIO in its place was away: nobody has seen since whether frames go over the link. */
  'link.unproved': event(link, { reason: z.string() }),
  /** An answer has come over it since, or it does not lead there any more. */
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
  /** It cannot be reached, or is not one that this server can use. */
  'compute.disconnected': event(compute, { reason: z.string() }),

  'template.created': event(s.templateFields),
  'template.updated': event(template, { changes: s.templateFields.omit({ template_id: true, kind: true }).partial() }),
  'template.deleted': event(template),
  /** A picture was put into the symbol directory, in place of the one of that name if there was one. */
  'symbol.stored': event(server, {
    file: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    upload: z.string().exactOptional(),
  }),
  'symbol.deleted': event(server, { file: z.string(), upload: z.string().exactOptional() }),
  /** Never what it says: licences are secrets and live in a file of their own. */
  'license.changed': event(server, { license: z.string(), present: z.boolean(), ...s.prepared.partial().shape }),
  'drawing.restored': event(f.restoredDrawing),

  /** Another server is the controller of this one. `epoch` grows with each of its starts. */
  'compute.claimed': event(server, s.claim.shape),
  'compute.released': event(server, s.claim.pick({ controller_id: true }).shape),

  /** From here on this server writes the log, which another one (`from`) wrote. In the batch with what becomes of that one's nodes. */
  'server.took_over': event(server, { server: z.string(), name: z.string(), from: z.string() }),
} as const;

export type EventType = keyof typeof EVENTS;
export type DataOf<T extends EventType> = z.infer<(typeof EVENTS)[T]['data']>;

/** Any event, discriminated by `type`. */
export type AnyEvent = { [T in EventType]: LogEvent<T, DataOf<T>> }[EventType];
/** Any event before it has been appended. */
export type AnyDraft = { [T in EventType]: Draft<T, DataOf<T>> }[EventType];

export const isEventType = (type: string): type is EventType => Object.hasOwn(EVENTS, type);
