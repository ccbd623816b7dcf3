import type { CheckRecord } from '../../../common/forms/check.ts';
import { shownStatus } from '../../../projections/states.ts';
import type { Finding } from '../decide.ts';
import type { Eyes } from './eyes.ts';

/** A node that is gone is stopped. */
export const lookAtState = ({ context }: Eyes, { state }: CheckRecord): Promise<Finding> => {
  const record = context.committed.get('node', state?.node ?? '');
  const found = record === undefined ? 'stopped' : shownStatus(record.state);
  const text = record === undefined ? 'the node is not in the lab any more' : `${record.name} is ${record.state}`;
  return Promise.resolve({ holds: found === state?.is, text, evidence: { state: found } });
};

/** Why a node can say nothing; null: it runs. */
export const notRunning = ({ context }: Eyes, nodeId: string): string | null => {
  const record = context.committed.get('node', nodeId);
  if (record === undefined) return 'a node is not in the lab any more';
  return record.state === 'started' ? null : `${record.name} is ${record.state}`;
};

/** That a node takes and sends no frames, whatever its system would do; null: it is not simulated. */
export const movesNothing = ({ context }: Eyes, nodeId: string): string | null => {
  const record = context.committed.get('node', nodeId);
  return record?.engine === 'simulated' ? `${record.name} is simulated, and moves no frames` : null;
};
