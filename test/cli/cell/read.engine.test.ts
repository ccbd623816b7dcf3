import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { programFile } from '../../../src/common/package.ts';
import { fabricPid } from '../../support/fabric-pid.ts';
import { bare, noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';
import { request, type ServerProcess, spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';
import { topolog, topologIn } from '../run.ts';
import { waitFor } from '../../support/wait-for.ts';

const skip = noPostgres();

if (skip !== false) it('commands read a log in a database', { skip }, () => undefined);
else
  describe('a command that reads a log in a database', () => {
    let postgres: Postgres;
    let dir: { path: string; remove: () => Promise<void> };
    let log: string;
    let key: string;
    let flags: string[];
    let server: ServerProcess;
    let project_id: string;

    const post = async (where: string, body: object): Promise<Record<string, string>> => {
      const answer = await request(server.url, 'POST', where, body);
      assert.ok(answer.status < 300, answer.text);
      return answer.body as Record<string, string>;
    };
    const drawing = (): Promise<unknown> =>
      post(`/v2/projects/${project_id}/drawings`, { svg: '<svg width="10" height="10"></svg>', x: 1, y: 2 });
    const atCell = (command: string, ...args: string[]) => topolog(command, ...args, '--log', log, '--cell', 'school');
    const elsewhere = (): string => path.join(dir.path, 'elsewhere');

    before(async () => {
      postgres = await startPostgres();
      log = await postgres.create('labs');
      dir = await tempDir();
      key = path.join(dir.path, 'cell.key');
      await writeFile(key, randomBytes(32).toString('base64'));
      flags = ['--log', log, '--cell', 'school', '--cell-key', key, '--lease', '60'];
      server = await spawnServer(path.join(dir.path, 'data'), flags);
      ({ project_id = '' } = await post('/v2/projects', { name: 'lab' }));
      const node = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
      await post(`/v2/projects/${project_id}/nodes`, node);
      await drawing();
    });
    after(async () => {
      await server.kill('SIGTERM');
      await postgres.stop();
      await dir.remove();
    });

    it('prints what happened in a project, also while a server writes', async () => {
      const { code, stdout, stderr } = await atCell('log', 'lab', '--data-dir', elsewhere());
      assert.equal(code, 0, stderr);
      assert.match(stdout, /project\.created +lab in [^]*node\.created +PC1[^]*drawing\.created/);
      const told = await topologIn({ TOPOLOG_LOG: log, TOPOLOG_CELL: 'school' }, 'log', project_id, '--json');
      assert.equal(told.code, 0, told.stderr);
      assert.match(told.stdout.split('\n')[0] ?? '', /^\{"position":\d+,"project_id":".*"type":"project.created"/);
    });

    it('goes on with what happens', async () => {
      const args = ['log', 'lab', '--follow', '--json', '--log', log, '--cell', 'school'];
      const child = spawn(process.execPath, [programFile('cli/topolog'), ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      let drawings = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        if (!line.includes('"type":"drawing.created"')) continue;
        if (++drawings === 2) break;
        await drawing();
      }
      child.kill('SIGTERM');
      await ended;
      assert.equal(drawings, 2);
    });

    it('verifies it, with the keys where it is given theirs', async () => {
      const plain = await atCell('verify', '--data-dir', elsewhere());
      assert.deepEqual([plain.code, plain.stderr], [0, '']);
      assert.match(plain.stdout, /^the log is whole: \d+ events, \d+ records\n$/);
      const one = await atCell('verify', '--project', 'lab', '--cell-key', key, '--files', path.join(dir.path, 'data'));
      assert.deepEqual([one.code, one.stderr], [0, '']);
      const other = path.join(dir.path, 'other.key');
      await writeFile(other, randomBytes(32).toString('base64'));
      const wrong = await atCell('verify', '--cell-key', other, '--data-dir', elsewhere());
      assert.equal(wrong.code, 1);
      assert.match(wrong.stdout, /^keys: .*was encrypted with another key/m);
    });

    it('folds it again, and corrects it only when nobody writes it', async () => {
      const checked = await atCell('rebuild', '--check');
      assert.deepEqual([checked.code, checked.stderr], [0, '']);
      assert.match(checked.stdout, /^\d+ events, \d+ records, 0 differences found\n$/);
      const refused = await atCell('rebuild');
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        new RegExp(`cell school of postgres.* is written by .* at ${server.url}: end that first`),
      );
    });

    it('says how it is, beside what is on this machine', async () => {
      const { code, stdout, stderr } = await atCell('doctor', '--data-dir', elsewhere());
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^log +cell school of postgres:\/\/postgres@127\.0\.0\.1:\d+\/labs, position \d+, whole$/m);
      const beside = await atCell('doctor', '--data-dir', path.join(dir.path, 'data'));
      assert.match(beside.stdout, new RegExp(`^log +cell school [^]*^server +runs at ${server.url}$`, 'm'));
      const none = await topolog('doctor', '--log', log, '--cell', 'nobody', '--data-dir', elsewhere());
      assert.equal(none.code, 1);
      assert.match(none.stdout, /^log +postgres:.* has no cell nobody$/m);
    });

    it('knows what waits for a server that is away, and does not guess without the database', async () => {
      const data = path.join(dir.path, 'data');
      const until = (holds: () => Promise<boolean>): Promise<unknown> => waitFor(String(holds), holds);
      await post(`/v2/projects/${project_id}/nodes/start`, {});
      const second = await spawnServer(path.join(dir.path, 'second'), flags);
      try {
        await until(async () => (await topolog('handover', '--data-dir', data)).code === 0);
        await server.kill('SIGKILL');
        const fabric = await fabricPid(data);
        const blind = await topolog('doctor', '--data-dir', data);
        assert.equal(blind.code, 1, blind.stdout);
        assert.match(blind.stdout, /^log +its log is in a database: give --log and --cell/m);
        assert.match(blind.stdout, /^processes .* 0 left over$/m);
        const refused = await topolog('doctor', '--clean', '--data-dir', data);
        assert.equal(refused.code, 1, refused.stdout);
        assert.match(refused.stderr, /its log is in a database: give --log and --cell/);
        const known = await atCell('doctor', '--clean', '--data-dir', data);
        assert.equal(known.code, 0, known.stdout);
        assert.match(known.stdout, new RegExp(`^fabric +process ${fabric}; 1 running nodes wait for a server$`, 'm'));
        assert.equal(await fabricPid(data), fabric);
        server = await spawnServer(data, flags);
      } finally {
        await second.kill('SIGTERM');
      }
      // It does not listen while its turn begins.
      const role = () => request(server.url, 'GET', '/v2/ready?role=writer').catch(() => null);
      await until(async () => (await role())?.status === 200);
    });

    it('exports a signed session with the key of the cell', async () => {
      const file = path.join(dir.path, 'lab.session');
      const without = await atCell('export-session', 'lab', '-o', file, '--data-dir', elsewhere());
      assert.equal(without.code, 2);
      assert.match(without.stderr, /the secrets of a cell need --cell-key FILE/);
      const files = ['--cell-key', key, '--files', path.join(dir.path, 'data'), '--data-dir', elsewhere()];
      const done = await atCell('export-session', 'lab', '-o', file, ...files);
      assert.equal(done.code, 0, done.stderr);
      const { body } = await request(server.url, 'GET', '/v2/health');
      const { public_key } = body as { public_key: string };
      const verified = await topolog('verify', file, '--key', public_key);
      assert.equal(verified.code, 0, verified.stdout);
    });

    it('is not repair: that is for a data directory', async () => {
      const { code, stderr } = await atCell('repair', '--check');
      assert.equal(code, 1);
      assert.match(stderr, /topolog repair is for a log in a data directory.*restore its database from a backup/);
      const told = await topologIn({ TOPOLOG_LOG: log }, 'repair', '--check');
      assert.match(told.stderr, /restore its database from a backup/);
    });

    it('refuses flags of a database without one', async () => {
      for (const [args, says] of [
        [['log', 'lab', '--cell', 'school'], /--cell needs --log postgres:\/\//],
        [['verify', '--cell-key', key], /--cell-key needs --log postgres:\/\//],
        [['doctor', '--log', 'here'], /--log must be like postgres:\/\//],
      ] satisfies [string[], RegExp][]) {
        const { code, stderr } = await topolog(...args);
        assert.match(stderr, says);
        assert.equal(code, 2);
      }
    });

    it('corrects records once nobody writes it, and restores nothing from events that are gone', async () => {
      await server.kill('SIGTERM');
      const change = (text: string): Promise<unknown> => bare(log, (client) => client.query(text));
      await change(`DELETE FROM topolog.record WHERE key LIKE 'r/drawing/%'`);
      const corrected = await atCell('rebuild');
      assert.equal(corrected.code, 1, corrected.stderr);
      assert.match(corrected.stdout, /drawing \S+: missing\n[^]* 2 differences corrected\n$/);
      assert.equal((await atCell('rebuild', '--check')).code, 0);
      assert.equal((await atCell('verify', '--data-dir', elsewhere())).code, 0);

      await change('DELETE FROM topolog.event WHERE position = 3');
      for (const flags of [[], ['--check']]) {
        const { code, stdout } = await atCell('rebuild', ...flags);
        assert.equal(code, 2);
        assert.match(stdout, /positions 3 to 3: missing[^]*nothing was stored; restore its database from a backup/);
      }
      const broken = await atCell('verify', '--data-dir', elsewhere());
      assert.equal(broken.code, 1);
      assert.match(broken.stdout, /^position 3, /m);
    });
  });
