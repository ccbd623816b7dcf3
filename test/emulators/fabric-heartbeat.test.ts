import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHangDetector, type HeartbeatSample, watchHeartbeat } from '../../src/fabric/client/keeper.ts';

const sample = (change: Partial<HeartbeatSample>): HeartbeatSample => ({
  answered: false,
  busy: 0,
  runnable: false,
  ...change,
});

/** What is said of samples in a row; null: never that it hangs. */
const said = (samples: HeartbeatSample[]): string | null => {
  const verdict = createHangDetector();
  for (const one of samples) {
    const reason = verdict(one);
    if (reason !== null) return reason;
  }
  return null;
};

const times = (count: number, of: (n: number) => Partial<HeartbeatSample>): HeartbeatSample[] =>
  Array.from({ length: count }, (_, n) => sample(of(n)));

describe('whether a fabric hangs', () => {
  it('it does when it answers nothing and computes nothing', () => {
    assert.match(said(times(20, () => ({ busy: 400 }))) ?? '', /none of 10 heartbeats and does nothing/);
  });

  it('it does when it computes and computes and never answers', () => {
    assert.match(
      said(times(30, (n) => ({ busy: n * 500, runnable: true }))) ?? '',
      /computed for 10 s without an answer/,
    );
  });

  it('it does not when it gets a hundredth of the processor, however long an answer takes', () => {
    // Nine answers of ten are missing, and the process waits for the processor all the time.
    assert.equal(said(times(1000, (n) => ({ busy: n * 5, runnable: true, answered: n % 100 === 99 }))), null);
    // Not even a tick of the processor in half a second.
    assert.equal(said(times(1000, () => ({ busy: 10, runnable: true, answered: false }))), null);
  });

  it('it does not when it answers late, again and again', () => {
    assert.equal(said(times(1000, (n) => ({ answered: n % 9 === 8 }))), null);
  });

  it('where the system does not tell what it computes, it gets four times as long', () => {
    assert.equal(said(times(39, () => ({ busy: null }))), null);
    assert.match(said(times(40, () => ({ busy: null }))) ?? '', /none of 40 heartbeats/);
  });

  it('is asked of a process that answers until it answers no more, and told once', async () => {
    let beats = 0;
    // The beats' own timer keeps no process.
    const held = setInterval(() => undefined, 1000);
    const stat = { started: '', group: 0, zombie: false, busy: 0, runnable: false };
    const reason = await new Promise<string>((onHung) => {
      watchHeartbeat({
        pid: 1,
        beatMs: 1,
        look: () => Promise.resolve(stat),
        beat: () => (++beats <= 3 ? Promise.resolve() : new Promise<void>(() => undefined)),
        onHung,
      });
    });
    clearInterval(held);
    assert.match(reason, /none of 10/);
    // One that is unanswered is not asked again.
    assert.equal(beats, 4);
  });
});
