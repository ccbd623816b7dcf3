/** Decoder of frames. */
export type DecodedBy = 'topolog' | 'tshark';

/** The frames of a capture that match a filter, as far as it is scanned. */
export interface Selection {
  readonly decodedBy: DecodedBy;
  /** Numbers of frames, in order; null: all frames. */
  readonly numbers: readonly number[] | null;
  /** Frames scanned so far. */
  readonly scanned: number;
  /** Scans more frames for about `patience` milliseconds. */
  grow(patience: number): Promise<void>;
}
