import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { OPEN } from '../../../src/http/access/admission.ts';
import { createTickets, ticketKey } from '../../../src/http/access/tickets.ts';
import { openUsers, type Users } from '../../../src/http/access/users.ts';
import { loggerTo } from '../../support/logger.ts';
import { tempDir } from '../../support/temp.ts';
import { basic, userLine } from '../../support/users.ts';
import { DRAWING, fakeLab, NODE, PROJECT, serve } from '../fake-lab.ts';

const URL_ = `/v2/projects/${PROJECT}/drawings/${DRAWING}`;
const KEY = Buffer.alloc(32, 7);
const ADA = userLine('ada', 'lovelace');
let dir: Awaited<ReturnType<typeof tempDir>>;
let users: Users;
let lab = fakeLab();
let app = serve(lab);

const setUsers = async (text: string): Promise<void> => {
  await writeFile(path.join(dir.path, 'next'), text, { mode: 0o600 });
  await rename(path.join(dir.path, 'next'), path.join(dir.path, 'users'));
};
const start = async (key = KEY): Promise<void> => {
  await app.close();
  lab = fakeLab();
  users = openUsers(path.join(dir.path, 'users'), loggerTo());
  app = serve(lab, { access: { ...OPEN, users, tickets: createTickets(key, users) } });
};
beforeEach(async () => {
  dir = await tempDir();
  await setUsers(ADA + userLine('grace', 'hopper'));
  await start();
});
afterEach(async () => {
  await app.close();
  await dir.remove();
});

/** The header `Cookie` of a browser that has logged in. */
const login = async (name = 'ada', password = 'lovelace'): Promise<string> => {
  const answer = await app.inject({ method: 'POST', url: '/v2/login', headers: basic(name, password) });
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), { asked: true, user: name });
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
};
const write = (cookie: string) => app.inject({ method: 'PUT', url: URL_, payload: { x: 1 }, headers: { cookie } });

describe('a browser that has logged in', () => {
  it('is let in by its cookie alone, as the user that it is', async () => {
    const cookie = await login();
    assert.equal((await write(`other=1; ${cookie}; last=2`)).statusCode, 201);
    const [caller] = lab.callers as { by: { principal: string } }[];
    assert.equal(caller?.by.principal, 'ada');
    const state = await app.inject({ url: '/v2/login', headers: { cookie } });
    assert.deepEqual(state.json(), { asked: true, user: 'ada' });
  });

  it('has a cookie that no script reads, no other site sends, and that goes with the browser', async () => {
    const answer = await app.inject({ method: 'POST', url: '/v2/login', headers: basic('ada', 'lovelace') });
    const cookie = String(answer.headers['set-cookie']);
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) assert.ok(cookie.split('; ').includes(part), part);
    assert.doesNotMatch(cookie, /max-age|expires/i);
    assert.doesNotMatch(cookie, /lovelace/);
  });

  it('joins consoles and feeds, whose WebSockets take no header of a page', async () => {
    const cookie = await login();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    const address = `ws://127.0.0.1:${port}/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`;
    const socket = new WebSocket(address, { headers: { cookie } });
    await once(socket, 'open');
    socket.terminate();
    const stranger = new WebSocket(address);
    stranger.on('error', () => undefined);
    const [, refused] = (await once(stranger, 'unexpected-response')) as [unknown, IncomingMessage];
    assert.equal(refused.statusCode, 401);
    refused.destroy();
  });

  it('is known to the server that is started next', async () => {
    const cookie = await login();
    await start();
    assert.equal((await write(cookie)).statusCode, 201);
  });

  it('is out after logging out, when its user is removed, and when the password is another', async () => {
    const cookie = await login();
    const out = await app.inject({ method: 'DELETE', url: '/v2/login', headers: { cookie } });
    assert.match(String(out.headers['set-cookie']), /=; .*Max-Age=0/);
    await setUsers(userLine('grace', 'hopper'));
    assert.equal((await write(cookie)).statusCode, 401);
    await setUsers(userLine('ada', 'lovelace'));
    // The same password, but another hash of it.
    assert.equal((await write(cookie)).statusCode, 401);
    await setUsers(ADA);
    assert.equal((await write(cookie)).statusCode, 201);
  });

  it('is not let in by a cookie that was changed, is of another server, or is too old', async () => {
    const cookie = await login();
    const [name = '', value = ''] = cookie.split('=');
    const [user, until, signature] = value.split('.');
    const other = createTickets(Buffer.alloc(32, 8), users);
    const late = createTickets(KEY, users, () => Date.now() - 8 * 24 * 3_600_000);
    for (const wrong of [
      `${Buffer.from('grace').toString('base64url')}.${until}.${signature}`,
      `${user}.${Number(until) + 1}.${signature}`,
      `${user}.${until}.${'A'.repeat(43)}`,
      `${user}.${until}.`,
      `${user}.${until}`,
      '',
      '..',
      String(other.issue('ada')).split(';')[0]?.split('=')[1],
      String(late.issue('ada')).split(';')[0]?.split('=')[1],
    ])
      assert.equal((await write(`${name}=${wrong}`)).statusCode, 401, wrong);
    assert.deepEqual(lab.calls, []);
  });

  it('has no use of the cookie on a page of another site', async () => {
    const cookie = await login();
    for (const headers of [
      { cookie, origin: 'https://evil.example' },
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie, 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await app.inject({ method: 'PUT', url: URL_, payload: { x: 1 }, headers });
      assert.equal(answer.statusCode, 403);
    }
  });
});

describe('a browser that has not logged in', () => {
  it('learns from everybody’s route that it has to, and gets no cookie for a wrong password', async () => {
    assert.deepEqual((await app.inject('/v2/login')).json(), { asked: true, user: null });
    const wrong = await app.inject({ method: 'POST', url: '/v2/login', headers: basic('ada', 'Lovelace') });
    assert.deepEqual([wrong.statusCode, wrong.headers['set-cookie']], [401, undefined]);
    const nothing = await app.inject({ method: 'POST', url: '/v2/login' });
    assert.equal(nothing.statusCode, 401);
  });

  it('does not open a window of its own over a page of this server, but does for an address that is typed', async () => {
    const challenge = async (headers: Record<string, string>) =>
      String((await app.inject({ url: URL_, headers })).headers['www-authenticate']);
    for (const mode of ['cors', 'no-cors', 'same-origin', 'websocket'])
      assert.match(await challenge({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': mode }), /^Topolog-Login /);
    assert.match(await challenge({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }), /^Basic /);
    assert.match(await challenge({}), /^Basic /);
  });

  it('of a server that asks nobody is somebody without any of this', async () => {
    const open = serve(fakeLab());
    assert.deepEqual((await open.inject('/v2/login')).json(), { asked: false, user: null });
    const answer = await open.inject({ method: 'POST', url: '/v2/login' });
    assert.deepEqual([answer.statusCode, answer.headers['set-cookie']], [200, undefined]);
    await open.close();
  });
});

describe('the key of cookies', () => {
  it('is made once, also by two at once, and can be read by its owner only', async () => {
    const keys = await Promise.all([ticketKey(dir.path), ticketKey(dir.path), ticketKey(dir.path)]);
    assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
    assert.deepEqual(await ticketKey(dir.path), keys[0]);
    const file = path.join(dir.path, 'keys', 'login.key');
    assert.equal((await readFile(file)).length, 40);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('is not taken from a file that is none', async () => {
    await ticketKey(dir.path);
    await writeFile(path.join(dir.path, 'keys', 'login.key'), 'short');
    await assert.rejects(ticketKey(dir.path), /login\.key is no key/);
  });
});
