import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { OPEN } from '../../../src/http/access/admission.ts';
import { Attempts } from '../../../src/http/access/logins.ts';
import type { HttpLimits } from '../../../src/http/limits.ts';
import { openUsers } from '../../../src/http/access/users.ts';
import { injector } from '../../../src/http/server/server.ts';
import { loggerTo } from '../../support/logger.ts';
import { tempDir } from '../../support/temp.ts';
import { basic, userLine } from '../../support/users.ts';
import { DRAWING, fakeLab, NODE, PROJECT, serve } from '../fake-lab.ts';
import { addressKey } from '../../../src/http/access/client-address.ts';

const TOKEN = 'token-of-the-tools';
const URL_ = `/v2/projects/${PROJECT}/drawings/${DRAWING}`;
let dir: Awaited<ReturnType<typeof tempDir>>;
let file = '';
let reports: string[] = [];
let lab = fakeLab();
let app = serve(lab);

/** Whole, as the file is never seen half written. */
const setUsers = async (text: string): Promise<void> => {
  await writeFile(`${file}.next`, text, { mode: 0o600 });
  await rename(`${file}.next`, file);
};
const start = async (limits: Partial<HttpLimits> = {}, proxies: string[] = []): Promise<void> => {
  await app.close();
  lab = fakeLab();
  reports = [];
  const users = openUsers(
    file,
    loggerTo((line) => reports.push(line)),
  );
  app = serve(lab, { access: { ...OPEN, users, token: TOKEN, proxies }, limits });
};
beforeEach(async () => {
  dir = await tempDir();
  file = path.join(dir.path, 'users');
  await setUsers(userLine('ada', 'lovelace') + userLine('grace', 'höpper: ☃'));
  await start();
});
afterEach(async () => {
  await app.close();
  await dir.remove();
});

const write = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  app.inject({ method: 'PUT', url: URL_, payload: { x: 1 }, headers, remoteAddress });
const principals = (): string[] => (lab.callers as { by: { principal: string } }[]).map(({ by }) => by.principal);

