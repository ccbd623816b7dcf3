/** Echo requests of one typed line. */
export interface TypedRequests {
  count: number;
  /** Octets of data; absent: as it comes. */
  size?: number;
  /** From one request to the next, where that can be said. Milliseconds; absent: as it comes. */
  interval_ms?: number;
}

/** How a node that does not send probes by itself is asked for a ping: at its console. */
export interface ConsolePing {
  /** What is typed. `to`: an address of either family. Pure. */
  line(to: string, requests: TypedRequests): string;
  /**
   * Regular expression on the lines of the answer: it is over, whatever came of it. Without this nobody can say, as where another program
   * than a shell is at the console. Pure.
   */
  over(count: number): string;
  /** How many requests were answered, of an answer that is over. Pure. */
  answered(text: string): number;
  /** The first request may be lost because the MAC address of a neighbour is asked for: that says nothing of the links. */
  readonly losesFirst?: boolean;
}
