import { isIP } from 'node:net';
import type { CheckRecord } from '../../../common/forms/check.ts';
import type { Evidence } from '../../../common/forms/verdict.ts';
import type { Finding } from '../decide.ts';
import type { Eyes } from './eyes.ts';
import { addressOf, pingOf, typePing, unreached } from './ping.ts';
import { notRunning } from './state.ts';

/** Longest wait for an echo reply, where looks are far enough apart. Milliseconds. */
const PATIENCE_MS = 1_000;
/** One that is lost by chance is followed by a second one. */
const TRIES = 2;
const BETWEEN_TRIES_MS = 100;

const PROBES = 100;
const BETWEEN_PROBES_MS = 10;

interface Pair {
  from: string;
  to: string;
  size?: number;
}

interface Series {
  /** Whose time is told, where there is one. */
  provenBy: 'answer' | 'loss';
  count: number;
  interval_ms: number;
}

type Sent = { probes: Evidence['probes'] & object; at: string | null } | { problem: string; isKnown: boolean };

export const lookAtReach = async (eyes: Eyes, { reach }: CheckRecord): Promise<Finding> => {
  if (reach === undefined) throw new Error('the check is of another sort');
  const ping = pingOf(eyes, reach.from);
  if (ping !== undefined) return typePing(eyes, reach, ping);
  const sent = await send(eyes, reach, { provenBy: 'answer', count: TRIES, interval_ms: BETWEEN_TRIES_MS });
  const [from, to] = [called(eyes, reach.from), called(eyes, reach.to)];
  if ('problem' in sent) return unreached([from, to], sent, reach.not === true);
  const { probes, at } = sent;
  const isReached = probes.lost < probes.sent;
  const address = to === probes.to ? to : `${to} (${probes.to})`;
  const text = isReached
    ? `${from} reaches ${address}`
    : `${from} does not reach ${address}: ${probes.why ?? 'no answer'}`;
  return { holds: isReached !== (reach.not === true), text, evidence: { probes, ...(at === null ? {} : { at }) } };
};

export const lookAtLoss = async (eyes: Eyes, { loss }: CheckRecord): Promise<Finding> => {
  if (loss === undefined) throw new Error('the check is of another sort');
  const sent = await send(eyes, loss, {
    provenBy: 'loss',
    count: loss.probes ?? PROBES,
    interval_ms: BETWEEN_PROBES_MS,
  });
  const between = `between ${called(eyes, loss.from)} and ${called(eyes, loss.to)}`;
  if ('problem' in sent) {
    const lost = sent.isKnown ? 'all is lost' : 'nobody can say what is lost';
    return { holds: sent.isKnown ? false : null, text: `${lost} ${between}: ${sent.problem}`, evidence: {} };
  }
  const { probes, at } = sent;
  const percent = (100 * probes.lost) / probes.sent;
  const text = `${probes.lost} of ${probes.sent} probes were lost ${between} (${Number(percent.toFixed(1))} %)`;
  return { holds: percent < loss.under, text, evidence: { probes, ...(at === null ? {} : { at }) } };
};

const called = ({ context }: Eyes, id: string): string => context.committed.get('node', id)?.name ?? id;

/** `at`: when the probe was sent that proves it. `isKnown` false: nobody knows what would have become of it. */
const send = async (eyes: Eyes, { from, to, size }: Pair, { provenBy, ...series }: Series): Promise<Sent> => {
  const isAddress = isIP(to) !== 0;
  const problem = notRunning(eyes, from) ?? (isAddress ? null : notRunning(eyes, to));
  if (problem !== null) return { problem, isKnown: true };
  const timeout_ms = Math.min(PATIENCE_MS, Math.max(BETWEEN_TRIES_MS, Math.floor(eyes.everyMs / 2)));
  // The fabric knows addresses of the nodes in it.
  const known = isAddress || pingOf(eyes, to) !== undefined ? await addressOf(eyes, to) : null;
  if (known?.address === null) return known;
  const what = { node_id: from, to: known ?? { node_id: to }, ...(size === undefined ? {} : { size }) };
  const answer = await eyes.questions.probe({ ...what, ...series, timeout_ms });
  if (answer === null) return { problem: 'the fabric did not answer', isKnown: false };
  if (answer.problem !== null) return { problem: answer.problem, isKnown: true };
  const { probes, address } = answer;
  const lost = probes.filter(({ rtt_ms }) => rtt_ms === null);
  const answered = probes.find(({ rtt_ms }) => rtt_ms !== null);
  const first = provenBy === 'answer' ? (answered ?? lost[0]) : (lost[0] ?? answered);
  return {
    probes: {
      to: address ?? to,
      sent: probes.length,
      lost: lost.length,
      rtt_ms: answered?.rtt_ms ?? null,
      why: lost[0]?.why ?? null,
    },
    at: first === undefined ? null : new Date(first.sent_us / 1_000).toISOString(),
  };
};
