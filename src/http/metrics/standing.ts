/** What has passed in the fabric since it began; `delayed` and `cables` are as they are now. */
export interface FabricTotals {
  frames: number;
  bytes: number;
  dropped: number;
  delayed: number;
  cables: number;
}

/** What a server may do for its cell; one with a log of its own is its writer. */
export interface Standing {
  role: 'writer' | 'standby';
  /** Why it takes no requests that write, neither to carry them out nor to pass them on: a sentence for everybody; null: it does. */
  refuses: string | null;
  /** Absent: the log is this server's own. */
  cell?: {
    epoch: number;
    /** How long this server may still write; 0: it has no lease. */
    lease_seconds: number;
    /** Those that stand by, this server among them if it does. */
    standbys: readonly { server: string; lag_events: number; lag_seconds: number }[];
  };
}
