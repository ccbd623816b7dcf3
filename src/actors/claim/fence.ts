import { TopologError } from '../../common/errors.ts';
import type { Claim } from '../../events/server-fields.ts';
import type { Claimant } from './interface.ts';

/** Refuses what comes from a run of a controller that does not have the compute. `claim`: undefined while nobody has it. */
export const checkFence = (claim: Claim | undefined, asks: Claimant): void => {
  const reason = reasonOf(claim, asks);
  if (reason === null) return;
  const holder = claim === undefined ? null : holderOf(claim);
  throw new TopologError('fenced', { reason, controller_id: asks.controller_id, epoch: asks.epoch, holder });
};

export const holderOf = ({ controller_id, name, epoch }: Claim): Claim => ({ controller_id, name, epoch });

/** For sentences. */
export const nameOfHolder = ({ name, controller_id, epoch }: Claim): string =>
  `controller ${name} (${controller_id}, epoch ${epoch})`;

const reasonOf = (claim: Claim | undefined, { controller_id, epoch }: Claimant): string | null => {
  if (claim === undefined) return 'no controller has it; PUT /v2/compute/controller claims it';
  if (claim.controller_id !== controller_id) return `it is the compute of ${nameOfHolder(claim)}`;
  if (epoch < claim.epoch) return `epoch ${epoch} is over, ${claim.epoch} has claimed it`;
  if (epoch > claim.epoch)
    return `epoch ${epoch} has not claimed it yet, ${claim.epoch} has; PUT /v2/compute/controller`;
  return null;
};
