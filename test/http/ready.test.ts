import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { OPEN } from '../../src/http/access/admission.ts';
import type { Standing } from '../../src/http/api.ts';
import type { Users } from '../../src/http/access/users.ts';
import { fakeLab, serve } from './fake-lab.ts';

/** Everybody is asked, and nobody is known. */
const users: Users = { areAsked: () => true, find: () => undefined, any: () => undefined, generation: () => 1 };

const asking = (t: TestContext, standing: () => Standing) => {
  const app = serve(fakeLab(), { standing, access: { ...OPEN, users } });
  t.after(() => app.close());
  return async (url = '/v2/ready') => {
    const answer = await app.inject(url);
    assert.equal(answer.headers['x-route'], '/v2/ready');
    return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
  };
};

describe('the readiness of a server', () => {
  it('is told to everybody, and as HEAD', async (t) => {
    const ask = asking(t, () => ({ role: 'writer', refuses: null }));
    const { status, body } = await ask();
    assert.equal(status, 200);
    assert.deepEqual(body, { ready: true, role: 'writer' });
    const app = serve(fakeLab());
    t.after(() => app.close());
    assert.equal((await app.inject({ method: 'HEAD', url: '/v2/ready' })).statusCode, 200);
  });

  it('is 503 with the reason while it takes no writes', async (t) => {
    const ask = asking(t, () => ({ role: 'writer', refuses: 'the disk is gone' }));
    const { status, headers, body } = await ask();
    assert.deepEqual([status, headers['retry-after']], [503, '1']);
    const { message, code, ready, role } = body;
    assert.deepEqual([message, code, ready, role], ['Not ready: the disk is gone', 'not_ready', false, 'writer']);
  });

  it('may be asked of one role only', async (t) => {
    const standing: Standing = { role: 'standby', refuses: null };
    const ask = asking(t, () => standing);
    assert.equal((await ask()).status, 200);
    assert.equal((await ask('/v2/ready?role=standby')).status, 200);
    const { status, body } = await ask('/v2/ready?role=writer');
    assert.deepEqual([status, body['message']], [503, 'Not ready: this server is the standby of its cell']);
    standing.role = 'writer';
    assert.equal((await ask('/v2/ready?role=writer')).status, 200);
    assert.equal((await ask('/v2/ready?role=standby')).status, 503);
    const wrong = await ask('/v2/ready?role=leader');
    assert.equal(wrong.status, 400);
    assert.match(String(wrong.body['message']), /role/);
  });
});
