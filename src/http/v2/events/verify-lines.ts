import { setTimeout as sleep } from 'node:timers/promises';
import type { VerifyOptions } from '../../../session/sessions.ts';

/** How often the caller hears how far the check is. Milliseconds. */
const TICK_MS = 200;

type Progress = Parameters<NonNullable<VerifyOptions['onProgress']>>[0];

/** A check as lines: how far it is, again and again, and what it found. It ends with the caller. */
export async function* verifyLines(
  verify: (options: VerifyOptions) => Promise<object>,
  { tickMs = TICK_MS }: { tickMs?: number } = {},
): AsyncGenerator<string> {
  const ending = new AbortController();
  const { signal } = ending;
  let progress: Progress = { part: 'events', done: 0, of: 0 };
  const verdict = verify({ signal, onProgress: (now) => (progress = now) });
  // Who no longer listens is not told that it was cut short.
  verdict.catch(() => undefined);
  try {
    for (;;) {
      const tick = sleep(tickMs, null, { signal }).catch(() => null);
      const found = await Promise.race([verdict, tick]);
      if (found !== null) {
        yield `${JSON.stringify({ verdict: found })}\n`;
        return;
      }
      yield `${JSON.stringify({ progress })}\n`;
    }
  } finally {
    ending.abort();
  }
}
