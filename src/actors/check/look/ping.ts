import { isIP } from 'node:net';
import type { CheckRecord } from '../../../common/forms/check.ts';
import { forwardingOf } from '../../../emulators/forwarding-of.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { Finding } from '../decide.ts';
import { PATIENCE_MS, shownOf } from './console.ts';
import type { Eyes } from './eyes.ts';
import { notRunning } from './state.ts';

/** Longest silence of a ping that nobody answers. Milliseconds. */
const SILENCE_MS = 4_000;

type Reach = CheckRecord['reach'] & object;
type ConsolePing = Kind['ping'] & object;

/** How a node is asked for a ping at its console; undefined: it sends probes by itself, or nobody knows how. */
export const pingOf = ({ context }: Eyes, nodeId: string): ConsolePing | undefined =>
  context.kinds.get(context.committed.get('node', nodeId)?.kind ?? '')?.ping;

/** Whether a node reaches another, by a ping that is typed at its console. */
export const typePing = async (
  eyes: Eyes,
  { from, to, size, not = false }: Reach,
  ping: ConsolePing,
): Promise<Finding> => {
  const nameOf = (id: string): string => eyes.context.committed.get('node', id)?.name ?? id;
  const [name, other] = [nameOf(from), nameOf(to)];
  const unsent = (why: Unsent): Finding => unreached([name, other], why, not);
  const problem = notRunning(eyes, from) ?? (isIP(to) === 0 ? notRunning(eyes, to) : null);
  if (problem !== null) return unsent({ isKnown: true, problem });
  const target = await addressOf(eyes, to);
  if (target.address === null) return unsent(target);
  const { address } = target;
  const type = ping.line(address, size);
  const times = { timeout_ms: PATIENCE_MS, silence_ms: SILENCE_MS };
  const answer = await eyes.questions.console({ node_id: from, type, until: ping.over, ...times });
  if (answer === null) return { holds: null, text: `the console of ${name} did not answer`, evidence: {} };
  if (answer.problem !== null) return { holds: null, text: `${name}: ${answer.problem}`, evidence: {} };
  const evidence = shownOf(answer.text);
  if (!answer.isFound) return { holds: null, text: `the console of ${name} shows no result of ${type}`, evidence };
  const isReached = new RegExp(ping.answered, 'm').test(answer.text);
  const whom = to === address ? address : `${other} (${address})`;
  const text = isReached ? `${name} reaches ${whom}` : `${name} does not reach ${whom}: no answer to ${type}`;
  return { holds: isReached !== not, text, evidence };
};

/** Why nothing was sent. `isKnown`: so nothing is reached; else nobody can say. */
interface Unsent {
  isKnown: boolean;
  problem: string;
}

export const unreached = ([from, to]: [string, string], { isKnown, problem }: Unsent, not: boolean): Finding => {
  const says = isKnown ? `${from} does not reach ${to}` : `nobody can say whether ${from} reaches ${to}`;
  return { holds: isKnown ? not : null, text: `${says}: ${problem}`, evidence: {} };
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
  const interfaces = forwarding?.by === 'addresses' ? forwarding.interfaces : [];
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
