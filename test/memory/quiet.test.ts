import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../src/common/emitter.ts';
import { collectWhenQuiet } from '../../src/memory/reclaim.ts';

const work = () => {
  const emitter = new Emitter<{ done: [number] }>();
  return { onDone: emitter.subscriber('done'), done: (count: number) => emitter.emit('done', count) };
};

describe('memory of an idle process', () => {
  it('is given back once it is quiet after much was done, and not before', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { onDone, done } = work();
    let collected = 0;
    collectWhenQuiet(
      onDone,
      () => collected++,
      () => true,
    );
    done(10);
    t.mock.timers.tick(10_000);
    assert.equal(collected, 0, 'a little is not worth a pause');
    done(5000);
    t.mock.timers.tick(1999);
    assert.equal(collected, 0);
    t.mock.timers.tick(1);
    assert.equal(collected, 1);
    t.mock.timers.tick(60_000);
    assert.equal(collected, 1, 'once for all of them together');
  });

  it('is left alone as long as there is something else to do', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { onDone, done } = work();
    let collected = 0;
    let idle = false;
    collectWhenQuiet(
      onDone,
      () => collected++,
      () => idle,
    );
    done(5000);
    t.mock.timers.tick(60_000);
    assert.equal(collected, 0);
    idle = true;
    t.mock.timers.tick(2000);
    assert.equal(collected, 1);
  });

  it('is left alone once the server is closed', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { onDone, done } = work();
    let collected = 0;
    const stop = collectWhenQuiet(
      onDone,
      () => collected++,
      () => true,
    );
    done(5000);
    stop();
    t.mock.timers.tick(10_000);
    assert.equal(collected, 0);
  });
});