describe('a server with users', () => {
  it('answers nobody without a password, on any path and for any method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const)
      for (const url of ['/', '/v2/version', '/v2/health', '/v2/openapi.json', '/v2/projects', URL_, '/nowhere']) {
        const answer = await app.inject({ method, url });
        assert.equal(answer.statusCode, 401, `${method} ${url}`);
        assert.equal(answer.headers['www-authenticate'], 'Basic realm="topolog", charset="UTF-8"');
        if (method === 'GET')
          assert.deepEqual(answer.json(), {
            message: 'A user name and password are needed',
            status: 401,
            code: 'unauthorized',
          });
      }
    assert.deepEqual(lab.calls, []);
  });

  it('counts wrong passwords for user and client, behind a proxy that was named', async () => {
    await start({ attempts: 2 }, ['10.0.0.1']);
    const by = (client: string, name: string, password: string) =>
      write({ ...basic(name, password), 'x-forwarded-for': `203.0.113.1, ${client}` }, '10.0.0.1');
    for (const expected of [401, 401, 429]) assert.equal((await by('192.0.2.7', 'ada', 'no')).statusCode, expected);
    assert.equal((await by('192.0.2.7', 'ada', 'lovelace')).statusCode, 429);
    // Another user of the same client, and the same user of another one.
    assert.equal((await by('192.0.2.7', 'grace', 'höpper: ☃')).statusCode, 201);
    assert.equal((await by('192.0.2.8', 'ada', 'lovelace')).statusCode, 201);
    const addresses = (lab.callers as { by: { address: string } }[]).map((caller) => caller.by.address);
    assert.deepEqual(addresses, ['192.0.2.7', '192.0.2.8']);
    assert.equal((await by('2001:db8:0:1::7', 'ada', 'no')).statusCode, 401);
    assert.equal((await by('2001:db8:0:1::8', 'ada', 'no')).statusCode, 401);
    assert.equal((await by('2001:db8:0:1::9', 'ada', 'lovelace')).statusCode, 429);
  });

  it('does not take the word of a client for its address', async () => {
    await start({ attempts: 2 }, ['10.0.0.1']);
    const by = (client: string, password: string) =>
      write({ ...basic('ada', password), 'x-forwarded-for': client }, '192.0.2.66');
    for (const [n, expected] of [401, 401, 429].entries())
      assert.equal((await by(`192.0.2.${n}`, 'no')).statusCode, expected);
    assert.equal((await by('192.0.2.9', 'lovelace')).statusCode, 429);
    assert.equal((await write({ ...basic('grace', 'höpper: ☃') }, '192.0.2.66')).statusCode, 429);
    await start({}, ['10.0.0.1']);
    await by('10.0.0.1', 'lovelace');
    assert.equal((lab.callers as { by: { address: string } }[]).at(-1)?.by.address, '192.0.2.66');
  });

  it('lets users in, whose names are the principals of what they do', async () => {
    for (const [name, password] of [
      ['ada', 'lovelace'],
      ['grace', 'höpper: ☃'],
      ['ada', 'lovelace'],
    ] as const)
      assert.equal((await write(basic(name, password))).statusCode, 201, name);
    assert.deepEqual(principals(), ['ada', 'grace', 'ada']);
  });

  it('refuses wrong passwords, unknown users and what is no HTTP Basic, all with the same words', async () => {
    const answers = await Promise.all(
      [
        basic('ada', 'Lovelace'),
        basic('ada', ''),
        basic('nobody', 'lovelace'),
        basic('', ''),
        { authorization: 'Basic' },
        { authorization: 'Basic bm9jb2xvbg==' },
        { authorization: 'Bearer lovelace' },
        { authorization: 'Digest username="ada"' },
      ].map((headers) => write(headers)),
    );
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([401]));
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1);
    assert.deepEqual(lab.calls, []);
  });

  it('does not believe X-Topolog-User, not even from this machine', async () => {
    assert.equal((await write({ 'x-topolog-user': 'ada' })).statusCode, 401);
    await write({ ...basic('ada', 'lovelace'), 'x-topolog-user': 'grace' });
    assert.deepEqual(principals(), ['ada']);
  });

  it('believes the tools of its own that have its token, and nobody else who says so', async () => {
    const send = injector(app, 'tool', 'grace', TOKEN);
    assert.equal((await send('PUT', URL_, { x: 1 }, 'request-1')).status, 201);
    assert.deepEqual(principals(), ['grace']);
    for (const wrong of ['', 'x', `${TOKEN}x`, TOKEN.slice(1)])
      assert.equal((await injector(app, 'tool', 'grace', wrong)('PUT', URL_, {}, 'r')).status, 401);
  });

  it('asks at the WebSocket of a console, before a console is opened', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    const url = `ws://127.0.0.1:${port}/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`;
    const socket = new WebSocket(url);
    socket.on('error', () => undefined);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    assert.equal(answer.statusCode, 401);
    answer.resume();
    assert.deepEqual(lab.consoles, []);
    const let_in = new WebSocket(url, { headers: basic('ada', 'lovelace') });
    await once(let_in, 'open');
    assert.equal(lab.consoles.length, 1);
    let_in.terminate();
  });

  it('asks at every feed, as an answer and as a WebSocket, before anything is told', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    const feeds = ['/v2/notifications', `/v2/projects/${PROJECT}/notifications`];
    for (const url of feeds) assert.equal((await app.inject({ url })).statusCode, 401, url);
    for (const url of [...feeds.map((feed) => `${feed}/ws`), '/v2/compute/notifications/ws']) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${url}`);
      socket.on('error', () => undefined);
      const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
      assert.equal(answer.statusCode, 401, url);
      answer.resume();
      const let_in = new WebSocket(`ws://127.0.0.1:${port}${url}`, { headers: basic('ada', 'lovelace') });
      await once(let_in, 'message');
      let_in.terminate();
    }
  });

  it('puts only so many refusals of strangers on the record', async () => {
    await start({ attempts: 1000 });
    for (let n = 0; n < 100; n++) await write({ 'user-agent': `agent ${n}` });
    assert.ok(lab.refusals.length > 0 && lab.refusals.length <= 30, String(lab.refusals.length));
    assert.ok(lab.refusals.every(({ status }) => status === 401));
  });
});

