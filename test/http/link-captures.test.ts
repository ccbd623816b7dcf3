import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LINK, link, NODE, node, PROJECT } from './fake-lab.ts';
import { app, close, closed, head, lab, listen, listenInEachTest, open, port, untilEnd } from './listening.ts';

listenInEachTest();

describe('the stream of a capture', () => {
  let directory = '';
  let file = '';
  const capture = () => ({
    file_name: 'a.pcap',
    path: file,
    data_link_type: 'DLT_EN10MB',
    node_id: NODE,
    adapter_number: 0,
    port_number: 0,
  });
  const capturing = (on: boolean) =>
    lab.records.put('link', LINK, link({ state: on ? 'capturing' : 'idle', capture: capture() }));
  const limits = { captureMs: 5 };
  const url = () => `http://127.0.0.1:${port}/v2/projects/${PROJECT}/links/${LINK}/pcap`;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'topolog-http-'));
    file = join(directory, 'a.pcap');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('follows the file, also one that is not there yet, to what was written last before the stop', async () => {
    capturing(true);
    await listen({ limits });
    const answer = await fetch(url());
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/vnd.tcpdump.pcap');
    assert.equal(answer.headers.get('x-route'), '/v2/projects/{project_id}/links/{link_id}/pcap');
    await writeFile(file, 'head');
    const reader = (answer.body ?? assert.fail('no body')).getReader();
    const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
    assert.equal(await next(), 'head');
    await appendFile(file, 'more');
    assert.equal(await next(), 'more');
    await appendFile(file, 'last');
    capturing(false);
    assert.equal(await next(), 'last');
    assert.equal((await reader.read()).done, true);
  });

  it('asks for a flush before it looks, and lives with one that fails', async () => {
    capturing(true);
    await writeFile(file, '');
    let flushes = 0;
    lab.commands.flushCapture = async () => {
      flushes++;
      if (flushes === 1) await appendFile(file, 'flushed');
      else throw new Error('fabric gone');
      capturing(false);
    };
    await listen({ limits });
    assert.equal(await (await fetch(url())).text(), 'flushed');
  });

  it('exists on the compute side as well', async () => {
    await writeFile(file, 'bytes');
    const { file_name, path, data_link_type } = capture();
    const on = { file_name, path, data_link_type, state: 'capturing' as const };
    lab.records.put('node', NODE, node('simple_pc', { captures: { '0/0': on } }));
    await listen({ limits });
    const answer = await fetch(
      `http://127.0.0.1:${port}/v2/compute/projects/${PROJECT}/vpcs/nodes/${NODE}/adapters/0/ports/0/pcap`,
    );
    lab.records.put('node', NODE, node('simple_pc'));
    assert.equal(await answer.text(), 'bytes');
  });

  it('ends when the client hangs up', async () => {
    capturing(true);
    await writeFile(file, 'head');
    await listen({ limits: { captureMs: 1 } });
    let looks = 0;
    lab.commands.flushCapture = async () => {
      looks++;
    };
    const request = once(app.server, 'request');
    const socket = await open();
    socket.write(head('GET', new URL(url()).pathname));
    await once(socket, 'data');
    socket.destroy();
    const [served] = (await request) as [{ socket: Socket }];
    await closed(served.socket);
    const version = () => fetch(`http://127.0.0.1:${port}/v2/version`);
    for (let i = 0; i < 3; i++) await version();
    const before = looks;
    for (let i = 0; i < 20; i++) await version();
    assert.equal(looks, before);
  });

  it('ends when the server closes', async () => {
    capturing(true);
    await writeFile(file, 'head');
    await listen({ limits });
    const socket = await open();
    const text = untilEnd(socket);
    socket.write(head('GET', new URL(url()).pathname));
    await once(socket, 'data');
    await close();
    // With its last chunk: ended, not cut.
    assert.match(await text, /^HTTP\/1\.1 200 [\s\S]*\r\n0\r\n\r\n$/);
  });
});
