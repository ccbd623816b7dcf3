import assert from 'node:assert/strict';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { exportSession, type ExportOptions } from '../../src/session/export.ts';
import { openSessionKey } from '../../src/session/keys.ts';
import { verifySession } from '../../src/session/verify/verify-session.ts';
import { CALLER, testLab } from '../actors/test-lab.ts';
import { tempDir } from '../support/temp.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000b1';

/** Exports the session of a lab with secrets. `isOld`: as an earlier version wrote its log. */
const sessionIn = async (t: TestContext, isOld: boolean, options: ExportOptions): Promise<string> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const { context, commands, log } = lab;
  if (isOld) t.mock.method(context.secrets, 'sealed', (_of: unknown, value: unknown) => value);
  const variables = [{ name: 'API_TOKEN', value: 'hunter2var' }];
  await commands.createProject(CALLER, { name: 'secret', project_id: PROJECT, variables });
  const properties = { image: 'box', environment: 'A=1\nDB_PASSWORD=hunter2env' };
  await commands.createNode(CALLER, PROJECT, { name: 'C1', kind: 'container', properties }, 'conflict');
  const startup = { startup_script: '# enable secret hunter2up' };
  await commands.createNode(CALLER, PROJECT, { name: 'PC1', kind: 'simple_pc', properties: startup }, 'conflict');
  const key = await openSessionKey(dir.path);
  const { moments, secrets } = context;
  const deps = { store: log.store, moments, key, secrets, version: '1', spool: path.join(dir.path, 'spool') };
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
    assert.match(await sessionIn(t, true, {}), /hunter2env/);
    for (const from of [1, 3]) {
      const session = await sessionIn(t, true, { redact: 'secrets', from });
      assert.doesNotMatch(session, /hunter2/);
      const verdict = await verifySession(session);
      assert.ok(verdict.ok && verdict.redacted > 0);
    }
  });
});
