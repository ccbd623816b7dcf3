import type { LookEvent, LookOp } from './questions.ts';

/**
 * The typed protocol between the server and its fabric process, over one unix socket (a named pipe on Windows).
 *
 * A connection begins with one JSON line that says what it is for:
 * - `{"hello":"control","version":3}`: answered by `{"ok":true,"version","pid","sockets","heartbeat"}`, or by `{"ok":false,"code","message","version","pid"}`
 *   when the version is another; JSON lines follow. Requests `{id, ops: Op[]}` are done in order and answered by
 *   `{id, results: OpResult[]}`, one result an op; a failed op does not stop the next. The fabric also sends `{event: FabricEvent}`.
 *   A new control connection replaces an older one, which is closed. `{beat}` is answered by the same `{beat}` at once, whatever
 *   ops are under way: it proves that the fabric's event loop turns.
 * - `{"hello":"console","node_id":"..."}`: answered by `{"ok":true}` or `{"ok":false,"code","message"}` and a newline, then raw
 *   console bytes both ways (no telnet negotiation).
 */
export const PROTOCOL_VERSION = 3;

/** A port of a node: where a cable ends, an embedded node receives, a capture taps. */
export interface PortId {
  node_id: string;
  adapter_number: number;
  port_number: number;
}
export type PortKey = `${string}/${number}/${number}`;
export const portKey = (p: PortId): PortKey => `${p.node_id}/${p.adapter_number}/${p.port_number}`;

/** What a cable ends at. A `port` need not have a running node: frames sent there are dropped until it has. */
export type CableEnd =
  | ({ type: 'port' } & PortId)
  /** Bound to `lhost:lport`, sends to `rhost:rport`: one raw frame a datagram. `lhost` defaults to 127.0.0.1 when `rhost` is loopback, 0.0.0.0 otherwise. */
  | { type: 'udp'; lport: number; rhost: string; rport: number; lhost?: string };

export type Distribution = 'uniform' | 'normal' | 'pareto' | 'paretonormal';

/** Filters of a cable, acting on each direction separately; filters/filters.ts says what each does and its units. */
export interface CableFilters {
  frequency_drop?: number;
  packet_loss?: number;
  corrupt?: number;
  delay?: { latency_ms: number; jitter_ms: number };
  /** Beside the jitter of the delay. A table has the inverse distribution at equal steps, of mean 0 and deviation 1. */
  jitter?: { ms: number; distribution: Distribution | number[] };
  /** Percent; of every `gap`th frame. */
  reorder?: { chance: number; gap: number };
  duplicate?: number;
  /** Gilbert and Elliott: percent of frames at which bursts begin and end, and that are lost in them and between them. */
  burst_loss?: { begin: number; end: number; within: number; between: number };
  /** A queue of 0 has no such bound. */
  rate?: { kbit_s: number; queue_ms: number; queue_octets: number };
  /** One program an expression line; classic BPF instructions [code, jt, jf, k]. */
  bpf?: [number, number, number, number][][];
}

export interface CableSpec {
  cable_id: string;
  project_id: string;
  ends: [CableEnd, CableEnd];
  suspend: boolean;
  filters: CableFilters;
  /** Of one direction alone, from the first end to the second and back; they take the place of those in `filters`. */
  one_way?: [CableFilters, CableFilters];
  /** Start of the generator that decides losses, corruption and jitter. Same seed, same frames: same decisions. */
  seed: number;
}

export interface ConsoleSpec {
  host: string;
  /** Port wished for; 0 lets the fabric choose in `range`. */
  port: number;
  /** Taken from here when `port` is taken by someone else. */
  range: [number, number];
}

export interface NodeSpec {
  node_id: string;
  project_id: string;
  name: string;
  /** Name in the table of fabric/models/index.ts. */
  model: string;
  ports: { adapter_number: number; port_number: number }[];
  /** null: no console. */
  console: ConsoleSpec | null;
  /** Where the node may keep files (startup script, saved configuration); null: nowhere. */
  directory: string | null;
  /** Model's own settings, see each model. */
  config: Record<string, unknown>;
}

