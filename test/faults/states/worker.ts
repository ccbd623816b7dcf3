// A process that records a load, or takes a recording, and checks states of it: what a state does to it does not end the suite.
import { messageOf } from '../../../src/common/errors.ts';
import { seeded } from '../prng.ts';
import { type Case, isRecording, makeRecording, Recording, sortOf } from './recording.ts';

export interface Task {
  directory: string;
  seed: number;
  /** How long is recorded. */
  seconds: number;
  states: number;
  /** Only this one. */
  only: Case | null;
  /** Pattern of files of which no sync is remembered. */
  forget: string | null;
  /** States that are looked at to make a failing one smaller. */
  looks: number;
}

export type Said =
  | { said: 'recorded'; ops: number; steps: number; events: number; megabytes: number }
  | { said: 'begins'; case: Case }
  | { said: 'found'; case: Case; problems: string[]; refused: string | null; missing: string[] }
  | { said: 'done' }
  | { said: 'failed'; why: string };

const say = (what: Said): void => void process.send?.(what);

const work = async ({ directory, seed, seconds, states, only, forget, looks }: Task): Promise<void> => {
  if (!isRecording(directory)) await makeRecording(directory, seed, seconds);
  const recording = new Recording(directory, forget === null ? null : new RegExp(forget));
  const { ops, story } = recording;
  const octets = ops.reduce((sum, op) => sum + (op.op === 'write' ? op.bytes.length : 0), 0);
  say({
    said: 'recorded',
    ops: ops.length,
    steps: story.steps.length,
    events: story.hashes.length - 1,
    megabytes: octets / 1e6,
  });
  const known = new Set<string>();
  for (const one of only === null ? recording.cases(states, seeded(seed)) : [only]) {
    say({ said: 'begins', case: one });
    const { problems, refused } = await recording.check(one);
    const missing: string[] = [];
    // Each sort of problem is made smaller once.
    for (const sort of new Set([...problems, ...(refused === null ? [] : [refused])].map(sortOf)))
      if (looks > 0 && !known.has(sort)) {
        known.add(sort);
        missing.push(`of "${sort}…":`, ...(await recording.minimize(one, sort, looks)));
      }
    say({ said: 'found', case: one, problems, refused, missing });
  }
  recording.close();
};

process.on('message', (task: Task) => {
  work(task)
    .then(() => say({ said: 'done' }))
    .catch((error: unknown) =>
      say({ said: 'failed', why: error instanceof Error ? (error.stack ?? messageOf(error)) : String(error) }),
    )
    .finally(() => process.disconnect());
});
