import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { openScreen } from '../../src/computes/links/screen.ts';
import { freePort } from '../support/free-port.ts';
import { GREETING, startRfbServer } from '../support/rfb-server.ts';

const host = '127.0.0.1';

describe('the screen of a node', { timeout: 30_000 }, () => {
  it('is what its VNC server says, from the greeting on', async () => {
    const server = await startRfbServer();
    const screen = await openScreen({ host, port: server.port, name: 'R1' });
    let said = '';
    for await (const bytes of screen) {
      said += String(bytes);
      if (said.length >= GREETING.length) break;
    }
    assert.equal(said, GREETING);
    screen.destroy();
    await server.close();
  });

  it('is refused where nobody answers', async () => {
    await assert.rejects(openScreen({ host, port: await freePort(), name: 'R1' }), /R1: its screen at .*ECONNREFUSED/);
  });

  for (const [what, greeting] of [
    ['speaks something else', 'SSH-2.0-other\r\n'],
    ['goes at once', null],
  ] as const)
    it(`is refused for a server that ${what}, which hears nothing`, async () => {
      const heard: Buffer[] = [];
      const server = createServer((socket) => {
        socket.on('data', (data) => heard.push(data));
        socket.on('error', () => undefined);
        if (greeting === null) socket.end();
        else socket.write(greeting);
      }).listen(0, host);
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      await assert.rejects(openScreen({ host, port, name: 'R1' }), /R1: its screen at .* cannot be opened/);
      assert.deepEqual(heard, []);
      server.close();
      await once(server, 'close');
    });
});
