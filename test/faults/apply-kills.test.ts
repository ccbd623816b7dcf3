import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { onDisk } from '../support/own-log.ts';
import { spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { Applies } from './mixed/applies.ts';
import { Unanswered } from './mixed/churner.ts';
import { seeded } from './prng.ts';

const ROUNDS = 12;

describe('an apply that is killed', () => {
  it(
    'leaves the lab as it was or as the text has it, whole, and what ran runs',
    { timeout: 300_000, skip: onDisk() },
    async (t) => {
      const dir = await tempDir();
      const dataDir = path.join(dir.path, 'data');
      let server = await spawnServer(dataDir);
      t.after(async () => {
        await server.kill('SIGTERM');
        await dir.remove();
      });
      const random = seeded(20_261_127);
      const applies = new Applies(random);
      await applies.prepare(server.url);
      // As long as it takes a server that has just started, which each of the others is.
      await server.kill('SIGKILL');
      server = await spawnServer(dataDir);
      const begun = performance.now();
      await applies.step(server.url);
      const whole = performance.now() - begun;
      assert.deepEqual(await applies.check(server.url), []);
      for (let round = 0; round < ROUNDS; round++) {
        const { url } = server;
        const step = applies.step(url).catch((error: unknown) => {
          if (!(error instanceof Unanswered)) throw error;
        });
        await sleep(random.next() * whole * 1.2);
        await server.kill('SIGKILL');
        await step;
        server = await spawnServer(dataDir);
        assert.deepEqual(await applies.check(server.url), [], `round ${round}`);
      }
      const { old, new: now } = applies.counts;
      t.diagnostic(
        `${ROUNDS} kills; afterwards old ${old} times, new ${now} times; an apply took ${Math.round(whole)} ms`,
      );
    },
  );
});
