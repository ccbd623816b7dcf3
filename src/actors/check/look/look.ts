import { type CheckRecord, type Subject, subjectOf } from '../../../common/forms/check.ts';
import { messageOf } from '../../../common/errors.ts';
import type { Finding } from '../decide.ts';
import type { Eyes } from './eyes.ts';
import { lookAtConsole } from './console.ts';
import { lookAtCounter } from './counter.ts';
import { runCommand } from './exec.ts';
import { lookAtLoss, lookAtReach } from './reach.ts';
import { lookAtState } from './state.ts';

type Look = (eyes: Eyes, check: CheckRecord) => Promise<Finding>;

const LOOKS: Record<Exclude<Subject, 'capture'>, Look> = {
  reach: lookAtReach,
  loss: lookAtLoss,
  console: lookAtConsole,
  counter: lookAtCounter,
  state: lookAtState,
  exec: runCommand,
};

/** Looks once at what a check is about; frames of a capture are waited for instead (watch.ts). Never throws. */
export const look = async (eyes: Eyes, check: CheckRecord): Promise<Finding> => {
  const subject = subjectOf(check);
  if (subject === 'capture') return { holds: null, text: 'frames are waited for', evidence: {} };
  try {
    return await LOOKS[subject](eyes, check);
  } catch (error) {
    return { holds: null, text: `it could not be looked at: ${messageOf(error)}`, evidence: {} };
  }
};
