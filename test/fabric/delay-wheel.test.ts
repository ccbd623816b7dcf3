import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createDelayWheel, type DelayLine } from '../../src/fabric/frames/delay-wheel.ts';
import { FrameBatch } from '../../src/fabric/frames/frame-batch.ts';
import { Timers } from '../../src/fabric/frames/timers.ts';

/** A wheel whose clock is moved by hand. */
function createLab(lines: number) {
  const clock = { now: 0 };
  const fires: (() => void)[] = [];
  const timers = new Timers(
    () => clock.now,
    undefined,
    (fire) => {
      fires.push(fire);
      return { set: () => undefined, clear: () => undefined, close: () => undefined };
    },
  );
  const wheel = createDelayWheel(timers);
  const released: { line: number; frame: string; at: number }[] = [];
  const all = Array.from({ length: lines }, (_, line): DelayLine => {
    const note = (frame: Uint8Array): void => {
      released.push({ line, frame: Buffer.from(frame).toString(), at: clock.now });
    };
    const release = (content: Uint8Array | FrameBatch): void =>
      content instanceof FrameBatch ? content.frames().forEach(note) : note(content);
    return { release, waiting: 0, usual: 0 };
  });
  const line = (i: number): DelayLine => all[i] ?? assert.fail(`no line ${i}`);
  /** Long enough after each other for all that is due to leave. */
  const pass = (ms: number): void => {
    clock.now += ms;
    for (let turns = 0; turns < 1000 && wheel.size > 0; turns++) fires.forEach((fire) => fire());
  };
  return { clock, wheel, released, line, pass };
}

/** Frames in memory that is used for something else afterwards. */
function borrowed(...frames: string[]): { batch: FrameBatch; spoil: () => void } {
  const bytes = frames.map((frame) => Buffer.from(frame));
  const batch = FrameBatch.open(4096, 64, true);
  for (const frame of bytes) batch.append(new FrameBatch(frame, Uint32Array.of(0), Uint32Array.of(frame.length), true));
  return { batch, spoil: () => batch.memory.fill(0) };
}

describe('the wheel of delayed frames', () => {
  it('releases each frame once, not early, within a slot of its time, and those of a line with the same delay in their order', () => {
    const step = fc.record({
      line: fc.nat(2),
      delay: fc.constantFrom(0.1, 1, 7.3, 50, 400, 20_000),
      frames: fc.nat(3),
      pass: fc.constantFrom(0, 0.1, 0.6, 5, 300),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, wheel, released, line, pass } = createLab(3);
        const expected: { line: number; frame: string; due: number }[] = [];
        steps.forEach(({ line: i, delay, frames, pass: ms }, n) => {
          const due = clock.now + delay;
          const texts = Array.from({ length: Math.max(1, frames) }, (_, k) => `${n}.${k}`);
          if (frames === 0) assert.ok(wheel.hold(line(i), due, Buffer.from(texts[0] ?? '')));
          else {
            const { batch, spoil } = borrowed(...texts);
            assert.ok(wheel.hold(line(i), due, batch));
            spoil();
          }
          expected.push(...texts.map((frame) => ({ line: i, frame, due })));
          pass(ms);
          for (const one of expected.filter(({ due }) => due + 0.25 <= clock.now))
            assert.ok(released.some(({ line, frame }) => line === one.line && frame === one.frame));
        });
        for (let i = 0; i < 25; i++) pass(1000);
        assert.deepEqual([wheel.size, line(0).waiting, line(1).waiting, line(2).waiting], [0, 0, 0, 0]);
        for (const i of [0, 1, 2]) {
          const slots = expected
            .filter(({ line }) => line === i)
            .map((one) => ({ ...one, slot: Math.ceil(one.due * 4) }));
          assert.deepEqual(
            released.filter(({ line }) => line === i).map(({ frame }) => frame),
            slots.sort((a, b) => a.slot - b.slot).map(({ frame }) => frame),
          );
          for (const { frame, at } of released.filter(({ line }) => line === i))
            assert.ok(at >= (slots.find((one) => one.frame === frame)?.due ?? Infinity));
        }
      }),
    );
  });

  it('drops the frames of one line and leaves the others', () => {
    const { wheel, released, line, pass } = createLab(2);
    for (const i of [0, 1, 0]) wheel.hold(line(i), 10, borrowed(`of ${i}`).batch);
    wheel.hold(line(0), 5000, Buffer.from('late'));
    wheel.clear(line(0));
    assert.equal(line(0).waiting, 0);
    for (let i = 0; i < 6; i++) pass(1000);
    assert.deepEqual(
      released.map(({ frame }) => frame),
      ['of 1'],
    );
    assert.equal(wheel.size, 0);
  });

  it('has no room for more than 256 MiB', () => {
    const { wheel, line } = createLab(1);
    const frame = new Uint8Array(64 * 1024 * 1024);
    const taken = Array.from({ length: 5 }, () => wheel.hold(line(0), 10, frame));
    assert.deepEqual(taken, [true, true, true, false, false]);
  });
});
