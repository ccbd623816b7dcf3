import { z } from 'zod';
import { storedShape } from '../model/derive.ts';
import { DRAWING } from '../model/drawing.ts';
import { LINK } from '../model/link.ts';
import { NODE } from '../model/node.ts';
import { STORED_PROJECT } from '../model/project.ts';
import { anyBag as bag } from '../model/types.ts';
import { linkWeather } from '../model/weather.ts';

export type { ProjectSettings } from '../model/project.ts';
export type { Filters } from '../model/types.ts';
export type { LinkWeather, WeatherEntry } from '../model/weather.ts';

/** Shapes that events carry and records keep, named as on the wire. Checked when an event is appended, not when it is read back. */

export const label = z.object({
  text: z.string(),
  style: z.string().nullable().optional(),
  x: z.number().nullable().optional(),
  y: z.number().optional(),
  rotation: z.number().optional(),
});
export type Label = z.infer<typeof label>;

export const port = z.object({
  name: z.string(),
  short_name: z.string(),
  adapter_number: z.int().nonnegative(),
  port_number: z.int().nonnegative(),
  link_type: z.enum(['ethernet', 'serial']),
  data_link_types: z.record(z.string(), z.string()),
  adapter_type: z.string().optional(),
  mac_address: z.string().optional(),
});
export type Port = z.infer<typeof port>;

export const customAdapter = z.object({
  adapter_number: z.int().nonnegative(),
  port_name: z.string().optional(),
  adapter_type: z.string().optional(),
  mac_address: z.string().optional(),
});
export type CustomAdapter = z.infer<typeof customAdapter>;

/**
 * A value of the project file that differs from what the record says: `made` is the record's value; absent: the
 * record has none.
 */
export const asRead = z.object({
  /** Path of keys in the entry; indexes of lists are numbers. */
  at: z.array(z.union([z.string(), z.number()])),
  /** Absent: the file has no such key. */
  file: z.unknown().optional(),
  made: z.unknown().optional(),
});
export type AsRead = z.infer<typeof asRead>;

/** A network input/output of the compute group; the kinds say which types and fields they take. */
export const nio = z.looseObject({ type: z.string() });
export type Nio = z.infer<typeof nio>;

/** Remedy for a failure: an image to upload, or a step that installs or permits what is missing. */
const mend = z.object({ image: z.string().optional(), install: z.string().optional() });
/** Why something failed: a code of the error table and a sentence. */
export const failure = z.object({ code: z.string(), message: z.string(), mend: mend.optional() });
export type Failure = z.infer<typeof failure>;

export const projectSettings = z.object({ name: z.string(), ...storedShape(STORED_PROJECT) });

export const projectFields = projectSettings.extend({
  /** Absent in the first logs. */
  record_consoles: z.boolean().default(false),
  project_id: z.string(),
  /** Directory of the project: absolute, or relative to the data directory that it is in. */
  path: z.string(),
  /** Name of the project file in `path`. */
  filename: z.string(),
  /** SHA-256 (hex) of the project file this was read from; null when there was none. */
  file_sha256: z.string().nullable(),
  /** Unknown keys of the project file; written back as they were. */
  extra: bag,
  as_read: z.array(asRead).exactOptional(),
  /** Origin of a fork: the project, and the position of the log up to which it was copied. */
  forked_from: z.object({ project_id: z.string(), position: z.int() }).exactOptional(),
});
export type ProjectFields = z.infer<typeof projectFields>;

export const nodeFields = z.object({
  ...storedShape(NODE),
  node_id: z.string(),
  project_id: z.string(),
  compute_id: z.string(),
  /** Neutral name of the kind. */
  kind: z.string(),
  name: z.string(),
  template_id: z.string().nullable(),
  console: z.int().nullable(),
  console_type: z.string().nullable(),
  /** Every key of the kind's compute record except those that all kinds have. */
  properties: bag,
  label,
  symbol: z.string().nullable(),
  width: z.number(),
  height: z.number(),
  port_name_format: z.string(),
  port_segment_size: z.number(),
  first_port_name: z.string().nullable(),
  custom_adapters: z.array(customAdapter),
  /** Stored by the first logs only: today the ports are computed from the kind and the fields above. */
  ports: z.array(port).optional(),
  /** Directory for the node's files, stored like `path` of its project; null for kinds without one. */
  node_directory: z.string().nullable(),
  /** Why the node was placed on its compute, where the server chose it. */
  placed: z.string().exactOptional(),
  /** Names of files in the directory that came as texts with a request, e.g. a startup script; absent: none did. */
  text_files: z.array(z.string()).exactOptional(),
  /**
   * Contents of these files by the key that carried each, where the kind has no secrets in them; absent: not known.
   */
  texts: z.record(z.string(), z.string()).exactOptional(),
  /** Unknown keys of its object in the project file. */
  extra: bag,
  as_read: z.array(asRead).exactOptional(),
  /** Set when the node was read from a project file with errors; it cannot start until it is updated. */
  failure: failure.nullable(),
});
export type NodeFields = z.infer<typeof nodeFields>;

