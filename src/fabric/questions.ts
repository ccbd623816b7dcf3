/** What the fabric is asked to look at; what it sees is told by events. Part of the protocol (protocol.ts). */

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
export interface Echo extends Pick<ProbeSpec, 'size' | 'timeout_ms'> {
  /** Of its series: answers are known by it. */
  identifier: number;
  sequence: number;
}

/** What became of an echo request. `sent_us`: microseconds since 1970, by the clock of captures. */
export interface Probed {
  sent_us: number;
  /** null: it was not answered. Milliseconds. */
  rtt_ms: number | null;
  /** As a sentence goes on: why there was no answer. */
  why: string | null;
}

/** A line typed at a console, and what it shows then; `type` null: what it shows by itself. */
export interface ConsoleQuestion {
  question_id: string;
  node_id: string;
  type: string | null;
  /** Regular expression, by whose match the answer is known. */
  until: string;
  timeout_ms: number;
  /** So long nothing comes before the answer is taken for complete without a match; absent: as of a command that answers at once. */
  silence_ms?: number;
}

/** Tells of the first frame that passes a cable and that it is for. */
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
      /** The direction of an answer to one who has asked in the other. */
      answers: 0 | 1;
    }
);

export type LookOp =
  /** What comes of it is told as `node.probed`. */
  | { op: 'node.probe'; probe: ProbeSpec }
  /** What comes of it is told as `console.answered`. Somebody who types there is not interrupted. */
  | { op: 'console.ask'; question: ConsoleQuestion }
  /** What it meets is told as `watch.matched`, once; the same id again begins it again. */
  | { op: 'watch.put'; watch: WatchSpec }
  | { op: 'watch.remove'; watch_id: string }
  /** Answers the ids of those nodes of a project that still run their start-up text. */
  | { op: 'nodes.starting'; project_id: string };

export type LookEvent =
  /** `problem`: why nothing could be sent. */
  | { type: 'node.probed'; probe_id: string; address: string | null; probes: Probed[]; problem: string | null }
  /** `text`: what the console showed behind the line that was typed. `problem`: why nothing was typed. */
  | { type: 'console.answered'; question_id: string; isFound: boolean; text: string; problem: string | null }
  /** `number`: of the frame among those that have passed in its direction. `head`: its first octets, as hexadecimal digits. */
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
    };
