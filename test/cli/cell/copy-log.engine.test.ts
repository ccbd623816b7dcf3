import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { Level } from 'level';
import { Client } from 'pg';
import { programFile } from '../../../src/common/package.ts';
import { EventLog } from '../../../src/events/log/log.ts';
import { levelStore } from '../../../src/events/store/level-store.ts';
import { originalKey } from '../../../src/events/store/postgres/tables.ts';
import { KEYS } from '../../../src/events/store/store.ts';
import { Records } from '../../../src/projections/store.ts';
import { draftOf, drawingDraft, projectData } from '../../support/events.ts';
import { bare, noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';
import { request, spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';
import { topolog } from '../run.ts';
import { waitFor } from '../../support/wait-for.ts';

const skip = noPostgres();

type Entries = Map<string, string>;

/** Every key and value of the log of a data directory, as it is stored. */
const ofDirectory = async (dataDir: string): Promise<Entries> => {
  const level = new Level(path.join(dataDir, 'log'), { createIfMissing: false });
  try {
    return new Map(await level.iterator().all());
  } finally {
    await level.close();
  }
};

const SECRETS = ['keys/login.key', 'keys/session.pem', 'keys/session.pub', 'computes.json'];

const TABLES = `
  SELECT 'f/' || lpad(position::text, 16, '0'), text FROM topolog.event JOIN topolog.cell ON id = cell WHERE name = $1
  UNION ALL SELECT key, value FROM topolog.entry JOIN topolog.cell ON id = cell WHERE name = $1
  UNION ALL SELECT key, value FROM topolog.record JOIN topolog.cell ON id = cell WHERE name = $1`;

/** The same of a cell, past everything of ours. */
const ofCell = (log: string, name: string): Promise<Entries> =>
  bare(log, async (client) => {
    const { rows } = await client.query<[string, string]>({ text: TABLES, values: [name], rowMode: 'array' });
    return new Map(rows.map(([key, value]) => [originalKey(key), value]));
  });

const sorted = (entries: Entries): [string, string][] => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));

/** A data directory with a log of so many drawings. */
const withDrawings = async (dataDir: string, drawings: number): Promise<void> => {
  const log = await EventLog.open(levelStore(path.join(dataDir, 'log')), new Records());
  await log.append([draftOf('project.created', projectData())]);
  for (let n = 0; n < drawings; n += 500) await log.append(Array.from({ length: 500 }, (_, i) => drawingDraft(n + i)));
  await log.close();
};

/** A data directory with what a server has written: a project, a node that was started, a refused request, a compute. */
const withLab = async (dataDir: string): Promise<void> => {
  const server = await spawnServer(dataDir);
  try {
    const made = await request(server.url, 'POST', '/v2/projects', { name: 'lab' });
    const { project_id } = made.body as { project_id: string };
    const nodes = `/v2/projects/${project_id}/nodes`;
    const node = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
    const { node_id } = (await request(server.url, 'POST', nodes, node)).body as { node_id: string };
    await request(server.url, 'POST', `${nodes}/${node_id}/start`, {}, { 'idempotency-key': 'a key/of' });
    await request(server.url, 'POST', nodes, { name: 'no kind' });
    // Nobody answers there.
    const compute = {
      compute_id: 'lab2',
      protocol: 'http',
      host: '127.0.0.1',
      port: 1,
      user: 'ada',
      password: 'secret',
    };
    assert.equal((await request(server.url, 'POST', '/v2/computes', compute)).status, 201);
  } finally {
    await server.kill('SIGTERM');
  }
};

