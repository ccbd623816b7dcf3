import { messageOf } from '../../common/errors.ts';
import { type CheckRecord, type Subject, subjectOf } from '../../common/forms/check.ts';
import { linkName } from '../../projections/check-names.ts';
import type { LinkRecord } from '../../projections/records.ts';
import type { Finding } from './decide.ts';
import { lookAtConsole } from './look/console.ts';
import { lookAtExec } from './look/exec.ts';
import type { Eyes } from './look/eyes.ts';
import { lookAtState } from './look/state.ts';
import { lookAtLoss, lookAtReach } from './reach.ts';

const KEYS = { frames: 'frames', octets: 'bytes', dropped: 'dropped' } as const;

/** Since the project was opened, as the fabric counts. */
const lookAtCounter = async ({ context, projectId }: Eyes, { counter }: CheckRecord): Promise<Finding> => {
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

type Look = (eyes: Eyes, check: CheckRecord) => Promise<Finding>;

const LOOKS: Record<Exclude<Subject, 'capture'>, Look> = {
  reach: lookAtReach,
  loss: lookAtLoss,
  console: lookAtConsole,
  counter: lookAtCounter,
  state: lookAtState,
  exec: lookAtExec,
  ospf: lookAtExec,
  bgp: lookAtExec,
  vlan: lookAtExec,
  vrrp: lookAtExec,
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
const isNegative = ({ reach, console, exec }: CheckRecord): boolean => (reach ?? console ?? exec)?.not === true;

/** The first node that still ran its start-up text when the look began. */
const startingIn = async ({ context, projectId }: Eyes): Promise<string | undefined> => {
  const starting = await context.plumbing.starting(projectId);
  return context.committed.ofProject('node', projectId).find(({ node_id }) => starting.includes(node_id))?.name;
};

const untold = ({ evidence }: Finding, name: string): Finding => ({
  ...{ holds: null, evidence },
  text: `it cannot be told yet: ${name} still runs its start-up text`,
});