export const linkEnd = z.object({
  node_id: z.string(),
  adapter_number: z.int().nonnegative(),
  port_number: z.int().nonnegative(),
  label,
});
export type LinkEnd = z.infer<typeof linkEnd>;

export const linkFields = z.object({
  link_id: z.string(),
  project_id: z.string(),
  link_type: z.enum(['ethernet', 'serial']),
  nodes: z.array(linkEnd),
  ...storedShape(LINK),
  extra: bag,
  as_read: z.array(asRead).exactOptional(),
});
export type LinkFields = z.infer<typeof linkFields>;

/** `weather`: effect of the running weather on the link; null when it ends. */
export const linkChanges = z
  .object({ nodes: z.array(linkEnd), ...storedShape(LINK), weather: linkWeather.nullable() })
  .partial();

export const drawingFields = z.object({
  drawing_id: z.string(),
  project_id: z.string(),
  ...storedShape(DRAWING),
  extra: bag,
  as_read: z.array(asRead).exactOptional(),
});
export type DrawingFields = z.infer<typeof drawingFields>;

export const capture = z.object({
  /** Bare file name in the project's captures directory. */
  file_name: z.string(),
  /** Path of the pcap file, stored like `path` of the project. */
  path: z.string(),
  data_link_type: z.string(),
});
export type Capture = z.infer<typeof capture>;

export const linkCapture = capture.extend({
  /** The end whose port is captured. */
  node_id: z.string(),
  adapter_number: z.int().nonnegative(),
  port_number: z.int().nonnegative(),
});
export type LinkCapture = z.infer<typeof linkCapture>;

/** `record` null: there is no record. */
export const rightRecords = z.array(z.object({ collection: z.string(), id: z.string(), record: z.unknown() }));

/** Size and checksum of a file when it was finished; `topolog verify` compares them. */
export const content = z.object({ bytes: z.int(), sha256: z.string() });

/**
 * A snapshot: its records are those at the position of `snapshot.created`, its files are copied beside the project.
 */
export const snapshotFields = z.object({
  snapshot_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  /** Seconds since 1970, UTC. */
  created_at: z.int(),
  /** Number of files, and the sum of their sizes. */
  files: z.int(),
  bytes: z.int(),
  /** SHA-256 (hex) of the list of its files, which has their checksums. */
  manifest_sha256: z.string(),
});
export type SnapshotFields = z.infer<typeof snapshotFields>;

/** One end of a link between machines: its UDP port, and the address under which the other end reaches it. */
export const tunnelEnd = z.object({ compute_id: z.string(), host: z.string(), lport: z.int() });
export type TunnelEnd = z.infer<typeof tunnelEnd>;

/** Result of a trace tool. */
export const trace = z.object({
  destination: z.string(),
  reached: z.boolean(),
  hops: z.array(z.object({ ttl: z.int(), address: z.string().nullable(), rtt_ms: z.number().nullable() })),
});
export type Trace = z.infer<typeof trace>;

/** Records as a snapshot restores them: fields, results of the last run, and the position that orders lists. */
const restored = { created: z.int() };
export const restoredNode = nodeFields.extend({
  ...restored,
  command_line: z.string(),
  engine: z.string().nullable(),
  nios: z.record(z.string(), nio),
  trace: trace.nullable(),
});
export const restoredLink = linkFields.extend({ ...restored, capture: linkCapture.nullable() });
export const restoredDrawing = drawingFields.extend(restored);

/** Reported by an engine once the node really runs. */
export const started = z.object({
  node_id: z.string(),
  project_id: z.string(),
  engine: z.string(),
  /** Process of the engine; null: it has none of its own. */
  pid: z.int().nullable(),
  /**
   * Start time of that process, so that another process with a reused pid is not taken for it. Absent without a
   * process.
   */
  pid_started: z.string().nullable().exactOptional(),
  /** Console TCP port in use; differs from the requested one when that was taken. */
  console: z.int().nullable(),
  command_line: z.string(),
  /** Sentences about what differs from the node's settings. */
  warnings: z.array(z.string()).exactOptional(),
  /** Warnings that tell how a command of its start failed. */
  failed_commands: z.array(z.string()).exactOptional(),
  /** Compute that runs the node; absent: this server. */
  compute_id: z.string().exactOptional(),
});
