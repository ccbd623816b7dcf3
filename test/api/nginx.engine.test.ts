import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import http, { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:http2';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { freePorts } from '../support/free-port.ts';
import { NAME, type Proxy, startNginx } from '../support/nginx.ts';
import { topolog } from '../cli/run.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { basic, userLine } from '../support/users.ts';

const missing = (await Promise.all(['nginx', 'openssl'].map(which))).includes(null);
const skip = missing && 'nginx or openssl is not installed';

/** Every name is this machine. */
const lookup = ((_name: string, options: { all?: boolean }, done: (...found: unknown[]) => void) =>
  options.all === true
    ? done(null, [{ address: '127.0.0.1', family: 4 }])
    : done(null, '127.0.0.1', 4)) as LookupFunction;

const ADA = basic('ada', 'lovelace');
const TOOLS = 'https://tools.example.org';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

describe('examples/running/nginx', { skip }, () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let server: TestServer;
  let proxy: Proxy;
  let origin = '';
  let project = '';

  const answerTo = async (request: http.ClientRequest, body?: Buffer | string): Promise<Answer> => {
    request.end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const bytes = Buffer.concat((await answer.toArray()) as Buffer[]);
    return { status: answer.statusCode ?? 0, headers: answer.headers, bytes };
  };
  const ask = (
    method: string,
    url: string,
    headers: OutgoingHttpHeaders = ADA,
    body?: Buffer | string,
  ): Promise<Answer> =>
    answerTo(https.request(`${origin}${url}`, { method, headers, lookup, ca: proxy.ca, servername: NAME }), body);
  const open = async (url: string, headers: Record<string, string>): Promise<WebSocket> => {
    const socket = new WebSocket(`${origin.replace('https', 'wss')}${url}`, { headers, lookup, ca: proxy.ca });
    await once(socket, 'open');
    return socket;
  };
  const refused = async (url: string, headers: Record<string, string>): Promise<number> => {
    const socket = new WebSocket(`${origin.replace('https', 'wss')}${url}`, { headers, lookup, ca: proxy.ca });
    socket.on('error', () => undefined);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    answer.resume();
    return answer.statusCode ?? 0;
  };
  const made = async (url: string, body: object, key: string): Promise<string> => {
    const { status, bytes } = await ask('POST', url, ADA, JSON.stringify(body));
    assert.equal(status, 201, bytes.toString());
    return `${url}/${String((JSON.parse(bytes.toString()) as Record<string, unknown>)[key])}`;
  };
  /** What a browser has after a login. */
  const cookie = async (): Promise<string> => {
    const { headers } = await ask('POST', '/v2/login', { ...ADA, origin });
    const [set = ''] = headers['set-cookie'] ?? [];
    assert.match(set, /; HttpOnly/);
    assert.match(set, /; secure/i);
    return set.split(';', 1)[0] ?? '';
  };

  before(async () => {
    dir = await tempDir();
    const users = path.join(dir.path, 'users');
    await writeFile(users, userLine('ada', 'lovelace') + userLine('eve', 'moneypenny'), { mode: 0o600 });
    const flags = [
      ...['--no-local', '--users', users, '--trust-proxy', '127.0.0.1'],
      ...['--allow-host', NAME, '--allow-origin', TOOLS],
    ];
    server = await testServer(flags);
    const [plain = 0, tls = 0] = await freePorts(2);
    const servers = [Number(new URL(server.url).port)];
    proxy = await startNginx(dir.path, { ports: [plain, tls], upstream: 'upstream.conf', servers });
    origin = `https://${NAME}:${tls}`;
    project = await made('/v2/projects', { name: 'lab' }, 'project_id');
  });
  after(async () => {
    await proxy.close();
    await server.close();
    await dir.remove();
  });

  it('leads from HTTP to HTTPS', async () => {
    const [plain] = proxy.ports;
    const { status, headers } = await answerTo(http.get(`http://${NAME}:${plain}/v2/version?a=1`, { lookup }));
    assert.deepEqual([status, headers.location], [301, `https://${NAME}/v2/version?a=1`]);
  });

  it('passes requests on, over HTTP/1.1 and HTTP/2, with the headers of the server', async () => {
    const { status, headers } = await ask('GET', project);
    assert.equal(status, 200);
    assert.equal(headers['x-route'], '/v2/projects/{project_id}');
    assert.match(headers['strict-transport-security'] ?? '', /max-age/);
    assert.equal((await ask('GET', project, {})).status, 401);
    assert.equal((await ask('GET', '/v2/ready', {})).status, 200);
    const session = connect(origin, { ca: proxy.ca, lookup });
    const stream = session.request({ ':path': project, ':method': 'PUT', ...ADA, origin });
    stream.end('{"name":"by HTTP/2"}');
    const [answer] = (await once(stream, 'response')) as [Record<string, unknown>];
    assert.equal(answer[':status'], 200);
    stream.resume();
    await once(stream, 'end');
    session.close();
  });

  it('tells who asks, so that one who guesses keeps nobody else out, whatever address he says he has', async () => {
    const by = (localAddress: string, headers: OutgoingHttpHeaders, method = 'GET', url = '/v2/projects') =>
      answerTo(
        https.request(`${origin}${url}`, { method, headers, lookup, ca: proxy.ca, servername: NAME, localAddress }),
        method === 'GET' ? undefined : '{"name":"guessed"}',
      );
    const guess = (n: number) => by('127.0.0.7', { ...basic('ada', 'no'), 'x-forwarded-for': `192.0.2.${n}` });
    for (let n = 0; n < 10; n++) assert.equal((await guess(n)).status, 401);
    assert.equal((await guess(10)).status, 429);
    assert.equal((await by('127.0.0.7', ADA)).status, 429);
    assert.equal((await by('127.0.0.7', basic('eve', 'moneypenny'))).status, 200);
    assert.equal((await by('127.0.0.8', ADA)).status, 200);
    assert.equal((await by('127.0.0.8', ADA, 'PUT', project)).status, 200);
    const { stdout } = await topolog('log', 'guessed', '--json', '--data-dir', server.dataDir);
    const updated = stdout.split('\n').findLast((line) => line.includes('"project.updated"'));
    assert.match(updated ?? stdout, /"address":"127\.0\.0\.8"/);
  });

  it('takes uploads that are larger than nginx takes by itself, and gives them back', async () => {
    const content = randomBytes(5_000_000);
    assert.equal((await ask('POST', `${project}/files/large.bin`, ADA, content)).status, 201);
    const { status, bytes } = await ask('GET', `${project}/files/large.bin`);
    assert.equal(status, 200);
    assert.ok(bytes.equals(content));
  });

  it('logs a browser in by a cookie, which opens a feed by WebSocket', async () => {
    const headers = { cookie: await cookie(), origin };
    assert.equal((await ask('GET', project, headers)).status, 200);
    const feed = await open(`${project}/notifications/ws`, headers);
    const heard = new Promise<void>((resolve) =>
      feed.on('message', (data: Buffer) => {
        if ((JSON.parse(data.toString()) as { action: string }).action === 'drawing.created') resolve();
      }),
    );
    await made(`${project}/drawings`, { svg: '<svg/>' }, 'drawing_id');
    await heard;
    feed.terminate();
  });

  it('passes on a feed by HTTP as it is written', async () => {
    const request = https.get(`${origin}/v2/notifications`, { headers: ADA, lookup, ca: proxy.ca });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    assert.match(first.toString(), /"action":/);
    request.destroy();
  });

  it('carries a console both ways by WebSocket', async () => {
    const pc = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
    const node = await made(`${project}/nodes`, pc, 'node_id');
    assert.equal((await ask('POST', `${node}/start`)).status, 200);
    const console_ = await open(`${node}/console/ws`, { cookie: await cookie(), origin });
    let seen = '';
    const shown = new Promise<void>((resolve) =>
      console_.on('message', (data: Buffer) => {
        seen += data.toString('latin1');
        if (/IP\/MASK/.test(seen)) resolve();
      }),
    );
    console_.send('show ip\r\n');
    await shown;
    console_.terminate();
  });

  it('leaves it to the server which pages and names may use it', async () => {
    const headers = { cookie: await cookie() };
    assert.equal((await ask('GET', project, { ...headers, origin: 'https://elsewhere.example' })).status, 403);
    assert.equal(
      await refused(`${project}/notifications/ws`, { ...headers, origin: 'https://elsewhere.example' }),
      403,
    );
    const { status, headers: told } = await ask('GET', project, { ...ADA, origin: TOOLS });
    assert.deepEqual([status, told['access-control-allow-origin']], [200, TOOLS]);
    const { status: other, bytes } = await ask('GET', project, { ...ADA, host: 'elsewhere.example' });
    assert.equal(other, 403);
    assert.match(bytes.toString(), /not a name of this server/);
  });

  it('goes to the second server of a cell while the first cannot be reached', async (t) => {
    const own = await tempDir();
    t.after(own.remove);
    const flags = ['--no-local', '--allow-host', NAME];
    const [first, second] = [await testServer(flags), await testServer(flags)];
    t.after(() => second.close());
    const [plain = 0, tls = 0] = await freePorts(2);
    const servers = [first, second].map(({ url }) => Number(new URL(url).port));
    const two = await startNginx(own.path, { ports: [plain, tls], upstream: 'upstream-cell.conf', servers });
    t.after(() => two.close());
    const names = async (): Promise<string> => {
      const url = `https://${NAME}:${tls}/v2/projects`;
      const { status, bytes } = await answerTo(https.get(url, { lookup, ca: two.ca }));
      return `${status} ${bytes.toString()}`;
    };
    await first.request('POST', '/v2/projects', { name: 'in the first' });
    assert.match(await names(), /^200 .*in the first/);
    await first.close();
    assert.equal(await names(), '200 []');
  });
});
