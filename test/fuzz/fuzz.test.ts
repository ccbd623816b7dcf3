import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { topolog } from '../cli/run.ts';
import { cellFlags, logConnections } from '../support/own-log.ts';
import { tempDir } from '../support/temp.ts';
import type { Held } from './memory.ts';
import { Run } from './run.ts';
import { watchedServer } from './watched-server.ts';

/** Other seeds and more requests: TOPOLOG_FUZZ_SEED=7 TOPOLOG_FUZZ_REQUESTS=100000 node scripts/test.mjs fuzz */
const SEED = Number(process.env['TOPOLOG_FUZZ_SEED'] ?? 20_261_121);
const REQUESTS = Number(process.env['TOPOLOG_FUZZ_REQUESTS'] ?? 20_000);
/** Of all requests, those to a server that lets its clients use paths of its machine. */
const LOCAL = 0.1;
/** Of the others, those after which everything is warm: code is compiled, caches are full. */
const WARM = 0.5;
/** What half of the requests may add to that: far less than a record or a socket for each of them. Octets. */
const HEAP_MORE = 6e6;
/** What the C library cannot give back in between is no leak. */
const PROCESS_MORE = 60e6;
const TIMEOUT = 110_000 + REQUESTS * 10;

/** Looks at the memory of a server, each a moment later, until its connections are closed. */
const CLOSED_LOOKS = 20;
/** Anything that a server writes when it has not seen something coming. */
const DEFECT = /uncaught|unhandled|Warning|at \S+ \(?\S+\.[jt]s:\d+|request [\w-]+ \(/i;

interface Fuzzed {
  warm: Held;
  end: Held;
  run: Run;
}

/** Sends requests to a server that is ended, and its data directory checked, afterwards. */
const fuzz = async (t: TestContext, flags: readonly string[], from: number, to: number): Promise<Fuzzed> => {
  const dir = await tempDir();
  const server = await watchedServer(dir.path, flags);
  t.after(async () => {
    await server.end();
    await dir.remove();
  });
  t.diagnostic(
    `${to - from} requests; the same again with TOPOLOG_FUZZ_SEED=${SEED} TOPOLOG_FUZZ_REQUESTS=${REQUESTS}`,
  );
  const run = await Run.begin(server, SEED);
  const middle = Math.floor(from + (to - from) * WARM);
  await run.send(from, middle);
  await run.clear();
  const warm = await server.memory();
  await run.send(middle, to);
  await run.clear();
  run.close();
  let end = await server.memory();
  // A server that has little of the processor learns of a closed connection later; one that forgets it never does.
  for (let looks = 0; looks < CLOSED_LOOKS && end.sockets > logConnections; looks++) end = await server.memory();
  t.diagnostic(`answers: ${JSON.stringify(run.seen)}`);
  t.diagnostic(`held in the middle ${JSON.stringify(warm)}, at the end ${JSON.stringify(end)}`);

  assert.deepEqual(
    run.wrong.slice(0, 20),
    [],
    `${run.wrong.length} answers were wrong; ${server.stderr().slice(-4000)}`,
  );
  assert.doesNotMatch(server.stderr(), DEFECT);
  assert.equal((await fetch(`${server.url}/v2/version`)).status, 200);
  assert.equal(await server.end(), 0, server.stderr());
  const place = ['--data-dir', server.dataDir, ...cellFlags(server.dataDir)];
  const rebuilt = await topolog('rebuild', '--check', ...place);
  assert.match(rebuilt.stdout, / 0 differences/);
  const verified = await topolog('verify', ...place);
  assert.match(verified.stdout, /^the log is whole/);
  // Nothing was written anywhere but where it should be.
  assert.deepEqual((await readdir(dir.path)).sort(), [
    'data',
    'empty',
    ...(server.outside === null ? [] : ['outside']),
    // Of the probe.
    'pauses',
  ]);
  assert.deepEqual(await readdir(path.join(dir.path, 'empty')), []);
  return { warm, end, run };
};

describe('requests that nobody would make, from the document of the server', () => {
  const split = Math.floor(REQUESTS * (1 - LOCAL));

  it(
    'get no answer that is not documented, break nothing, and leave no memory in use',
    { timeout: TIMEOUT },
    async (t) => {
      const { warm, end, run } = await fuzz(t, ['--no-local'], 0, split);
      assert.ok(end.heap - warm.heap < HEAP_MORE, `the heap grew from ${warm.heap} to ${end.heap}`);
      assert.ok(end.process - warm.process < PROCESS_MORE, `the process grew from ${warm.process} to ${end.process}`);
      assert.ok(end.sockets <= logConnections, `${end.sockets} connections are left`);
      // Where most of them end at the door, the rest of the house is not tested.
      if (REQUESTS >= 20_000) assert.ok(run.reached.size > 200, `only ${run.reached.size} operations were reached`);
    },
  );

  it('do no more at a server whose clients may use its machine', { timeout: TIMEOUT }, async (t) => {
    const { end } = await fuzz(t, ['--local'], split, REQUESTS);
    assert.ok(end.sockets <= logConnections, `${end.sockets} connections are left`);
  });
});
