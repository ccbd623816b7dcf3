import { conflict } from '../../common/errors.ts';
import type { Claim } from '../../events/server-fields.ts';
import { CLAIM, type ClaimRecord } from '../../projections/records.ts';
import { appendOne, type LabContext, recordOf } from '../context.ts';
import { checkFence, holderOf, nameOfHolder } from './fence.ts';
import type { ClaimCommands } from './interface.ts';

const OWN = 'it is this server itself, another server of its cell, or a copy of one: none of them can be its compute';

export const claimCommands = (context: LabContext): ClaimCommands => {
  const held = (): ClaimRecord | undefined => context.pending.get('claim', CLAIM);
  return {
    async claimCompute(caller, claim, take) {
      // Another server of its cell passes this on to it: then the controller's own nodes would be what a compute has too many.
      if (claim.controller_id === context.computes.secrets.controllerId) throw conflict(OWN);
      const before = held();
      if (before !== undefined) checkClaim(before, claim, take);
      if (before === undefined || !isSame(before, claim)) {
        await appendOne(context, caller, null, 'compute.claimed', holderOf(claim));
        return recordOf(context.committed, 'claim', CLAIM);
      }
      return before;
    },

    async releaseCompute(caller, { controller_id, epoch }) {
      const before = held();
      if (before === undefined) return;
      // A later run of the holder gives up what an earlier one had.
      const asks = { controller_id, epoch: Math.min(epoch, before.epoch) };
      checkFence(before, asks);
      await appendOne(context, caller, null, 'compute.released', { controller_id });
    },
  };
};

const isSame = (a: Claim, b: Claim): boolean =>
  a.controller_id === b.controller_id && a.name === b.name && a.epoch === b.epoch;

const checkClaim = (before: Claim, claim: Claim, take: boolean): void => {
  const isOwn = before.controller_id === claim.controller_id;
  if (isOwn && claim.epoch < before.epoch) checkFence(before, claim);
  if (!isOwn && !take)
    throw conflict(`this is the compute of ${nameOfHolder(before)}; "take": true takes it over`, {
      field: 'take',
      holder: holderOf(before),
    });
};