describe('wrong passwords', () => {
  it('are bounded for an address, after which even the right one is 429 with Retry-After; other addresses go on', async () => {
    await start({ attempts: 3 });
    for (let n = 0; n < 3; n++) assert.equal((await write(basic('ada', `${n}`), '192.0.2.1')).statusCode, 401);
    for (const password of ['4', 'lovelace']) {
      const answer = await write(basic('ada', password), '192.0.2.1');
      assert.equal(answer.statusCode, 429);
      assert.equal(answer.json<{ code: string }>().code, 'too_many_requests');
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
    }
    assert.equal((await write(basic('ada', 'lovelace'), '192.0.2.2')).statusCode, 201);
  });

  it('are bounded also when all are sent at once', async () => {
    await start({ attempts: 3 });
    const sent = Array.from({ length: 20 }, (_, n) => write(basic('ada', `${n}`), '192.0.2.1'));
    const codes = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
    assert.equal(codes.filter((code) => code === 401).length, 3);
    assert.equal(codes.filter((code) => code === 429).length, 17);
  });

  it('do not count when the right one comes many times at once, and not for requests without any', async () => {
    await start({ attempts: 3 });
    const right = Array.from({ length: 20 }, () => write(basic('ada', 'lovelace'), '192.0.2.1'));
    for (const { statusCode } of await Promise.all(right)) assert.equal(statusCode, 201);
    for (let n = 0; n < 10; n++) assert.equal((await write({}, '192.0.2.1')).statusCode, 401);
    assert.equal((await write(basic('grace', 'höpper: ☃'), '192.0.2.1')).statusCode, 201);
  });

  it('are forgotten after their time, and addresses are only so many', () => {
    let now = 0;
    const attempts = new Attempts({ attempts: 1, attemptMs: 1000 }, () => now);
    attempts.begin('192.0.2.1');
    assert.throws(() => attempts.begin('192.0.2.1'), { code: 'too_many_requests', status: 429 });
    assert.throws(() => attempts.check('192.0.2.1'), { status: 429 });
    now = 1000;
    attempts.check('192.0.2.1');
    attempts.begin('192.0.2.1');
    for (let n = 0; n < 20_000; n++) attempts.begin(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    attempts.begin('192.0.2.1');
  });

  it('count together for the addresses of one IPv6 network', () => {
    assert.equal(addressKey('2001:db8:0:1::7'), addressKey('2001:db8:0:1:ffff:1:2:3'));
    assert.notEqual(addressKey('2001:db8:0:1::7'), addressKey('2001:db8:0:2::7'));
    assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'));
    assert.equal(addressKey('::ffff:192.0.2.1'), '192.0.2.1');
    assert.notEqual(addressKey('192.0.2.1'), addressKey('192.0.2.2'));
  });
});

describe('the file of users', () => {
  it('is read again when it has changed: who is new is let in, who is gone or has another password is not', async () => {
    assert.equal((await write(basic('ada', 'lovelace'))).statusCode, 201);
    await setUsers(userLine('ada', 'byron') + userLine('joan', 'clarke'));
    assert.equal((await write(basic('ada', 'lovelace'))).statusCode, 401);
    assert.equal((await write(basic('grace', 'höpper: ☃'))).statusCode, 401);
    assert.equal((await write(basic('ada', 'byron'))).statusCode, 201);
    assert.equal((await write(basic('joan', 'clarke'))).statusCode, 201);
  });

  it('lets nobody in once it is gone, empty or broken', async () => {
    for (const change of [() => rm(file), () => setUsers(''), () => setUsers('ada:lovelace\n')]) {
      await setUsers(userLine('ada', 'lovelace'));
      assert.equal((await write(basic('ada', 'lovelace'))).statusCode, 201);
      await change();
      assert.equal((await write(basic('ada', 'lovelace'))).statusCode, 401);
      assert.equal((await write()).statusCode, 401);
    }
    assert.match(reports.join(), /nobody is let in.*line 1 of the users/);
    assert.doesNotMatch(reports.join(), /lovelace/);
  });

  it('that comes to be while a server runs is heeded at once', async () => {
    await rm(file);
    await start();
    assert.equal((await write({ 'x-topolog-user': 'eve' })).statusCode, 201);
    await setUsers(userLine('ada', 'lovelace'));
    assert.equal((await write({ 'x-topolog-user': 'eve' })).statusCode, 401);
    assert.deepEqual(principals(), ['eve']);
  });

  it('that others can read is reported', async () => {
    await writeFile(file, userLine('ada', 'lovelace'), { mode: 0o600 });
    await chmod(file, 0o644);
    await start();
    assert.match(reports.join(), /can be read by others/);
  });
});
