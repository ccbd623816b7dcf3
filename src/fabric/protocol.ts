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

/** An end of a cable. A `port` need not have a running node: frames sent there are dropped until it has. */
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
  /** Added to the jitter of the delay. A table has the inverse distribution at equal steps, of mean 0 and deviation 1. */
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
  /** Filters of one direction, from the first end to the second and back; they replace those of `filters`. */
  one_way?: [CableFilters, CableFilters];
  /** Seed of the generator that decides losses, corruption and jitter. Same seed, same frames: same decisions. */
  seed: number;
}

export interface ConsoleSpec {
  host: string;
  /** Preferred port; 0 lets the fabric choose in `range`. */
  port: number;
  /** First and last port to choose from when `port` is 0 or in use. */
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
  /** Settings of the model, see each model. */
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
  /** True: appends to an existing file (after a fabric restart). */
  append: boolean;
}

/** An external process that is the node of a port: it receives what arrives at the port, and what it sends leaves the node there. */
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

/** Records what is typed and printed at a node's console to an asciicast file. Ends with the run of the node. */
export interface RecordingSpec {
  node_id: string;
  project_id: string;
  /** Absolute; missing directories are made, an old file is never written to. */
  path: string;
  /** Also records input that the node does not echo, such as passwords. */
  hidden?: boolean;
}

/** The stream that an HTTP service on a unix socket opens for a POST with `Upgrade: tcp`, such as a container's terminal. */
export interface HttpUpgrade {
  /** Absolute path of the service's socket. */
  socket: string;
  /** Path and query of the request. */
  path: string;
  /** Path and query of the first request, e.g. to get earlier output as well. */
  first_path?: string;
}

/** The console WebSocket of another server: its bytes are the console's. */
export interface ConsoleSocket {
  url: string;
  headers: Record<string, string>;
  /** PEM; it alone is trusted. Absent: what the system trusts. */
  certificate?: string;
  /** It speaks telnet. */
  telnet: boolean;
  /** Its host name must not resolve to a loopback address. */
  elsewhere?: true;
}

