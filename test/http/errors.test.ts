import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { TopologError } from '../../src/common/errors.ts';
import { DRAWING, fakeLab, PROJECT, serve, UNKNOWN } from './fake-lab.ts';

let lab = fakeLab();
let app = serve(lab);
beforeEach(async () => {
  await app.close();
  lab = fakeLab();
  app = serve(lab);
});
after(() => app.close());

const URL_ = `/v2/projects/${PROJECT}/drawings/${DRAWING}`;
const put = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  app.inject({ method: 'PUT', url: URL_, payload: { x: 1 }, headers, remoteAddress });

describe('an error', () => {
  it('that is expected keeps its status, sentence and details', async () => {
    lab.failNext(new TopologError('engine_missing', { what: 'PC1', needs: 'vpcs', install: 'apt-get install vpcs' }));
    const answer = await put();
    assert.deepEqual(answer.json(), {
      message: 'PC1 needs vpcs: apt-get install vpcs',
      status: 409,
      code: 'engine_missing',
      what: 'PC1',
      needs: 'vpcs',
      install: 'apt-get install vpcs',
    });
    assert.equal(answer.headers['content-type'], 'application/json');
  });

  it('that was decided on what cannot be kept is not told: the log says so', async () => {
    lab.failNext(new TopologError('not_found', { what: 'the drawing', id: DRAWING }));
    lab.commands.attempt = async (_caller, work) => {
      await assert.rejects(async () => work(), { code: 'not_found' });
      throw new TopologError('log_read_only', { reason: 'no disk' });
    };
    const answer = await put();
    assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [503, 'log_read_only']);
  });

  it('that is a defect answers 500 and tells nothing of it; the log gets all', async () => {
    const defect = new Error('secret at /home/user/src/x.ts');
    lab.failNext(defect);
    const answer = await put({ 'x-request-id': 'req-7' });
    assert.equal(answer.statusCode, 500);
    assert.deepEqual(Object.keys(answer.json<object>()).sort(), ['code', 'message', 'request_id', 'status']);
    assert.doesNotMatch(answer.body, /secret|home|\.ts/);
    assert.match(answer.body, /req-7/);
    assert.deepEqual(lab.defects, [defect]);
    assert.deepEqual(lab.refusals, []);
  });

  it('that is not even an Error is a 500 all the same', async () => {
    for (const thrown of ['text', { statusCode: 204 }, Object.assign(new Error('x'), { statusCode: 404 })]) {
      lab.failNext(thrown);
      assert.equal((await put()).statusCode, 500);
    }
    assert.equal(lab.defects.length, 3);
  });

  it('tells of a lost log, a lost fabric and a full disk by their codes', async () => {
    const codes = { log_read_only: 503, fabric_lost: 503, disk_full: 507, deadline: 408, project_closed: 403 } as const;
    for (const [code, status] of Object.entries(codes)) {
      lab.failNext(new TopologError(code as keyof typeof codes));
      const answer = await put();
      assert.deepEqual([answer.statusCode, answer.json<{ status: number }>().status], [status, status]);
    }
  });
});

describe('refused writes', () => {
  it('are put on the record, reads and defects are not', async () => {
    await app.inject(`/v2/projects/${UNKNOWN}`);
    lab.failNext(new Error('defect'));
    await put();
    await app.inject({ method: 'DELETE', url: `/v2/projects/${UNKNOWN}?token=secret` });
    await app.inject({ method: 'PUT', url: URL_, payload: { x: 'a' } });
    await app.inject({ method: 'POST', url: '/nowhere' });
    assert.deepEqual(
      lab.refusals.map((r) => ({ ...r, reason: '' })),
      [
        {
          project_id: null,
          method: 'DELETE',
          route: '/v2/projects/{project_id}',
          path: `/v2/projects/${UNKNOWN}`,
          status: 404,
          reason: '',
          body: null,
        },
        {
          project_id: PROJECT,
          method: 'PUT',
          route: '/v2/projects/{project_id}/drawings/{drawing_id}',
          path: URL_,
          status: 400,
          reason: '',
          body: { x: 'a' },
        },
        { project_id: null, method: 'POST', route: '*', path: '/nowhere', status: 404, reason: '', body: null },
      ],
    );
  });

  it('keep paths and reasons of a bounded length', async () => {
    await app.inject({ method: 'POST', url: `/${'x'.repeat(5000)}` });
    const [refusal] = lab.refusals;
    assert.equal(refusal?.path.length, 300);
    assert.ok((refusal?.reason.length ?? Infinity) <= 300);
  });
});

describe('the caller', () => {
  const by = () =>
    lab.callers.at(-1) as { by: { principal: string; address: string; agent: string }; request_id: string };

  it('is named by a header only from this machine', async () => {
    await put({ 'x-topolog-user': 'ada' });
    assert.equal(by().by.principal, 'ada');
    await put({ 'x-topolog-user': 'ada' }, '::ffff:127.0.0.1');
    assert.equal(by().by.principal, 'ada');
    await put({ 'x-topolog-user': 'ada' }, '10.0.0.9');
    assert.deepEqual([by().by.principal, by().by.address], ['anonymous', '10.0.0.9']);
  });

  it('is nobody whose name is kept for others, or is none, and is told which header is wrong', async () => {
    const before = lab.callers.length;
    for (const name of ['system', 'anonymous', '', ' ', ' ada', 'a\tb', 'a\u0000', 'a:b', 'x'.repeat(65), 'ada, eve']) {
      const refused = await put({ 'x-topolog-user': name });
      assert.equal(refused.statusCode, 400, JSON.stringify(name));
      assert.match(refused.body, /X-Topolog-User: a user name has/);
    }
    assert.equal(lab.callers.length, before);
    // Where it counts for nothing.
    assert.equal((await put({ 'x-topolog-user': 'system' }, '10.0.0.9')).statusCode, 201);
    assert.equal(by().by.principal, 'anonymous');
  });

  it('has an agent of a bounded length', async () => {
    await put({ 'user-agent': 'x'.repeat(5000) });
    assert.equal(by().by.agent.length, 200);
  });

  it('gets its request id back, or a new one where it gave none that can stand in a log', async () => {
    const given = await put({ 'x-request-id': 'abc-1' });
    assert.equal(given.headers['x-request-id'], 'abc-1');
    assert.equal(by().request_id, 'abc-1');
    for (const id of ['', 'x'.repeat(500), 'a b', 'a\u00e9']) {
      const made = String((await put({ 'x-request-id': id })).headers['x-request-id']);
      assert.match(made, /^[0-9a-f-]{36}$/);
    }
    const refused = await app.inject({ url: '/nowhere', headers: { 'x-request-id': 'abc-2' } });
    assert.equal(refused.headers['x-request-id'], 'abc-2');
  });
});
