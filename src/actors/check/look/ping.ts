import { isIP } from 'node:net';
import type { Evidence } from '../../../common/forms/check.ts';
import type { ConsolePing } from '../../../emulators/kit/contract.ts';
import { forwardingOf } from '../../../emulators/recorded-node.ts';
import { PATIENCE_MS } from './console.ts';
import { runAt, takesCommands } from './exec.ts';
import type { Eyes } from './eyes.ts';
import { learnPrompt } from './shell.ts';
import { movesNothing, notRunning } from './state.ts';

/** Longest silence of a ping of two requests that nobody answers. Milliseconds. */
const SILENCE_MS = 4_000;
/** Every system waits so long for the answer to a request. Milliseconds. */
const REQUEST_MS = 1_000;
/** Requests of one line: nobody who wants to type waits for more, and the fabric keeps what is shown of them. */
const MOST_OF_LINE = 20;
/** Between those of a series. What is no administrator may not send sooner by the ping of Linux. Milliseconds. */
const BETWEEN_REQUESTS_MS = 200;
/** The same where they are sent by root inside the node. */
const BETWEEN_INSIDE_MS = 10;
/** A line of so many has the system's own pace. */
const FEW = 2;

export interface Pair {
  from: string;
  to: string;
  size?: number;
}

/** Why there is no result. `isKnown`: nothing can be reached; else nobody can say. */
export interface Unsent {
  isKnown: boolean;
  problem: string;
  /** One of the two does not run, which says nothing of the way between them. */
  isOff?: true;
  /** What the console showed in place of a result. */
  shown?: string;
}

/** What became of echo requests. `at`: when the request was sent that proves it, where it is known. */
export type Sent = { probes: Evidence['probes'] & object; at: string | null; shown?: string } | Unsent;

/** Ways in which a node is asked for a ping at its console; undefined: it sends probes by itself, or nobody knows how. */
export const pingOf = ({ context }: Eyes, nodeId: string): readonly ConsolePing[] | undefined => {
  const record = context.committed.get('node', nodeId);
  const kind = context.kinds.get(record?.kind ?? '');
  if (kind?.ping === undefined || record === undefined) return undefined;
  const engine = record.engine === null ? undefined : context.engines.running(kind, record.engine);
  return engine === undefined || engine.outside === true ? [kind.ping].flat() : undefined;
};

/** Why nothing is sent between two nodes; null: it is. */
export const hindrance = (eyes: Eyes, { from, to }: Pair): Unsent | null => {
  const isNode = isIP(to) === 0;
  const problem = notRunning(eyes, from) ?? (isNode ? notRunning(eyes, to) : null);
  if (problem !== null) return { isKnown: true, problem, isOff: true };
  // A console of it takes no commands; of a node that asks nobody knows what its system would do.
  const simulated = movesNothing(eyes, from);
  if (simulated !== null) return { isKnown: false, problem: simulated };
  const target = isNode ? movesNothing(eyes, to) : null;
  return target === null ? null : { isKnown: true, problem: target };
};

/** Types pings at a console until so many requests were sent, or more were lost than may be. */
export const typePings = async (
  eyes: Eyes,
  pair: Pair,
  { pings, count, enoughLost }: { pings: readonly ConsolePing[]; count: number; enoughLost: number },
): Promise<Sent> => {
  const target = await addressOf(eyes, pair.to);
  if (target.address === null) return target;
  const { address } = target;
  const ping = await chosen(eyes, pair.from, pings);
  if ('problem' in ping) return { isKnown: false, problem: ping.problem };
  const type = (requests: number): Promise<Typed> => typeOne(eyes, { ...pair, to: address }, ping, requests);
  let [sent, lost, shown, why] = [0, 0, '', null as string | null];
  if (ping.losesFirst === true && count > FEW) {
    const first = await type(FEW);
    if ('problem' in first) return first;
  }
  while (sent < count && lost < enoughLost) {
    const requests = Math.min(count - sent, MOST_OF_LINE);
    const typed = await type(requests);
    if ('problem' in typed) return typed;
    sent += requests;
    lost += Math.max(0, requests - typed.answered);
    shown += typed.shown;
    if (lost > 0) why ??= `no answer to ${typed.line}`;
  }
  return { probes: { to: address, sent, lost, rtt_ms: null, why }, at: null, shown };
};

