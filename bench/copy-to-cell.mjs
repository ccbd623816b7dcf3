// Copies a log from LevelDB into a fresh cell of PostgreSQL by COPY, the fastest way in: nothing is checked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Level } from 'level';
import pg from 'pg';

const product = (name) => import(pathToFileURL(path.resolve(import.meta.dirname, `../dist/src/${name}.js`)).href);

const BLOCK = 2_000;

/**
 * From `dataDir`, where the log is no more afterwards, to cell `default` of the database. Resolves with the octets that both take on their
 * disks, without the write-ahead log of the database.
 */
export const copyToCell = async (dataDir, url) => {
  const { openCell } = await product('events/open-cell');
  const cell = await openCell({ log: url, name: 'default', key: null, leaseMs: 60_000, create: true });
  await cell.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const db = new Level(path.join(dataDir, 'log'));
  await db.open();
  const { id, head } = await copyAll(db, client, url);
  await db.close();
  await client.query('UPDATE topolog.cell SET head = $2 WHERE id = $1', [id, head]);
  // Not while starts are measured.
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
  const { rows } = await client.query(TABLES);
  await client.end();
  const place = path.join(dataDir, 'log');
  const files = await Promise.all((await readdir(place)).map((name) => stat(path.join(place, name))));
  await rm(place, { recursive: true });
  return { level: files.reduce((sum, { size }) => sum + size, 0), postgres: Number(rows[0].size) };
};

const TABLES = `SELECT sum(pg_total_relation_size('topolog.' || name)) AS size
  FROM unnest('{event, entry, record}'::text[]) AS tables (name)`;

const copyAll = async (db, client, url) => {
  const { keptKey, tableOf } = await product('events/store/postgres/tables');
  const { positionOf } = await product('events/store/store');
  const { rows } = await client.query(`SELECT id FROM topolog.cell WHERE name = 'default'`);
  const [{ id }] = rows;
  const copies = Object.fromEntries(['event', 'entry', 'record'].map((table) => [table, copyInto(table, url)]));
  let head = 0;
  for (const iterator = db.iterator(); ;) {
    const entries = await iterator.nextv(BLOCK);
    if (entries.length === 0) break;
    const texts = { event: '', entry: '', record: '' };
    for (const [key, value] of entries) {
      const table = tableOf(key);
      if (table === 'event') head = positionOf(key);
      texts[table] += `${id}\t${table === 'event' ? head : escaped(keptKey(key))}\t${escaped(value)}\n`;
    }
    for (const [table, text] of Object.entries(texts)) await copies[table].write(text);
  }
  for (const copy of Object.values(copies)) await copy.end();
  return { id, head };
};

/** As the text format of COPY has it. */
const escaped = (text) =>
  text.replace(/[\\\n\r\t]/g, (one) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[one]);

const copyInto = (table, url) => {
  const psql = spawn('psql', ['-q', '-X', '-d', url, '-c', `COPY topolog.${table} FROM STDIN`], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(psql, 'close');
  // What is wrong shows in its exit code.
  psql.stdin.on('error', () => undefined);
  return {
    async write(text) {
      if (text !== '' && !psql.stdin.write(text)) await Promise.race([once(psql.stdin, 'drain'), ended]);
    },
    async end() {
      psql.stdin.end();
      const [code] = await ended;
      if (code !== 0) throw new Error(`psql ends with ${code}`);
    },
  };
};
