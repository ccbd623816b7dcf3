import assert from 'node:assert/strict';
import { ADDRESSES, type Machine, VLANS } from './joint-lab.ts';
import type { Terminal } from './terminal.ts';

const COUNT = 3;
/** Somebody else may have all processors for a while. */
const TRIES = 4;

const isShell = (machine: Machine): boolean => VLANS[machine] === 10;

/** What a few pings from one machine to another have printed. */
const pings = (from: Machine, to: Machine, terminal: Terminal, seconds: number): Promise<string> =>
  isShell(from)
    ? terminal.run(`ping -c ${COUNT} -i 0.2 -W ${seconds} ${ADDRESSES[to]}`)
    : terminal.run(`ping ${ADDRESSES[to]} -c ${COUNT} -i 200 -w ${seconds * 1000}`);

/** Of `COUNT`: each program has its own words for one, but for its time. */
const answers = (output: string): number => [...output.matchAll(/ time=[\d.]+ ms/g)].length;

/** Each ping is answered, after a few tries. */
export const assertReaches = async (from: Machine, to: Machine, terminal: Terminal): Promise<void> => {
  const seen: string[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    const output = await pings(from, to, terminal, 5);
    if (answers(output) === COUNT) return;
    seen.push(output);
  }
  assert.fail(`${from} does not reach ${to}: ${seen.join('\n')}`);
};

/** No ping is answered. */
export const assertDoesNotReach = async (from: Machine, to: Machine, terminal: Terminal): Promise<void> => {
  const output = await pings(from, to, terminal, 1);
  assert.match(output, /100% packet loss|not reachable|timeout/, `${from} pings ${to}`);
  assert.equal(answers(output), 0, `${from} reaches ${to}: ${output}`);
};

export interface Round {
  sent: number;
  received: number;
  /** Round trips in milliseconds; none when it was quiet. */
  times: number[];
}

/** Pings from a shell with an interval in seconds. */
export const pingRound = async (
  terminal: Terminal,
  address: string,
  { count, interval, quiet = false }: { count: number; interval: number; quiet?: boolean },
): Promise<Round> => {
  const output = await terminal.run(`ping ${quiet ? '-q ' : ''}-c ${count} -i ${interval} -W 5 ${address}`, 60_000);
  const [, sent, received] = /(\d+) packets transmitted, (\d+) packets received/.exec(output) ?? [];
  assert.ok(sent !== undefined && received !== undefined, `no count of pings: ${output}`);
  const times = [...output.matchAll(/time=([\d.]+) ms/g)].map(([, ms]) => Number(ms));
  return { sent: Number(sent), received: Number(received), times };
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
};
