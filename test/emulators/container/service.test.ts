import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { findService, isService, usualPlaces } from '../../../src/emulators/container/find-service.ts';
import { ensureImage } from '../../../src/emulators/container/images.ts';
import { container } from '../../../src/emulators/container/kind.ts';
import { openService, serviceAnswers, ServiceError } from '../../../src/emulators/container/service.ts';
import {
  containersOf,
  endContainer,
  pauseContainer,
  watchContainers,
} from '../../../src/emulators/container/containers.ts';
import { tempDir } from '../../support/temp.ts';
import { nodeOf } from '../sample.ts';

describe('the client of a container service', () => {
  let directory = '';
  let remove: () => Promise<void>;
  before(async () => {
    const dir = await tempDir();
    directory = dir.path;
    remove = dir.remove;
  });
  after(() => remove());

  let sockets = 0;
  /** A service of the test's own at a socket, ended with the test. */
  const serve = async (t: TestContext, answer: RequestListener): Promise<string> => {
    const socket = join(directory, `s${++sockets}`);
    const server = createServer(answer).listen(socket);
    await once(server, 'listening');
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return socket;
  };
  const node = nodeOf(container, { image: 'lab/router' });
  const never = new AbortController().signal;

  it('sends a body as JSON with its length, and reads the answer', async (t) => {
    let seen = '';
    const socket = await serve(t, (request, answer) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        seen = `${method} ${url} ${headers['content-type']} ${Buffer.concat(chunks).toString()}`;
        answer.writeHead(201).end('{"Id":"x"}');
      });
    });
    const body = { Image: 'ä' };
    const made = await openService(socket).call('POST', '/containers/create', { query: { name: 'a b' }, body });
    assert.deepEqual(made, { Id: 'x' });
    assert.equal(seen, 'POST /containers/create?name=a+b application/json {"Image":"ä"}');
  });

  it('takes an empty answer and "not modified" for success', async (t) => {
    const socket = await serve(t, (request, answer) => answer.writeHead(request.url === '/a' ? 204 : 304).end());
    assert.equal(await openService(socket).call('POST', '/a'), null);
    assert.equal(await openService(socket).call('POST', '/b'), null);
  });

  it('tells what the service says when it refuses, and the status when it says nothing', async (t) => {
    const socket = await serve(t, (request, answer) =>
      answer.writeHead(409).end(request.url === '/a' ? '{"message":"the name is in use"}' : ''),
    );
    const refused = (message: string) => (error: unknown) =>
      error instanceof ServiceError && error.status === 409 && error.message === message;
    await assert.rejects(openService(socket).call('GET', '/a'), refused('the name is in use'));
    await assert.rejects(openService(socket).call('GET', '/b'), refused('status 409'));
  });

  it('names the socket of a service that is not there', async () => {
    const socket = join(directory, 'none');
    await assert.rejects(openService(socket).call('GET', '/x'), { status: 0, message: /none does not answer/ });
    assert.equal(await serviceAnswers(socket), false);
  });

  it('reads values that come in pieces, and the last one without its line end', async (t) => {
    const socket = await serve(t, (_request, answer) => {
      answer.write('{"a":1}\n{"a"');
      setImmediate(() => answer.end(':2}\n\n{"a":3}'));
    });
    const found: unknown[] = [];
    for await (const { a } of openService(socket).lines('GET', '/events')) found.push(a);
    assert.deepEqual(found, [1, 2, 3]);
  });

  it('ends a call that is aborted', async (t) => {
    const socket = await serve(t, () => undefined);
    await assert.rejects(openService(socket).call('GET', '/x', { signal: AbortSignal.timeout(20) }), {
      name: /AbortError|TimeoutError/,
    });
  });

  it('is found where it is told to be, and nowhere else then', async (t) => {
    const socket = await serve(t, (request, answer) =>
      answer.writeHead(request.url === '/_ping' ? 200 : 404).end('OK'),
    );
    const byFlag = await findService({
      kindOptions: { 'docker-host': `unix://${socket}` },
      environment: { DOCKER_HOST: 'unix:///nowhere' },
    });
    const byEnvironment = await findService({ environment: { DOCKER_HOST: `unix://${socket}` } });
    for (const found of [byFlag, byEnvironment]) assert.equal(isService(found) && found.socket, socket);
    const none = await findService({ kindOptions: { 'docker-host': `unix://${directory}/none` }, environment: {} });
    assert.ok(!isService(none));
    assert.match(none.needs, /none answers at .*\/none\)/);
    assert.match(none.install, /apt-get install podman/);
  });

  it('is looked for where sessions of this user have it, also without XDG_RUNTIME_DIR', () => {
    const own = `/run/user/${process.getuid?.()}/podman/podman.sock`;
    assert.deepEqual(usualPlaces({}).slice(2), [own]);
    assert.deepEqual(usualPlaces({ XDG_RUNTIME_DIR: '/other' }).slice(2), ['/other/podman/podman.sock', own]);
  });

  it('does not take a service on another machine', async () => {
    const found = await findService({ environment: { DOCKER_HOST: 'tcp://10.0.0.1:2375' } });
    assert.ok(!isService(found));
    assert.match(found.needs, /tcp:\/\/10\.0\.0\.1:2375 is not a unix socket/);
  });

  it('has an image pulled that is missing, by its name with its tag', async (t) => {
    const asked: string[] = [];
    const socket = await serve(t, (request, answer) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.method === 'POST') answer.end('{"status":"Pulling"}\n{"status":"Done"}\n');
      else if (asked.length === 1) answer.writeHead(404).end('{"message":"no such image"}');
      else answer.end('{"Id":"i","Config":{"Entrypoint":null,"Cmd":["/sbin/init"],"Volumes":{"/data":{}}}}');
    });
    const image = await ensureImage(openService(socket), 'lab/router:1.2', node, never);
    assert.deepEqual(image, { id: 'i', entrypoint: [], command: ['/sbin/init'], volumes: ['/data'] });
    assert.deepEqual(asked, [
      'GET /images/lab/router:1.2/json',
      'POST /images/create?fromImage=lab%2Frouter%3A1.2',
      'GET /images/lab/router:1.2/json',
    ]);
  });

  it('says why an image cannot be had when the error comes in the middle of the answer', async (t) => {
    const socket = await serve(t, (request, answer) => {
      if (request.method === 'POST') answer.end('{"status":"Pulling"}\n{"error":"no such host"}\n');
      else answer.writeHead(404).end();
    });
    await assert.rejects(ensureImage(openService(socket), 'lab/router:latest', node, never), {
      code: 'conflict',
      message: /image lab\/router:latest is not there and cannot be pulled \(no such host\)/,
    });
  });

  it('asks for the containers of one node and data directory', async (t) => {
    let asked = '';
    const socket = await serve(t, (request: IncomingMessage, answer) => {
      asked = decodeURIComponent(request.url ?? '');
      answer.end('[{"Id":"a"},{"Id":"b"}]');
    });
    assert.deepEqual(await containersOf(openService(socket), 'N', 'M'), ['a', 'b']);
    assert.match(asked, /all=true.*"topolog\.node=N".*"topolog\.data=M"/);
  });

  it('asks again for a pause that a busy machine was too slow for, and for no other', async (t) => {
    const answers = [500, 500, 204, 404];
    let asked = 0;
    const socket = await serve(t, (_request, answer) => answer.writeHead(answers[asked++] ?? 500).end());
    const service = openService(socket);
    await pauseContainer(service, 'a');
    assert.equal(asked, 3);
    await assert.rejects(pauseContainer(service, 'a'), ServiceError);
    assert.equal(asked, 4);
    await assert.rejects(pauseContainer(service, 'a'), ServiceError);
    assert.equal(asked, 9);
  });

  it('wakes a container that stands still before it is asked to end, and removes it', async (t) => {
    const asked: string[] = [];
    const socket = await serve(t, (request, answer) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.method === 'GET')
        answer.end('{"Id":"a","State":{"Running":true,"Paused":true,"Pid":1,"ExitCode":0},"Config":{"Labels":null}}');
      else answer.writeHead(request.method === 'DELETE' ? 404 : 204).end();
    });
    await endContainer(openService(socket), 'a');
    assert.deepEqual(asked.slice(1), [
      'POST /containers/a/unpause',
      'POST /containers/a/stop?t=5',
      'DELETE /containers/a?force=true&v=true',
    ]);
  });

  it('reports an end that happened before anybody listened, and only once', async (t) => {
    const socket = await serve(t, (request, answer) => {
      if (request.url?.startsWith('/events') === true)
        answer.write('{"Actor":{"ID":"a"},"Action":"die"}\n{"Actor":{"ID":"a"},"Action":"destroy"}\n');
      else if (request.url === '/containers/a/json')
        answer.end('{"Id":"a","State":{"Running":false,"Paused":false,"Pid":0,"ExitCode":3},"Config":{"Labels":{}}}');
      else answer.end('{"Id":"b","State":{"Running":true,"Paused":false,"Pid":9,"ExitCode":0},"Config":{"Labels":{}}}');
    });
    const ends: [string, number | null][] = [];
    await new Promise<void>((resolve) => {
      const watch = watchContainers('M', (id, code) => {
        ends.push([id, code]);
        resolve();
      });
      t.after(() => watch.close());
      watch.add(openService(socket), 'a');
      watch.add(openService(socket), 'b');
    });
    assert.deepEqual(ends, [['a', 3]]);
  });
});
