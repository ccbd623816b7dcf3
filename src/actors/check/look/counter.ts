import type { CheckRecord } from '../../../common/forms/check.ts';
import type { LinkRecord } from '../../../projections/records.ts';
import { linkName } from '../../../projections/check-names.ts';
import type { Finding } from '../decide.ts';
import type { Eyes } from './eyes.ts';

const KEYS = { frames: 'frames', octets: 'bytes', dropped: 'dropped' } as const;

/** Since the project was opened, as the fabric counts. */
export const lookAtCounter = async ({ context, projectId }: Eyes, { counter }: CheckRecord): Promise<Finding> => {
  if (counter === undefined) throw new Error('the check is of another sort');
  const { link, of, from, over = -Infinity, under = Infinity } = counter;
  const record = typeof link === 'string' ? context.committed.get('link', link) : undefined;
  const name = linkName(context.committed, link);
  if (record === undefined) return { holds: false, text: 'the link is not in the lab any more', evidence: {} };
  const counts = (await context.plumbing.traffic(projectId)).find(({ cable_id }) => cable_id === record.link_id);
  const directions = counts?.directions.filter((_, index) => isFrom(record, index, from)) ?? [];
  const count = directions.reduce((sum, direction) => sum + direction[KEYS[of]], 0);
  const holds = count > over && count < under;
  return { holds, text: `${count} ${of} at ${name}`, evidence: { count } };
};

/** The first direction leads away from the first end. */
const isFrom = ({ nodes }: LinkRecord, direction: number, from: string | undefined): boolean =>
  from === undefined || nodes[direction]?.node_id === from;
