import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { OPEN } from '../../../src/http/access/admission.ts';
import { NODE, PROJECT } from '../fake-lab.ts';
import { closed, exchange, head, lab, listen, listenInEachTest, open, port } from '../listening.ts';

listenInEachTest();

const VERSION = head('GET', '/v2/version');
/** The first answer on a connection. */
const answerOf = async (socket: Socket): Promise<string> => {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
};
const ask = async (socket: Socket, text = VERSION): Promise<string> => {
  const answer = answerOf(socket);
  socket.write(text);
  return answer;
};
const consoleUrl = (): string => `ws://127.0.0.1:${port}/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`;

describe('limits', () => {
  it('headers beyond the limit are 431 in JSON and end the connection, a long path and a long header alike', async () => {
    await listen();
    const many = Array.from({ length: 900 }, (_, n) => `X-Header-${n}: ${'y'.repeat(10)}`);
    for (const text of [
      head('GET', '/v2/version', `X: ${'y'.repeat(20_000)}`),
      head('GET', `/v2/version?${'x'.repeat(20_000)}`),
      head('GET', `/v2/${'x'.repeat(20_000)}`),
      head('GET', '/v2/version', ...many),
    ]) {
      const answer = await exchange(text);
      assert.match(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
      assert.match(answer, /\r\nX-Route: \*\r\n/i);
      assert.match(answer, /"status":431,"code":"headers_too_large","limit":16384/);
    }
  });

  it('headers below the limit are read, also with a long path', async () => {
    await listen();
    const answer = await exchange(head('GET', `/v2/version?${'x'.repeat(14_000)}`, 'Connection: close'));
    assert.match(answer, /^HTTP\/1\.1 200 /);
  });

  it('a body beyond the limit is 413 before it is read', async () => {
    await listen({ bodyLimit: 100 });
    const answer = await exchange(head('POST', '/v2/projects', 'Content-Length: 101', 'Connection: close'));
    assert.match(answer, /^HTTP\/1\.1 413 [\s\S]*"code":"body_too_large","limit":100/);
  });

  it('connections beyond those of an address are 429 and closed; when one ends, the next is served', async () => {
    await listen({ limits: { connectionsPerAddress: 2 } });
    const [first, second, third] = [await open(), await open(), await open()];
    assert.match(await ask(first), /^HTTP\/1\.1 200 /);
    assert.match(await ask(second), /^HTTP\/1\.1 200 /);
    const refused = await ask(third);
    assert.match(refused, /^HTTP\/1\.1 429 /);
    assert.match(refused, /\r\nretry-after: 1\r\n/i);
    assert.match(refused, /\r\nconnection: close\r\n/i);
    assert.match(refused, /"code":"too_many_requests"/);
    await closed(third);
    first.destroy();
    second.destroy();
    // Until the server has received both.
    let answer = '';
    do {
      const next = await open();
      answer = await ask(next);
      next.destroy();
    } while (!answer.startsWith('HTTP/1.1 200'));
  });

  it('connections far beyond those of an address are closed unheard', async () => {
    await listen({ limits: { connectionsPerAddress: 1 } });
    await open();
    await open();
    await closed(await open());
  });

  it('a connection too many that says nothing is closed as well', async () => {
    await listen({ limits: { connectionsPerAddress: 1 } });
    await open();
    await closed(await open());
  });

  it('connections beyond those of everybody are not taken', async () => {
    await listen({ limits: { connections: 1 } });
    await open();
    await closed(await open());
  });

  it('counts the requests of each client of a proxy, and no connections of the proxy', async () => {
    const access = { ...OPEN, proxies: ['127.0.0.1'] };
    await listen({ access, limits: { requestsPerAddress: 2, connectionsPerAddress: 1 } });
    const from = (client: string) => new WebSocket(consoleUrl(), { headers: { 'x-forwarded-for': client } });
    const asked = (client: string) => head('GET', '/v2/version', `X-Forwarded-For: ${client}`);
    const consoles = [from('192.0.2.1'), from('192.0.2.1')] as const;
    await Promise.all(consoles.map((socket) => once(socket, 'open')));
    const client = await open();
    assert.match(await ask(client, asked('192.0.2.1')), /^HTTP\/1\.1 429 /);
    assert.match(await ask(client, asked('192.0.2.2')), /^HTTP\/1\.1 200 /);
    const gone = once(lab.consoles[0] ?? assert.fail('no console'), 'close');
    consoles[0].terminate();
    await gone;
    let answer = '';
    do answer = await ask(client, asked('192.0.2.1'));
    while (!answer.startsWith('HTTP/1.1 200'));
    for (let n = 0; n < 10; n++) assert.match(await ask(client, asked('192.0.2.1')), /^HTTP\/1\.1 200 /);
    consoles[1].terminate();
  });

  it('unanswered requests beyond those of an address are 429, WebSockets among them, until one of them ends', async () => {
    await listen({ limits: { requestsPerAddress: 2 } });
    const consoles = [new WebSocket(consoleUrl()), new WebSocket(consoleUrl())] as const;
    await Promise.all(consoles.map((socket) => once(socket, 'open')));
    const client = await open();
    const refused = await ask(client);
    assert.match(refused, /^HTTP\/1\.1 429 /);
    assert.match(refused, /\r\nretry-after: 1\r\n/i);
    const gone = once(lab.consoles[0] ?? assert.fail('no console'), 'close');
    consoles[0].terminate();
    await gone;
    let answer = '';
    do answer = await ask(client);
    while (!answer.startsWith('HTTP/1.1 200'));
    for (let n = 0; n < 10; n++) assert.match(await ask(client), /^HTTP\/1\.1 200 /);
    consoles[1].terminate();
  });
});
