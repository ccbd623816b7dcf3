import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { type Answer, request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { endIn } from '../support/test-run.ts';
import { waitFor } from '../support/wait-for.ts';

const HOUR_MS = 3_600_000;
/** Long enough that nothing ends by itself. Seconds. */
const LONG_S = 600;

interface Health {
  cell: { owner: string; epoch: number | null; writer: { owner: string } | null };
}

describe('servers of one cell, as processes', { skip: noPostgres() }, () => {
  let postgres: Postgres;
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let cell = '';
  let leaseS = 0;
  let cells = 0;
  const servers: ServerProcess[] = [];

  before(async () => {
    [postgres, dir] = await Promise.all([startPostgres(), tempDir()]);
    await writeFile(path.join(dir.path, 'key'), randomBytes(32).toString('base64'));
  });
  after(async () => {
    await postgres?.stop();
    if (dir !== undefined) await endIn(dir.path);
    await dir?.remove();
  });
  afterEach(async () => {
    for (const { child } of servers) child.kill('SIGCONT');
    for (const server of servers.splice(0).reverse()) await server.kill('SIGTERM');
  });

  const begin = (seconds: number): void => {
    cell = `cell-${++cells}`;
    leaseS = seconds;
  };
  /** `offMs`: by which its clock is off. */
  const start = async (name: string, offMs = 0): Promise<ServerProcess> => {
    const shift = pathToFileURL(path.resolve('dist/test/support/shifted-clock.js')).href;
    const env = offMs === 0 ? {} : { NODE_OPTIONS: `--import=${shift}`, TOPOLOG_TEST_CLOCK_OFF: String(offMs) };
    const shared = ['--log', postgres.url(), '--cell', cell, '--cell-key', path.join(dir.path, 'key')];
    const own = ['--files', path.join(dir.path, cell, 'files'), '--lease', String(leaseS)];
    const server = await spawnServer(path.join(dir.path, cell, name), [...shared, ...own], undefined, env);
    servers.push(server);
    return server;
  };
  /** Again for as long as nobody writes, or the server changes its part. */
  const ask = async (...asked: Parameters<typeof request>): Promise<Answer> => {
    return waitFor('a server writes', async () => {
      const answer = await request(...asked).catch(() => null);
      return answer?.status === 503 ? null : answer;
    });
  };
  const healthOf = async ({ url }: ServerProcess): Promise<Health['cell']> =>
    ((await ask(url, 'GET', '/v2/health')).body as Health).cell;
  const writes = async (server: ServerProcess): Promise<boolean> => {
    const { owner, writer } = await healthOf(server);
    return writer?.owner === owner;
  };
  const until = (holds: () => Promise<boolean>): Promise<unknown> => waitFor(String(holds), holds);
  /** Which of them writes, once it is one of these and all of these say so. */
  const writerOf = async (...some: ServerProcess[]): Promise<ServerProcess> => {
    return waitFor('they know who writes', async () => {
      const healths = await Promise.all(some.map(healthOf));
      const owners = new Set(healths.map(({ writer }) => writer?.owner));
      return some[healths.findIndex(({ owner }) => owners.size === 1 && owners.has(owner))];
    });
  };
  const create = ({ url }: ServerProcess, name: string): Promise<Answer> =>
    ask(url, 'POST', '/v2/projects', { name }, { 'Idempotency-Key': name });
  const idOf = ({ status, text, body }: Answer): string => {
    assert.equal(status, 201, text);
    return (body as { project_id: string }).project_id;
  };
  const sql = (text: string): Promise<unknown[][]> => postgres.sql(text, [cell]);
  /** The lease is over, as if its owner had been away for so long, and everyone who waits for it looks at once. */
  const expire = (): Promise<unknown> =>
    sql(`WITH over AS (UPDATE topolog.lease SET until = '-infinity' WHERE cell = (SELECT id FROM topolog.cell WHERE name = $1) RETURNING cell)
      SELECT pg_notify('topolog_' || cell, 'lease') FROM over`);
  const epoch = async (): Promise<number> =>
    Number((await sql('SELECT epoch FROM topolog.cell WHERE name = $1'))[0]?.[0]);
  /** Of the events that tell it, in the order of the log. */
  const names = async (): Promise<unknown[]> =>
    (
      await sql(
        `SELECT data ->> 'name' FROM topolog.events WHERE cell = $1 AND type = 'project.created' ORDER BY position`,
      )
    ).map(([name]) => name);
  const isWhole = async ({ url }: ServerProcess): Promise<void> => {
    const { text, body } = await ask(url, 'GET', '/v2/verify');
    assert.deepEqual((body as { problems?: unknown }).problems, [], text);
  };

  it('one that was stopped for longer than its lease writes nothing when it wakes', async () => {
    begin(2);
    const both = [await start('a'), await start('b')];
    idOf(await create(both[0] as ServerProcess, 'before'));
    const stopped = await writerOf(...both);
    const next = both.find((server) => server !== stopped) as ServerProcess;
    stopped.child.kill('SIGSTOP');
    // It has this in its hands when it wakes.
    const late = create(stopped, 'late');
    await until(() => writes(next));
    const made = idOf(await create(next, 'late'));
    idOf(await create(next, 'after'));
    stopped.child.kill('SIGCONT');
    assert.equal(idOf(await late), made);
    const writer = await writerOf(...both);
    assert.match(stopped.output(), /writes no more and stands by: .*lease/);
    idOf(await create(stopped, 'last'));
    assert.deepEqual(await names(), ['before', 'late', 'after', 'last']);
    await isWhole(writer);
  });

  it('one of many takes over when all try at the same time', async () => {
    begin(LONG_S);
    const all = [await start('a'), await start('b'), await start('c'), await start('d')];
    const made = ['first'];
    idOf(await create(all[0] as ServerProcess, 'first'));
    for (let round = 0; round < 6; round++) {
      const before = await epoch();
      await expire();
      await until(async () => (await epoch()) > before);
      await writerOf(...all);
      for (const [n, server] of all.entries()) {
        idOf(await create(server, `${round}-${n}`));
        made.push(`${round}-${n}`);
      }
    }
    assert.deepEqual(await names(), made);
    await isWhole(await writerOf(...all));
  });

  for (const [where, offMs] of [
    ['behind', -HOUR_MS],
    ['ahead', HOUR_MS],
  ] as const)
    it(`one whose clock is an hour ${where} takes no lease that is another's, and keys and times hold`, async () => {
      begin(LONG_S);
      const right = await start('right');
      const wrong = await start('wrong', offMs);
      assert.ok(await writes(right));
      assert.ok(!(await writes(wrong)));
      const keyed = idOf(await create(right, 'keyed'));
      const before = await epoch();
      assert.equal((await request(right.url, 'POST', '/v2/handover')).status, 204);
      await until(() => writes(wrong));
      assert.ok((await epoch()) > before);
      // The one whose clock is right believes in the lease of the other one.
      assert.equal(await writerOf(right, wrong), wrong);
      assert.equal(idOf(await create(wrong, 'keyed')), keyed);
      const other = idOf(await create(wrong, 'other'));
      await wrong.kill('SIGKILL');
      await expire();
      await until(() => writes(right));
      assert.equal(idOf(await create(right, 'other')), other);
      assert.deepEqual(await names(), ['keyed', 'other']);
      const [[backwards] = []] = await sql(`SELECT count(*)::integer FROM topolog.events AS e JOIN topolog.events AS f
        ON f.cell = e.cell AND f.position = e.position + 1 AND f.at < e.at WHERE e.cell = $1`);
      assert.equal(backwards, 0);
      await isWhole(right);
    });
});
