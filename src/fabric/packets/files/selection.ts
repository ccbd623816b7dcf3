/** Who takes frames apart. */
export type DecodedBy = 'topolog' | 'tshark';

/** The frames of a capture that a filter lets through, as far as it was looked. */
export interface Selection {
  readonly decodedBy: DecodedBy;
  /** Numbers of frames, in order; null: all there are. */
  readonly numbers: readonly number[] | null;
  /** Frames that were looked at. */
  readonly scanned: number;
  /** Looks at more frames, for about so long. Milliseconds. */
  grow(patience: number): Promise<void>;
}
