import { isIP } from 'node:net';
import type { CheckRecord, Evidence } from '../../common/forms/check.ts';
import type { Finding } from './decide.ts';
import { shownOf } from './look/console.ts';
import type { Eyes } from './look/eyes.ts';
import { addressOf, hindrance, type Pair, pingOf, type Sent, typePings } from './look/ping.ts';

/** Longest wait for an echo reply, where looks are far enough apart. Milliseconds. */
const PATIENCE_MS = 1_000;
/** One that is lost by chance is followed by a second one. */
const TRIES = 2;
const BETWEEN_TRIES_MS = 100;

const PROBES = 100;
const BETWEEN_PROBES_MS = 10;

interface Series {
  /** Whose time is told, where there is one. */
  provenBy: 'answer' | 'loss';
  count: number;
  interval_ms: number;
  /** Lost so many, no answer can change the verdict. */
  enoughLost: number;
}

export const lookAtReach = async (eyes: Eyes, { reach }: CheckRecord): Promise<Finding> => {
  if (reach === undefined) throw new Error('the check is of another sort');
  const series = { provenBy: 'answer', count: TRIES, interval_ms: BETWEEN_TRIES_MS, enoughLost: TRIES } as const;
  const sent = await send(eyes, reach, series);
  const [from, to] = [called(eyes, reach.from), called(eyes, reach.to)];
  const not = reach.not === true;
  const evidence = evidenceOf(sent);
  if ('problem' in sent) {
    const isKnown = sent.isKnown && !(not && sent.isOff === true);
    const says = isKnown ? `${from} does not reach ${to}` : `nobody can say whether ${from} reaches ${to}`;
    return { holds: isKnown ? not : null, text: `${says}: ${sent.problem}`, evidence };
  }
  const { probes } = sent;
  const isReached = probes.lost < probes.sent;
  const address = to === probes.to ? to : `${to} (${probes.to})`;
  const text = isReached
    ? `${from} reaches ${address}`
    : `${from} does not reach ${address}: ${probes.why ?? 'no answer'}`;
  return { holds: isReached !== not, text, evidence };
};

export const lookAtLoss = async (eyes: Eyes, { loss }: CheckRecord): Promise<Finding> => {
  if (loss === undefined) throw new Error('the check is of another sort');
  const count = loss.probes ?? PROBES;
  const series = { provenBy: 'loss', count, interval_ms: BETWEEN_PROBES_MS } as const;
  const sent = await send(eyes, loss, { ...series, enoughLost: (count * loss.under) / 100 });
  const between = `between ${called(eyes, loss.from)} and ${called(eyes, loss.to)}`;
  const evidence = evidenceOf(sent);
  if ('problem' in sent) {
    const lost = sent.isKnown ? 'all is lost' : 'nobody can say what is lost';
    return { holds: sent.isKnown ? false : null, text: `${lost} ${between}: ${sent.problem}`, evidence };
  }
  const { probes } = sent;
  const percent = (100 * probes.lost) / probes.sent;
  const text = `${probes.lost} of ${probes.sent} probes were lost ${between} (${Number(percent.toFixed(1))} %)`;
  return { holds: percent < loss.under, text, evidence };
};

const called = ({ context }: Eyes, id: string): string => context.committed.get('node', id)?.name ?? id;

const evidenceOf = (sent: Sent): Evidence => {
  const shown = sent.shown === undefined ? {} : shownOf(sent.shown);
  if ('problem' in sent) return shown;
  return { probes: sent.probes, ...shown, ...(sent.at === null ? {} : { at: sent.at }) };
};

/** By the node itself where it runs inside, else at its console. */
const send = async (eyes: Eyes, pair: Pair, series: Series): Promise<Sent> => {
  const hindered = hindrance(eyes, pair);
  if (hindered !== null) return hindered;
  const pings = pingOf(eyes, pair.from);
  const sent = await (pings === undefined ? probe(eyes, pair, series) : typePings(eyes, pair, { pings, ...series }));
  if ('problem' in sent || sent.probes.lost < sent.probes.sent) return sent;
  // A node that was stopped meanwhile is why nothing came back.
  return hindrance(eyes, pair) ?? sent;
};

const probe = async (eyes: Eyes, { from, to, size }: Pair, { provenBy, count, interval_ms }: Series): Promise<Sent> => {
  const timeout_ms = Math.min(PATIENCE_MS, Math.max(BETWEEN_TRIES_MS, Math.floor(eyes.everyMs / 2)));
  // The fabric knows addresses of the nodes in it.
  const known = isIP(to) !== 0 || pingOf(eyes, to) !== undefined ? await addressOf(eyes, to) : null;
  if (known?.address === null) return known;
  const what = { node_id: from, to: known ?? { node_id: to }, ...(size === undefined ? {} : { size }) };
  const answer = await eyes.questions.probe({ ...what, count, interval_ms, timeout_ms });
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
