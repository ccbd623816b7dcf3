import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyFact } from '../src/events/facts.ts';
import { collectWhenQuiet } from '../src/idle-memory.ts';

type Listener = (facts: AnyFact[]) => void;

const logOf = (): { onCommitted: (listener: Listener) => void; commit: (count: number) => void } => {
  const listeners: Listener[] = [];
  return {
    onCommitted: (listener) => void listeners.push(listener),
    commit: (count) => listeners.forEach((listener) => listener(new Array<AnyFact>(count))),
  };
};

describe('memory of an idle server', () => {
  it('is given back once it is quiet after many facts, and not before', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const log = logOf();
    let collected = 0;
    collectWhenQuiet(log, () => collected++);
    log.commit(10);
    t.mock.timers.tick(10_000);
    assert.equal(collected, 0, 'a few facts are not worth a pause');
    log.commit(5000);
    t.mock.timers.tick(1999);
    assert.equal(collected, 0);
    t.mock.timers.tick(1);
    assert.equal(collected, 1);
    t.mock.timers.tick(60_000);
    assert.equal(collected, 2, 'for all of them together');
  });

  it('is left alone once the server is closed', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const log = logOf();
    let collected = 0;
    const stop = collectWhenQuiet(log, () => collected++);
    log.commit(5000);
    stop();
    t.mock.timers.tick(10_000);
    assert.equal(collected, 0);
  });
});
