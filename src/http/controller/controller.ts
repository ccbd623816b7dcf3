import type { Claimant } from '../../actors/commands.ts';

/** The controller that a request of the compute group comes from. */
export interface Controller extends Claimant {
  /** By which a repetition of the request is known; null: it is carried out whenever it comes. */
  key: string | null;
}
