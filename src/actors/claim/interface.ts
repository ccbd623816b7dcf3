import type { Claim } from '../../events/server-fields.ts';
import type { ClaimRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';

/** Who speaks for a controller: which one, in which of its runs. */
export type Claimant = Pick<Claim, 'controller_id' | 'epoch'>;

export interface ClaimCommands {
  /**
   * This server is the compute of a controller from now on. Conflict: it is another's, and `take` is false. `fenced`: a later run of the
   * same controller has claimed it.
   */
  claimCompute(caller: Caller, claim: Claim, take: boolean): Promise<ClaimRecord>;
  /** It is nobody's; nothing happens where it was nobody's before. `fenced`: it is another's, or a later run's. */
  releaseCompute(caller: Caller, claimant: Claimant): Promise<void>;
}
