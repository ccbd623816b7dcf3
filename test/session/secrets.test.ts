import assert from 'node:assert/strict';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { exportSession, type ExportOptions } from '../../src/session/export.ts';
import { openSessionKey } from '../../src/session/keys.ts';
import { checkStore } from '../../src/session/verify/check-store.ts';
import { verifySession } from '../../src/session/verify/verify-session.ts';
import { CALLER, testLab, type TestLab } from '../actors/test-lab.ts';
import { tempDir } from '../support/temp.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000b1';

/** A lab with secrets. `isOld`: as an earlier version wrote its log. */
const labIn = async (t: TestContext, isOld: boolean): Promise<TestLab & { dir: string }> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const { context, commands } = lab;
  if (isOld) t.mock.method(context.secrets, 'sealed', (_of: unknown, value: unknown) => value);
  const variables = [{ name: 'API_TOKEN', value: 'hunter2var' }];
  await commands.createProject(CALLER, { name: 'secret', project_id: PROJECT, variables });
  const properties = { image: 'box', environment: 'A=1\nDB_PASSWORD=hunter2env' };
  await commands.createNode(CALLER, PROJECT, { name: 'C1', kind: 'container', properties }, 'conflict');
  const startup = { startup_script: '# enable secret hunter2up' };
  await commands.createNode(CALLER, PROJECT, { name: 'PC1', kind: 'simple_pc', properties: startup }, 'conflict');
  return { ...lab, dir: dir.path };
};

const sessionIn = async (t: TestContext, isOld: boolean, options: ExportOptions): Promise<string> => {
  const { context, dir, log } = await labIn(t, isOld);
  const key = await openSessionKey(dir);
  const { moments, secrets } = context;
  const deps = { store: log.store, moments, key, secrets, version: '1', spool: path.join(dir, 'spool') };
  return text(await exportSession(deps, PROJECT, options));
};

describe('the session of a lab with secrets', () => {
  it('has none of them, in events and in files of nodes, and proves itself', async (t) => {
    const session = await sessionIn(t, false, {});
    assert.doesNotMatch(session, /hunter2/);
    assert.match(session, /# enable secret \*\*\*"/);
    const verdict = await verifySession(session);
    assert.deepEqual(verdict.ok && verdict.redacted, 0);
  });

  it('of an earlier version leaves out what has them when it is asked to, and proves itself', async (t) => {
    const whole = await sessionIn(t, true, {});
    assert.match(whole, /hunter2env/);
    const found = await verifySession(whole);
    assert.equal(found.ok && found.secrets, 3);
    for (const from of [1, 3]) {
      const session = await sessionIn(t, true, { redact: 'secrets', from });
      assert.doesNotMatch(session, /hunter2/);
      const verdict = await verifySession(session);
      assert.ok(verdict.ok && verdict.redacted > 0);
      assert.equal(verdict.secrets, 0);
    }
  });
});

describe('the check of a log', () => {
  it('names the labs whose events have secrets, which those of today have not', async (t) => {
    assert.equal((await checkStore((await labIn(t, false)).log.store)).secrets, undefined);
    const { ok, secrets } = await checkStore((await labIn(t, true)).log.store);
    assert.deepEqual([ok, secrets], [true, [{ project_id: PROJECT, name: 'secret', events: 3 }]]);
  });
});
