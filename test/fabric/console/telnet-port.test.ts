import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createConsole } from '../../../src/fabric/console/broker.ts';
import { createOutsideConsoles } from '../../../src/fabric/console/outside-consoles.ts';
import { createTelnetStripper, escapeTelnet } from '../../../src/fabric/console/telnet.ts';
import { openConsole } from '../../support/console.ts';

const IAC = 255;

describe('the console of a program with a telnet port', () => {
  it('is taken by the fabric alone, and shown to all who come without its negotiation', async () => {
    const clients: Socket[] = [];
    const program = createServer((socket) => {
      clients.push(socket);
      socket.on('error', () => undefined);
      socket.write(Buffer.from([IAC, 253, 1, IAC, 251, 1]));
      socket.write('ready> ');
      socket.on('data', (bytes) => socket.write(`<${bytes.toString()}>`));
    }).listen(0, '127.0.0.1');
    await once(program, 'listening');
    const { port } = program.address() as AddressInfo;
    const consoles = createOutsideConsoles(createConsole);
    const spec = {
      node_id: 'n1',
      project_id: 'p1',
      name: 'N1',
      to: { host: '127.0.0.1', port },
      console: { host: '127.0.0.1', port: 0, range: [23_000, 23_999] as [number, number] },
    };
    const { console } = await consoles.open(spec);
    const [one, other] = [await openConsole(console ?? 0), await openConsole(console ?? 0)];
    // What the broker says itself, then nothing but the program's text.
    for (const client of [one, other]) assert.match(await client.until(/ready> /), /^[^a-z]{9}ready> $/);
    const seen = other.until(/<hello\r>/);
    await one.type('hello', /<hello\r>/);
    await seen;
    assert.equal(clients.length, 1);
    assert.deepEqual(await consoles.open({ ...spec, name: 'N2' }), { console });
    await assert.rejects(consoles.open({ ...spec, to: { host: '127.0.0.1', port: port + 1 } }), { code: 'exists' });
    one.close();
    other.close();
    await consoles.closeAll();
    program.close();
    for (const client of clients) client.destroy();
  });
});

describe('what a telnet server sends', () => {
  it('is read back as it was escaped, with commands anywhere in it and however it is split', () => {
    const command = fc.constantFrom([IAC, 253, 1], [IAC, 241], [IAC, 250, 24, 1, IAC, IAC, 2, IAC, 240]);
    const data = fc.uint8Array({ maxLength: 20 });
    const parts = fc.array(fc.tuple(data, command), { maxLength: 8 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 7 }), (sent, size) => {
        const bytes = Buffer.concat(sent.flatMap(([some, telnet]) => [escapeTelnet(some), Uint8Array.from(telnet)]));
        const strip = createTelnetStripper();
        const read: number[] = [];
        for (let at = 0; at < bytes.length; at += size) read.push(...strip(bytes.subarray(at, at + size)));
        assert.deepEqual(
          read,
          sent.flatMap(([some]) => [...some]),
        );
      }),
    );
  });
});