export interface CaptureSpec {
  /** One capture a port; the port's key is its identity. */
  port: PortId;
  project_id: string;
  /** Absolute path; missing directories are made, an old file is overwritten. */
  path: string;
  /** `DLT_EN10MB`, `DLT_FRELAY`, ... */
  data_link_type: string;
  /** True to go on with an existing file (after a fabric restart). */
  append: boolean;
}

/** A process outside that is the node of a port: what arrives at the port goes to it, what it sends leaves the node there. */
export interface AttachmentSpec {
  port: PortId;
  project_id: string;
  to:
    | Extract<CableEnd, { type: 'udp' }>
    /**
     * Unix stream socket, each frame behind its length as 32 bits big-endian (QEMU `-netdev stream`, passt). The fabric listens at
     * `path`, or connects to it, trying again until it is there.
     */
    | { type: 'stream'; path: string; listen: boolean };
}

/** What is typed and printed at a node's console, written to an asciicast file. Ends with the run of the node. */
export interface RecordingSpec {
  node_id: string;
  project_id: string;
  /** Absolute; missing directories are made, an old file is never written to. */
  path: string;
  /** What is typed and the node does not show is in it as well. Absent: it is left out. */
  hidden?: boolean;
}

/** A stream that an HTTP service behind a unix socket gives for a POST with `Upgrade: tcp`, such as a container's terminal. */
export interface HttpUpgrade {
  /** Absolute path of the service's socket. */
  socket: string;
  /** Path and query that are asked for. */
  path: string;
  /** Those of the first time, e.g. with what was printed before. */
  first_path?: string;
}

/** The console WebSocket of another server: its bytes are the console's. */
export interface ConsoleSocket {
  url: string;
  headers: Record<string, string>;
  /** PEM; it alone is trusted. Absent: what the system trusts. */
  certificate?: string;
  /** Its bytes are those of telnet. */
  telnet: boolean;
  /** Its name may not lead to what only this machine reaches. */
  elsewhere?: true;
}

/** The console of a node that is a process outside: what a stream of it carries is brokered. */
export interface OutsideConsole {
  node_id: string;
  project_id: string;
  name: string;
  /**
   * A unix stream socket (absolute path), a program's own telnet port, what an HTTP service gives, or another server's WebSocket. Connected to again and again
   * until somebody listens there, and whenever the connection went.
   */
  to:
    | {
        path: string;
        /** It speaks telnet; absent: bytes as they are. */
        telnet?: boolean;
        /** Characters of ASCII that the node never gets; absent: none. */
        drops?: string;
      }
    | { host: string; port: number }
    | { http_upgrade: HttpUpgrade }
    | { websocket: ConsoleSocket };
  console: ConsoleSpec;
}

export interface OpenedConsole extends OutsideConsole {
  /** TCP port in use. */
  port: number;
}

export type Op =
  | { op: 'node.start'; node: NodeSpec }
  | { op: 'node.stop'; node_id: string }
  | { op: 'node.suspend'; node_id: string }
  | { op: 'node.resume'; node_id: string }
  /** New settings for a running node, e.g. the VLANs of a switch. */
  | { op: 'node.configure'; node_id: string; name: string; config: Record<string, unknown>; ports: NodeSpec['ports'] }
  /** Answers its NodeTables. */
  | { op: 'node.tables'; node_id: string }
  /** Answers a StartedNode. The same again is fine and gives it its new name; another one of the node: `exists`. */
  | ({ op: 'console.open' } & OutsideConsole)
  /** Of a console that was opened; fine when there is none. */
  | { op: 'console.close'; node_id: string }
  /** Closes every client of the console; the node goes on. */
  | { op: 'console.reset'; node_id: string }
  /**
   * Records the console of a running node to another file than before; for the same file it succeeds and repeats what is left out. Answered
   * once the file is there.
   */
  | { op: 'console.record'; recording: RecordingSpec }
  /** Records the next run of a node from its first byte, in place of what was asked for before. */
  | { op: 'console.record_next'; recording: RecordingSpec }
  /** Neither this run nor the next is recorded. Answered once the file is complete; does nothing for a node that does not run. */
  | { op: 'console.record_stop'; node_id: string }
  /** Creates the cable or changes it in place (frames in flight keep their delay). */
  | { op: 'cable.put'; cable: CableSpec }
  | { op: 'cable.remove'; cable_id: string }
  /** The same again is fine; something else at the port: `exists`. */
  | { op: 'port.attach'; attachment: AttachmentSpec }
  | { op: 'port.detach'; port: PortId }
  | { op: 'capture.start'; capture: CaptureSpec }
  /** Resolves once everything captured so far is in the file. */
  | { op: 'capture.flush'; port: PortId }
  | { op: 'capture.stop'; port: PortId }
  /** Everything of a project: nodes, cables, attachments, captures. */
  | { op: 'project.remove'; project_id: string }
  | LookOp
  /** Begins to look how long a packet to a host may be; what comes of it is told as `path.probed`. */
  | { op: 'path.probe'; host: string }
  | { op: 'inventory' }
  | { op: 'statistics' }
  /** Answers the CableCounts of a project's cables over which anything went; cheaper than all of `statistics`. */
  | { op: 'cable.counts'; project_id: string }
  /** Answers FabricTotals. */
  | { op: 'totals' }
  /** The fabric ends itself after answering. */
  | { op: 'shutdown' };