/** The only one, or the one that the prompt at the console takes. */
const chosen = async (
  eyes: Eyes,
  nodeId: string,
  pings: readonly ConsolePing[],
): Promise<ConsolePing | { problem: string }> => {
  const [first, second] = pings;
  if (first !== undefined && second === undefined) return first;
  const prompt = await learnPrompt(eyes, nodeId);
  if (typeof prompt !== 'string') return prompt;
  const found = pings.find((one) => one.prompt.test(prompt));
  return found ?? { problem: `nobody knows how to ping at the prompt ${prompt}` };
};

type Typed = { answered: number; line: string; shown: string } | Unsent;

/** By a command inside where the node takes one, else at its console. */
const typeOne = async (eyes: Eyes, { from, to, size }: Pair, ping: ConsolePing, count: number): Promise<Typed> => {
  const isInside = takesCommands(eyes, from);
  const between = isInside ? BETWEEN_INSIDE_MS : BETWEEN_REQUESTS_MS;
  const interval_ms = count > FEW ? between : undefined;
  const requests = {
    count,
    ...(size === undefined ? {} : { size }),
    ...(interval_ms === undefined ? {} : { interval_ms }),
  };
  const line = ping.line(to, requests);
  const ms = PATIENCE_MS + count * (REQUEST_MS + (interval_ms ?? 0));
  if (isInside) return saidInside(await runAt(eyes, from, line, { ms, root: true }), ping, { line, count });
  const answer = await eyes.questions.console({
    node_id: from,
    type: line,
    until: ping.over(count),
    timeout_ms: ms,
    silence_ms: SILENCE_MS + count * (interval_ms ?? 0),
  });
  const console = `the console of ${eyes.context.committed.get('node', from)?.name ?? from}`;
  const isKnown = false;
  if (answer === null) return { isKnown, problem: `${console} did not answer` };
  const { problem, isFound, text } = answer;
  if (problem !== null) return { isKnown, problem: `at ${console}: ${problem}` };
  if (!isFound) return { isKnown, problem: `${console} shows no result of ${line}`, shown: text };
  return { answered: ping.answered(text), line, shown: text };
};

const saidInside = (
  ran: Awaited<ReturnType<typeof runAt>>,
  ping: ConsolePing,
  { line, count }: { line: string; count: number },
): Typed => {
  if ('problem' in ran) return { isKnown: false, problem: ran.problem };
  const { output } = ran;
  return new RegExp(ping.over(count), 'm').test(output)
    ? { answered: ping.answered(output), line, shown: output }
    : { isKnown: false, problem: `${line} has no result`, shown: output };
};

type Target = { address: string } | ({ address: null } & Unsent);

const LINK_LOCAL = /^fe[89ab]/i;

/** The first address of a node that others can reach it by. */
export const addressOf = async ({ context }: Eyes, to: string): Promise<Target> => {
  if (isIP(to) !== 0) return { address: to };
  const record = context.committed.get('node', to);
  if (record === undefined) return { address: null, isKnown: true, problem: 'it is not in the lab any more' };
  const tables = (await context.plumbing.tables([to])).get(to) ?? null;
  const forwarding = forwardingOf(record, context.kinds, tables);
  // Addresses that are only configured, not known to be set, come from `given`, whose order is the kind's preference.
  const interfaces = forwarding?.by === 'addresses' && forwarding.isKnown ? forwarding.interfaces : [];
  const given = context.kinds.get(record.kind)?.addresses?.(record.properties) ?? [];
  const all = [...interfaces.flatMap(({ addresses }) => addresses), ...given];
  const address = all.map((one) => one.split('/')[0] ?? one).find((one) => isIP(one) !== 0 && !LINK_LOCAL.test(one));
  if (address !== undefined) return { address };
  return forwarding?.by === 'addresses' && forwarding.isKnown
    ? { address: null, isKnown: true, problem: 'the node that is to answer has no address' }
    : {
        address: null,
        isKnown: false,
        problem: `its address is not known here; the check can have it in place of ${record.name}`,
      };
};
