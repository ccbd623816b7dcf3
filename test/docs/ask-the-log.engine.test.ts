import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bare, noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { useLabs } from '../support/sample-lab.ts';
import { spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { testProgram } from '../support/test-program.ts';

const PAGE = await readFile('docs/how-to/ask-the-log.md', 'utf8');

interface Block {
  title: string;
  sql: string;
  /** What the page prints below it; null: nothing. */
  answer: string | null;
}

/** What stands in a block of SQL, the heading that it is under, and the block below it. */
const BLOCKS = PAGE.split(/^##+ /m).flatMap((section): Block[] => {
  const [title = ''] = section.split('\n');
  return [...section.matchAll(/^```sql\n([^]*?)^```\n(?:\n```\n([^]*?)^```$)?/gm)].map(
    ([, sql = '', answer = null]) => ({ title, sql, answer }),
  );
});
const QUESTIONS = BLOCKS.filter(({ answer }) => answer !== null);

const namesOf = (answer: string): string[] => (answer.split('\n')[0] ?? '').split('|').map((name) => name.trim());

const skip = noPostgres();

if (skip !== false) it('docs/how-to/ask-the-log.md is tried', { skip }, () => undefined);
else
  describe('docs/how-to/ask-the-log.md', () => {
    let postgres: Postgres;
    let log: string;
    let dir: { path: string; remove: () => Promise<void> };
    before(async () => {
      postgres = await startPostgres();
      log = await postgres.create('labs');
      dir = await tempDir();
      const key = path.join(dir.path, 'cell.key');
      await writeFile(key, randomBytes(32).toString('base64'));
      const program = testProgram('serve-with-echo');
      const flags = ['--log', log, '--cell', 'school', '--cell-key', key, '--lease', '60'];
      const here = await spawnServer(path.join(dir.path, 'here'), flags, program);
      const far = await spawnServer(path.join(dir.path, 'far'));
      try {
        await useLabs({ url: here.url, far: far.url, outside: 'echo' });
      } finally {
        await here.kill('SIGTERM');
        await far.kill('SIGTERM');
      }
      for (const { sql, answer } of BLOCKS) if (answer === null) await bare(log, (client) => client.query(sql));
    });
    after(async () => {
      await postgres.stop();
      await dir.remove();
    });

    /** As people who only read. */
    const asked = (sql: string) =>
      bare(log.replace('postgres@', 'lab_reader@'), async (client) => {
        const { rows, fields } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
        return { rows, names: fields.map(({ name }) => name) };
      });

    it('has ten questions', () => assert.equal(QUESTIONS.length, 10));

    for (const { title, sql, answer } of QUESTIONS)
      it(`has an answer to: ${title}`, async () => {
        const { rows, names } = await asked(sql);
        assert.deepEqual(names, namesOf(answer ?? ''));
        assert.ok(rows.length > 0, 'there are no rows');
        assert.ok(rows.every((row) => row.some((value) => value !== null)));
      });

    it('gives people a role that reads two views, and nothing else', async () => {
      assert.ok(
        (await asked(`SELECT FROM topolog.records WHERE collection = 'node' AND name = 'PC1'`)).rows.length === 1,
      );
      for (const table of ['secret', 'lease', 'cell', 'event', 'record'])
        await assert.rejects(asked(`SELECT FROM topolog.${table}`), /permission denied/);
      await assert.rejects(asked('CREATE TABLE notes (text text)'), /read-only transaction/);
    });
  });
