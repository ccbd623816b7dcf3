import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Emitter } from '../../src/common/emitter.ts';

it('removes a listener by its signal, and the same one once', () => {
  const emitter = new Emitter<{ heard: [number] }>();
  const onHeard = emitter.subscriber('heard');
  const heard: number[] = [];
  const listener = (n: number): void => void heard.push(n);
  const first = new AbortController();
  onHeard(listener, { signal: first.signal });
  onHeard(listener, { signal: new AbortController().signal });
  onHeard(listener, { signal: AbortSignal.abort() });
  emitter.emit('heard', 1);
  first.abort();
  emitter.emit('heard', 2);
  assert.deepEqual(heard, [1, 1, 2]);
});
