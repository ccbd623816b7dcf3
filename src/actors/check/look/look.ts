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
    const starting = isNegative(check) ? await startingIn(eyes) : undefined;
    const finding = await LOOKS[subject](eyes, check);
    return starting === undefined || finding.holds !== true ? finding : untold(finding, starting);
  } catch (error) {
    return { holds: null, text: `it could not be looked at: ${messageOf(error)}`, evidence: {} };
  }
};

/** It says that something is not so: what is still being made of the lab may have it so. */
const isNegative = ({ reach, console }: CheckRecord): boolean => (reach ?? console)?.not === true;

/** The first node that still ran its start-up text when the look began. */
const startingIn = async ({ context, projectId }: Eyes): Promise<string | undefined> => {
  const starting = await context.plumbing.starting(projectId);
  return context.committed.ofProject('node', projectId).find(({ node_id }) => starting.includes(node_id))?.name;
};

const untold = ({ evidence }: Finding, name: string): Finding => ({
  ...{ holds: null, evidence },
  text: `it cannot be told yet: ${name} still runs its start-up text`,
});