/** The console of a node that is an external process: the broker serves a stream of it to clients. */
export interface OutsideConsole {
  node_id: string;
  project_id: string;
  name: string;
  /**
   * A unix stream socket (absolute path), a program's own telnet port, the stream of an HTTP service, or another server's WebSocket. The fabric
   * connects again and again until somebody listens there, and whenever the connection is lost.
   */
  to:
    | {
        path: string;
        /** It speaks telnet. */
        telnet?: boolean;
        /** ASCII characters that never reach the node. */
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

/** Echo requests from a node that has an address of its own. */
export interface ProbeSpec {
  probe_id: string;
  node_id: string;
  /** An address, or a running node whose first address it is. */
  to: { address: string } | { node_id: string };
  /** Octets of data in each; absent: those of a ping. */
  size?: number;
  count: number;
  /** From the beginning of one to that of the next, and the longest wait for an answer. Milliseconds. */
  interval_ms: number;
  timeout_ms: number;
}

/** One echo request. */
export interface EchoRequest extends Pick<ProbeSpec, 'size' | 'timeout_ms'> {
  /** The same for all requests of a series. */
  identifier: number;
  sequence: number;
}

/** Outcome of an echo request. `sent_us`: microseconds since 1970, by the clock of captures. */
export interface EchoResult {
  sent_us: number;
  /** Milliseconds; null: it was not answered. */
  rtt_ms: number | null;
  /** Why there was no answer: the rest of a sentence. */
  why: string | null;
}

/** A line to type at a console, and the output to wait for. `type` null: types nothing and looks at what the console shows. */
export interface ConsoleQuestion {
  question_id: string;
  node_id: string;
  type: string | null;
  /** Regular expression that the answer matches. */
  until: string;
  timeout_ms: number;
  /** Silence after which the answer is taken as complete without a match; absent: the default of a command that answers at once. */
  silence_ms?: number;
}

/** Waits for the first frame on a cable that a program matches, or that answers another. */
export type WatchSpec = {
  watch_id: string;
  project_id: string;
  cable_id: string;
} & (
  | {
      /** As in `CableFilters`. */
      program: [number, number, number, number][];
    }
  | {
      /** Direction of the frame that answers a request in the other one. */
      answers: 0 | 1;
    }
);

export type Op =
  | { op: 'node.start'; node: NodeSpec }
  | { op: 'node.stop'; node_id: string }
  | { op: 'node.suspend'; node_id: string }
  | { op: 'node.resume'; node_id: string }
  /** New settings for a running node, e.g. the VLANs of a switch. */
  | { op: 'node.configure'; node_id: string; name: string; config: Record<string, unknown>; ports: NodeSpec['ports'] }
  /** Answers its NodeTables. */
  | { op: 'node.tables'; node_id: string }
  /** Answers a StartedNode. Repeating it is fine and sets the new name; another console of the node: `exists`. */
  | ({ op: 'console.open' } & OutsideConsole)
  /** Closes what `console.open` opened; fine when there is none. */
  | { op: 'console.close'; node_id: string }
  /** Closes every client of the console; the node goes on. */
  | { op: 'console.reset'; node_id: string }
  /**
   * Records the console of a running node to another file than before; for the same file it succeeds and takes the new `hidden`. Answered
   * once the file exists.
   */
  | { op: 'console.record'; recording: RecordingSpec }
  /** Records the next run of a node from its first byte; replaces an earlier such op. */
  | { op: 'console.record_next'; recording: RecordingSpec }
  /** Neither this run nor the next is recorded. Answered once the file is complete; does nothing for a node that does not run. */
  | { op: 'console.record_stop'; node_id: string }
  /** Creates the cable or changes it in place (frames in flight keep their delay). */
  | { op: 'cable.put'; cable: CableSpec }
  | { op: 'cable.remove'; cable_id: string }
  /** Repeating it is fine; something else at the port: `exists`. */
  | { op: 'port.attach'; attachment: AttachmentSpec }
  | { op: 'port.detach'; port: PortId }
  | { op: 'capture.start'; capture: CaptureSpec }
  /** Resolves once everything captured so far is in the file. */
  | { op: 'capture.flush'; port: PortId }
  | { op: 'capture.stop'; port: PortId }
  /** Removes everything of a project: nodes, cables, attachments, captures. */
  | { op: 'project.remove'; project_id: string }
  /** Answered by the event `node.probed`. */
  | { op: 'node.probe'; probe: ProbeSpec }
  /** Answered by the event `console.answered`. Does not interrupt a client that is typing there. */
  | { op: 'console.ask'; question: ConsoleQuestion }
  /** The first match is told as `watch.matched`; the same id again starts over. */
  | { op: 'watch.put'; watch: WatchSpec }
  | { op: 'watch.remove'; watch_id: string }
  /** Answers the ids of the project's nodes that still run their start-up text. */
  | { op: 'nodes.starting'; project_id: string }
  /** Finds the path MTU to a host; answered by the event `path.probed`. */
  | { op: 'path.probe'; host: string }
  | { op: 'inventory' }
  | { op: 'statistics' }
  /** Answers the CableCounts of a project's cables that have carried or dropped a frame; cheaper than all of `statistics`. */
  | { op: 'cable.counts'; project_id: string }
  /** Answers FabricTotals. */
  | { op: 'totals' }
  /** The fabric ends itself after answering. */
  | { op: 'shutdown' };

/** Counters since the fabric started, including those of removed cables. */
export interface FabricTotals {
  /** Delivered frames, and their octets. */
  frames: number;
  bytes: number;
  /** Dropped by filters, by suspension, or because too much waited. */
  dropped: number;
  /** Frames waiting for their delay now. */
  delayed: number;
  cables: number;
}

/** Tables of an embedded node, by which the server explains why a destination is not reached. Absent: the model has no such table. */
export interface NodeTables {
  /** Interfaces and routes at the end of its last run in this fabric; absent: it had none. */
  before?: Pick<NodeTables, 'interfaces' | 'routes'>;
  /** All of them that it had in this run whenever a line was typed; absent: none was. */
  had?: Pick<NodeTables, 'interfaces' | 'routes'>;
  interfaces?: {
    adapter_number: number;
    port_number: number;
    /** `10.0.0.1/24`, of either family. */
    addresses: string[];
    mac: string;
    /** Octets. */
    mtu: number;
  }[];
  /** `via`: address of the next hop. */
  routes?: { to: string; via: string }[];
  /** Learned by ARP or neighbour discovery. */
  neighbours?: { address: string; mac: string }[];
  /** MAC table of a switch. */
  stations?: { vlan: number; mac: string; adapter_number: number; port_number: number }[];
}

export interface StartedNode {
  /** TCP port in use; null without a console. */
  console: number | null;
}

export interface Inventory {
  pid: number;
  nodes: { spec: NodeSpec; state: 'started' | 'suspended'; console: number | null }[];
  cables: CableSpec[];
  captures: CaptureSpec[];
  /** Tests leave these three out. */
  attachments?: AttachmentSpec[];
  /** Consoles of external nodes. */
  consoles?: OpenedConsole[];
  /** Recordings under way. */
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
  /** `problem`: why nothing was sent. */
  | { type: 'node.probed'; probe_id: string; address: string | null; probes: EchoResult[]; problem: string | null }
  /** `text`: the console's output after the typed line. `problem`: why nothing was typed. */
  | { type: 'console.answered'; question_id: string; isFound: boolean; text: string; problem: string | null }
  /** `number`: position of the frame among those that passed in its direction, from 1. `head`: its first octets in hexadecimal. */
  | {
      type: 'watch.matched';
      watch_id: string;
      project_id: string;
      cable_id: string;
      direction: 0 | 1;
      at_us: number;
      number: number;
      octets: number;
      head: string;
    }
  /** Whether a cable that is not suspended ends at an attached port: sent when the port is attached, and at each change. */
  | { type: 'port.carrier'; port: PortId; project_id: string; up: boolean }
  /**
   * `mtu`: octets of the longest IP packet that reaches `address` (the host's) unfragmented; null: unknown. `needed`: octets of the packet
   * around a frame of 1,500.
   */
  | { type: 'path.probed'; host: string; address: string; mtu: number | null; needed: number }
  /** The capture has stopped because its file cannot be written. */
  | { type: 'capture.failed'; port: PortId; project_id: string; message: string }
  /** The recording has stopped because its file cannot be written, or not completed. */
  | ({ type: 'recording.failed'; message: string } & RecordingSpec);

export type FromFabric = { id: number; results: OpResult[] } | { event: FabricEvent } | { beat: number };
