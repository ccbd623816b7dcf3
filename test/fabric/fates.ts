import { createPipeline } from '../../src/fabric/filters/pipeline.ts';
import type { CableFilters } from '../../src/fabric/protocol.ts';

/** What became of each frame: lost, how often it goes on, changed, and how long each waits in nanoseconds. A frame comes each millisecond. */
export const fates = (seed: number, direction: 0 | 1, filters: CableFilters, count: number): string[] => {
  const pipeline = createPipeline(seed, direction, filters);
  return Array.from({ length: count }, (_, n) => {
    const frame = Uint8Array.from({ length: 60 + (n % 40) }, (_octet, i) => (n + i) & 255);
    const passed = pipeline.pass(frame);
    if (passed === null) return `${n} lost`;
    const times = pipeline.isDuplicated() ? [0, 1] : [0];
    const waits = times.map(() => pipeline.delayFor(n, passed.length));
    return `${n} ${passed === frame ? '' : Buffer.from(passed).toString('hex')} ${waits.map((ms) => (ms === null ? 'full' : Math.round(ms * 1e6))).join(' ')}`;
  });
};