/** Since the fabric began, of cables that are gone as well. */
export interface FabricTotals {
  /** That arrived, and their octets. */
  frames: number;
  bytes: number;
  /** By filters, by suspension, or because too much waited. */
  dropped: number;
  /** That wait for their delay at the moment. */
  delayed: number;
  cables: number;
}

/** What an embedded node has learned and been given, for who asks why something is not reached. Absent: it has no such thing. */
export interface NodeTables {
  interfaces?: {
    adapter_number: number;
    port_number: number;
    /** `10.0.0.1/24`, of either family. */
    addresses: string[];
    mac: string;
    /** Octets. */
    mtu: number;
  }[];
  /** `via`: address of the next router. */
  routes?: { to: string; via: string }[];
  /** Whom it knows on its cables: by ARP or neighbour discovery. */
  neighbours?: { address: string; mac: string }[];
  /** Behind which port a switch has seen an address. */
  stations?: { vlan: number; mac: string; adapter_number: number; port_number: number }[];
}

export interface StartedNode {
  /** Console port in use, null without a console. */
  console: number | null;
}

export interface Inventory {
  pid: number;
  nodes: { spec: NodeSpec; state: 'started' | 'suspended'; console: number | null }[];
  cables: CableSpec[];
  captures: CaptureSpec[];
  /** Absent in an inventory made by hand, as tests do: none. */
  attachments?: AttachmentSpec[];
  /** Consoles of nodes outside; absent as above. */
  consoles?: OpenedConsole[];
  /** Recordings that are on; absent as above. */
  recordings?: RecordingSpec[];
}

/** Codes: `port_taken` (a UDP or console port), `not_found`, `exists`, `invalid`, `disk` (a file could not be written), `failed`. */
export type FabricErrorCode = 'port_taken' | 'not_found' | 'exists' | 'invalid' | 'disk' | 'failed';

export type OpResult = { ok: true; value?: unknown } | { ok: false; code: FabricErrorCode; message: string };

export interface Hop {
  ttl: number;
  address: string | null;
  rtt_ms: number | null;
}

export type FabricEvent =
  /** A model failed or ended by itself (for instance `quit` on a console). */
  | { type: 'node.exited'; node_id: string; project_id: string; output: string }
  | { type: 'trace.finished'; node_id: string; project_id: string; destination: string; reached: boolean; hops: Hop[] }
  | LookEvent
  /** Told when a port is attached, and of attached ports whenever it changes: whether a cable that is not suspended ends there. */
  | { type: 'port.carrier'; port: PortId; project_id: string; up: boolean }
  /**
   * `mtu`: octets of the longest IP packet that gets whole to `address`, which is the host's; null: it cannot be told. `needed`: octets of
   * the packet around a frame of 1,500.
   */
  | { type: 'path.probed'; host: string; address: string; mtu: number | null; needed: number }
  /** A capture file can no longer be written; the capture has stopped. */
  | { type: 'capture.failed'; port: PortId; project_id: string; message: string }
  /** A recording can no longer be written, or not to its end; it has stopped. */
  | ({ type: 'recording.failed'; message: string } & RecordingSpec);

export type FromFabric = { id: number; results: OpResult[] } | { event: FabricEvent } | { beat: number };
