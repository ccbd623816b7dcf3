import type { SignedAskers, Signer } from './signature.ts';

/** The cell that a server is one of, for the facade. */
export interface CellSide {
  /** Of the last event that this server knows. */
  position(): number;
  /** For what this server forwards. */
  signer: Signer;
  /** Of what is forwarded to it. */
  askers: SignedAskers;
  /** Epoch of this server's lease; null: it stands by. */
  epoch: number | null;
  /** Who writes. Rejects with `no_writer`. */
  writer(): Promise<WriterSide>;
  /** Requests for the writer are answered with 307 rather than forwarded. */
  redirect: boolean;
}

/** The server that writes, as one that stands by has it. */
export interface WriterSide {
  url: string;
  epoch: number;
  /** Aborted when it is another one. */
  gone: AbortSignal;
  /** To be told whether a connection to it could be made; null: it could. */
  reached(problem: string | null): void;
}
