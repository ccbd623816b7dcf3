/** The cell that a server is one of, for the facade. */
export interface CellSide {
  /** Of the last event that this server knows. */
  position(): number;
  /** Signs what servers of the cell tell each other; 32 octets. */
  key: Buffer;
  /** Epoch of this server's lease; null: it stands by. */
  epoch: number | null;
  /** Who writes. Rejects with `no_writer`. `gone`: aborted when it is another one. */
  writer(): Promise<{ url: string; epoch: number; gone: AbortSignal }>;
  /** Requests for the writer are answered with 307 rather than forwarded. */
  redirect: boolean;
}