if (skip !== false) it('topolog copy-log moves a log into a database and back', { skip }, () => undefined);
else
  describe('topolog copy-log', () => {
    let postgres: Postgres;
    let log: string;
    let dir: { path: string; remove: () => Promise<void> };
    let key: string;
    let places = 0;
    before(async () => {
      postgres = await startPostgres();
      log = await postgres.create('labs');
      dir = await tempDir();
      key = path.join(dir.path, 'cell.key');
      await writeFile(key, randomBytes(32).toString('base64'));
    });
    after(async () => {
      await postgres.stop();
      await dir.remove();
    });

    const place = (): string => path.join(dir.path, `data-${++places}`);
    const cellName = (): string => `cell-${++places}`;
    /** Flags of a server. */
    const sharing = (cell: string): string[] => [
      ...['--log', log, '--cell', cell],
      ...['--cell-key', key, '--lease', '60'],
    ];
    const into = (from: string, cell: string, ...flags: string[]) =>
      topolog('copy-log', '--from', from, '--to', log, '--cell', cell, ...flags);
    const outOf = (cell: string, to: string, ...flags: string[]) =>
      topolog('copy-log', '--from', log, '--cell', cell, '--to', to, ...flags);

    it('copies into a database and back, octet by octet, with keys; servers start on both', async () => {
      const [from, back, cell] = [place(), place(), cellName()];
      await withLab(from);
      const whole = await ofDirectory(from);
      // Opening it changed files, but no entry.
      const files = await readdir(path.join(from, 'log'));
      const there = await into(from, cell, '--cell-key', key);
      assert.equal(there.code, 0, there.stderr);
      assert.match(
        there.stdout,
        /both are the same; the last event has the hash [0-9a-f]{64}\nkeys and passwords: keys\/login\.key, /,
      );
      assert.match(there.stderr, /^events: \d+ of \d+$/m);
      assert.deepEqual(await readdir(path.join(from, 'log')), files);
      assert.deepEqual(sorted(await ofCell(log, cell)), sorted(whole));

      const again = await outOf(cell, back, '--cell-key', key, '--json');
      assert.equal(again.code, 0, again.stderr);
      const { events, entries, secrets } = JSON.parse(again.stdout) as Record<string, unknown>;
      assert.deepEqual(
        [events, entries, secrets],
        [[...whole.keys()].filter((k) => k.startsWith('f/')).length, whole.size, SECRETS],
      );
      assert.deepEqual(sorted(await ofDirectory(back)), sorted(whole));
      for (const name of SECRETS)
        assert.deepEqual(await readFile(path.join(back, name)), await readFile(path.join(from, name)));

      for (const [dataDir, flags] of [
        [place(), sharing(cell)],
        [back, []],
      ] satisfies [string, string[]][]) {
        const server = await spawnServer(dataDir, flags);
        try {
          const { body } = await request(server.url, 'GET', '/v2/projects');
          assert.deepEqual(
            (body as { name: string }[]).map(({ name }) => name),
            ['lab'],
          );
          assert.equal((await request(server.url, 'POST', '/v2/projects', { name: 'next' })).status, 201);
          assert.doesNotMatch(server.output(), /the note of where the log ends is missing/);
        } finally {
          await server.kill('SIGTERM');
        }
      }
    });

    /** Runs it until the database has it wait for a lock, and kills it there. */
    const killedWaiting = async (client: Client, ...args: string[]): Promise<string> => {
      const child = spawn(process.execPath, [programFile('cli/topolog'), 'copy-log', ...args], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const ended = once(child, 'close');
      const waits = async (): Promise<boolean> =>
        ((await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount ?? 0) > 0;
      await waitFor('it waits for a lock', async () => {
        assert.equal(child.exitCode, null, stderr);
        return waits();
      });
      child.kill('SIGKILL');
      await ended;
      return stderr;
    };

    const connected = async (t: TestContext): Promise<Client> => {
      const client = new Client({ connectionString: log });
      await client.connect();
      t.after(() => client.end());
      return client;
    };

    it('goes on where it was killed on its way into a database', async (t) => {
      const [from, cell] = [place(), cellName()];
      await withDrawings(from, 6_000);
      const client = await connected(t);
      // So that the tables are there.
      await (await spawnServer(place(), sharing(cellName()))).kill('SIGTERM');
      await client.query('SELECT pg_advisory_lock(7)');
      await client.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.position > 3000 THEN PERFORM pg_advisory_xact_lock(7); END IF; RETURN NEW; END $$`);
      await client.query('CREATE TRIGGER hold BEFORE INSERT ON topolog.event FOR EACH ROW EXECUTE FUNCTION hold()');
      const told = await killedWaiting(client, '--from', from, '--to', log, '--cell', cell);
      assert.match(told, /^events: \d+ of 6001$/m);
      await client.query('SELECT pg_advisory_unlock(7)');
      await client.query('DROP TRIGGER hold ON topolog.event');

      await assert.rejects(
        spawnServer(place(), sharing(cell)),
        /unfinished copy of another one|written by topolog copy-log/,
      );
      const verdict = await topolog('verify', '--log', log, '--cell', cell);
      assert.match(verdict.stdout, /^store: the log is an unfinished copy .* goes on with it\n$/);
      assert.equal(verdict.code, 1);
      const { code, stdout, stderr } = await into(from, cell);
      assert.equal(code, 0, stderr);
      for (const doing of ['events', 'comparing']) assert.match(stderr, new RegExp(`^${doing}: (\\d+) of \\1$`, 'm'));
      const [, were] = /6001 events \((\d+) were there\)/.exec(stdout) ?? [];
      assert.ok(Number(were) > 0 && Number(were) < 6001, stdout);
      assert.match(stdout, /keys and passwords were not copied/);
      assert.deepEqual(sorted(await ofCell(log, cell)), sorted(await ofDirectory(from)));
    });

    it('makes a cell as an unfinished copy from its first moment on', async (t) => {
      const [from, cell] = [place(), cellName()];
      await withDrawings(from, 500);
      const client = await connected(t);
      await (await spawnServer(place(), sharing(cellName()))).kill('SIGTERM');
      await client.query('SELECT pg_advisory_lock(8)');
      await client.query(`CREATE FUNCTION wait_for_lease() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(8); RETURN NEW; END $$`);
      await client.query(
        'CREATE TRIGGER wait_for_lease BEFORE UPDATE ON topolog.lease FOR EACH ROW EXECUTE FUNCTION wait_for_lease()',
      );
      await killedWaiting(client, '--from', from, '--to', log, '--cell', cell);
      await client.query('SELECT pg_advisory_unlock(8)');
      await client.query('DROP TRIGGER wait_for_lease ON topolog.lease');

      await assert.rejects(
        spawnServer(place(), sharing(cell)),
        /unfinished copy of another one|written by topolog copy-log/,
      );
      const { code, stderr } = await into(from, cell);
      assert.equal(code, 0, stderr);
      assert.deepEqual(sorted(await ofCell(log, cell)), sorted(await ofDirectory(from)));
    });

    it('makes nothing where the key of the cell is another one', async () => {
      const [from, cell, to] = [place(), cellName(), place()];
      await withLab(from);
      assert.equal((await into(from, cell, '--cell-key', key)).code, 0);
      const other = path.join(dir.path, 'other.key');
      await writeFile(other, randomBytes(32).toString('base64'));
      const { code, stderr } = await outOf(cell, to, '--cell-key', other);
      assert.match(stderr, /was encrypted with another key/);
      assert.equal(code, 2);
      await assert.rejects(readdir(to), { code: 'ENOENT' });
    });

    it('goes on where it was killed on its way out of a database', async (t) => {
      const [from, cell, to] = [place(), cellName(), place()];
      await withDrawings(from, 6_000);
      assert.equal((await into(from, cell)).code, 0);
      const client = await connected(t);
      await client.query('BEGIN');
      await client.query('LOCK TABLE topolog.entry IN ACCESS EXCLUSIVE MODE');
      await killedWaiting(client, '--from', log, '--cell', cell, '--to', to);
      await client.query('ROLLBACK');
      await assert.rejects(spawnServer(to), /unfinished copy of another one/);
      const verdict = await topolog('verify', '--data-dir', to);
      assert.match(verdict.stdout, /^store: the log is an unfinished copy .* goes on with it\n$/);
      const { code, stdout, stderr } = await outOf(cell, to);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /6001 events \(6001 were there\)/);
      assert.deepEqual(sorted(await ofDirectory(to)), sorted(await ofDirectory(from)));
    });

    it('refuses a log that is being written, and says who writes it', async () => {
      const [from, cell] = [place(), cellName()];
      const alone = await spawnServer(from);
      const shared = await spawnServer(place(), sharing(cell));
      try {
        const held = await into(from, cellName());
        assert.equal(held.code, 1);
        assert.match(held.stderr, new RegExp(`the server at ${alone.url} holds ${from}; stop it first`));
        const written = await outOf(cell, place());
        assert.equal(written.code, 1);
        const says = new RegExp(`cell ${cell} of postgres.* is written by .* at ${shared.url}: end that first`);
        assert.match(written.stderr, says);
      } finally {
        await alone.kill('SIGTERM');
        await shared.kill('SIGTERM');
      }
      const taken = await into(from, cell);
      assert.equal(taken.code, 1);
      assert.match(taken.stderr, /cell cell-\d+ of postgres.* has a log already; copy to a place that is empty/);
    });

    it('refuses a damaged log with the position, and a place with something else', async () => {
      const [from, cell] = [place(), cellName()];
      await withDrawings(from, 500);
      const level = new Level(path.join(from, 'log'));
      const text = (await level.get(KEYS.event(77))) ?? '';
      await level.put(KEYS.event(77), text.replace('"y":0', '"y":1'));
      await level.close();
      const damaged = await into(from, cell);
      assert.equal(damaged.code, 1);
      assert.match(
        damaged.stderr,
        /data-\d+\/log: The log is damaged at position 77: the stored content does not fit its hash/,
      );

      const [other, full] = [place(), place()];
      await withDrawings(other, 500);
      await withDrawings(full, 500);
      const refused = await topolog('copy-log', '--from', other, '--to', full);
      assert.match(refused.stderr, /has a log already/);
      const nowhere = await outOf('nowhere', place());
      assert.match(nowhere.stderr, /postgres:\/\/postgres@127\.0\.0\.1:\d+\/labs has no cell nowhere/);
      await mkdir(place(), { recursive: true });
      const empty = await into(place(), cellName());
      assert.match(empty.stderr, /The log .* does not exist/);
    });

    it('refuses flags that say too little or too much', async () => {
      const from = place();
      for (const [args, says] of [
        [['--to', from], /needs --from: a data directory, or postgres:\/\//],
        [['--from', from], /needs --to/],
        [['--from', from, '--to', from], /are the same place/],
        [['--from', log, '--to', log, '--cell', 'one'], /are the same place/],
        [['--from', from, '--to', 'mysql://here/labs'], /--to must be a data directory, or postgres:\/\//],
        [['--from', from, '--to', log, '--from-cell', 'one'], /--from-cell needs --from postgres:\/\//],
        [['--from', from, '--to', `${from}x`, '--cell', 'one'], /--cell needs --from or --to postgres:\/\//],
        [['--from', from, '--to', log, '--cell', 'a/b'], /--cell must be 1 to 63 letters/],
      ] satisfies [string[], RegExp][]) {
        const { code, stderr } = await topolog('copy-log', ...args);
        assert.match(stderr, says);
        assert.equal(code, 2, args.join(' '));
      }
    });
  });
