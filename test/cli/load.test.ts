import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testServer, type TestServer } from '../support/server.ts';
import { type Ended, topologIn } from './run.ts';

describe('a lab that is loaded', { timeout: 200_000 }, () => {
  let server: TestServer;
  const topolog = (...args: string[]): Promise<Ended> => topologIn({ TOPOLOG_DATA_DIR: server.dataDir }, ...args);
  const copy = async (to: string): Promise<string> => {
    const directory = path.join(server.dataDir, '..', to);
    await cp(path.resolve('examples/labs/first-lab'), directory, { recursive: true });
    return path.join(directory, 'first-lab.gns3');
  };

  before(async () => {
    server = await testServer();
    const { code, stderr } = await topolog('load', await copy('first'));
    assert.equal(code, 0, stderr);
  });
  after(() => server.close());

  it('is loaded a second time as a project of its own, by the flag that the refusal names', async () => {
    const file = await copy('second');
    const refused = await topolog('load', file);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /; --new-id loads it beside\n$/);
    assert.doesNotMatch(refused.stderr, /new_id/);
    const { code, stdout, stderr } = await topolog('load', file, '--new-id');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^first-lab-?\d+ +opened/);
    assert.equal((await topolog('rm', stdout.split(' ')[0] ?? '', '--yes')).code, 0);
  });

  it('and closed says so for each of its nodes', async () => {
    assert.equal((await topolog('close', 'first-lab')).code, 0);
    for (const args of [
      ['start', 'PC1'],
      ['exec', 'first-lab/PC1', 'help'],
      ['console', 'PC1'],
      ['why', 'PC1', 'PC2'],
      ['link', 'PC1:0', 'PC2'],
    ]) {
      const { code, stderr } = await topolog(...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, /^topolog: \S+: first-lab is not open: topolog open first-lab\n$/, args.join(' '));
    }
    assert.match((await topolog('start', 'PC77')).stderr, /does not exist/);
  });
});
