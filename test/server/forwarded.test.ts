import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { FORWARDED, ForwardSigner } from '../../src/cluster/signature.ts';
import type { Framing } from '../../src/http/access/framing.ts';
import { MemoryCells } from '../support/memory-cell.ts';
import { type Answer, type TestServer, testServer } from '../support/server.ts';
import { answersIn, exchange } from '../support/smuggling.ts';

const KEY = randomBytes(32);
const cells = new MemoryCells();
const cell = { log: 'postgres://nowhere/labs', name: 'lab', key: KEY, leaseMs: 2_000 };
const config = { ...cell, advertise: null, redirect: false, acceptDataLoss: false };
const member = (...flags: string[]): Promise<TestServer> => testServer(flags, { cell: config }, { cell: cells.cell() });

const PATH = '/v2/projects';
const BODY = '{"name":"lab"}';
const ASKER = { principal: 'ada', address: '192.0.2.7', local: true };

describe('what says that it was forwarded', () => {
  let writer: TestServer;
  let standby: TestServer;
  let alone: TestServer;
  before(async () => {
    [writer, standby] = [await member(), await member()];
    alone = await testServer();
  });
  after(async () => {
    for (const server of [alone, standby, writer]) await server.close();
  });
  let signer: ForwardSigner;
  beforeEach(() => (signer = new ForwardSigner(KEY)));

  const signed = (change: { method?: string; path?: string; framing?: Framing } = {}, asker = ASKER): string =>
    signer.sign({ method: 'POST', path: PATH, framing: BODY.length, ...change }, cells.epoch, asker);
  const send = (header: string, to = writer, body = BODY): Promise<Answer> =>
    to.request('POST', PATH, body, { [FORWARDED]: header, connection: 'close' });
  const assertRefused = async (answer: Promise<Answer>, reason: RegExp): Promise<void> => {
    const { status, text } = await answer;
    assert.equal(status, 403, text);
    assert.match(text, reason);
    const made = (await writer.request('GET', PATH)).body as object[];
    assert.deepEqual(made, []);
  };
  const remove = async ({ body }: Answer): Promise<void> => {
    await writer.request('DELETE', `${PATH}/${(body as { project_id: string }).project_id}`);
  };

  it('is believed of a server of the cell, once, whatever came before it in between', async () => {
    const [first, second] = [signed(), signed()];
    for (const header of [second, first]) {
      const made = await send(header);
      assert.equal(made.status, 201, made.text);
      await remove(made);
    }
    for (const header of [first, second]) await assertRefused(send(header), /it was forwarded before/);
  });

  it('is refused when it is too far behind to know', async () => {
    const first = signed();
    for (let n = 0; n < 1 << 16; n++) signer.sign({ method: 'GET', path: PATH, framing: null }, cells.epoch, ASKER);
    await remove(await send(signed()));
    await assertRefused(send(first), /it was forwarded before/);
  });

  it('is refused for another method, path or body, and by another key', async () => {
    const unsigned = /no server of this cell has signed this request/;
    await assertRefused(send(signed({ method: 'PUT' })), unsigned);
    await assertRefused(send(signed({ path: `${PATH}?x=1` })), unsigned);
    await assertRefused(send(signed(), writer, `${BODY} `), /its signature is for another body/);
    await assertRefused(send(signed({ framing: 'chunked' })), /its signature is for another body/);
    signer = new ForwardSigner(randomBytes(32));
    await assertRefused(send(signed()), unsigned);
  });

  it('is refused when nobody has signed it, whatever it says', async () => {
    const unsigned = /no server of this cell has signed this request/;
    for (const header of ['', 'true', 'a.b', `${Buffer.from(JSON.stringify(ASKER)).toString('base64url')}.`])
      for (const server of [writer, standby]) await assertRefused(send(header, server), unsigned);
    await assertRefused(send(`${signed()}, ${signed()}`), unsigned);
  });

  it('is refused by a server of no cell', async () => {
    await assertRefused(send(signed(), alone), /this server is of no cell/);
    assert.deepEqual((await alone.request('GET', PATH)).body, []);
  });

  it('is told to ask again where it was for another writer, or this one does not write', async () => {
    const late = signer.sign({ method: 'POST', path: PATH, framing: BODY.length }, cells.epoch - 1, ASKER);
    for (const answer of [await send(late), await send(signed(), standby)]) {
      assert.equal(answer.status, 503, answer.text);
      assert.match(answer.text, /no_writer/);
    }
  });

  it('does at a local server nothing for clients of one that is not', async () => {
    await assertRefused(send(signed({}, { ...ASKER, local: false })), /--no-local/);
    const path = '/v2/handover';
    const header = signer.sign({ method: 'POST', path, framing: null }, cells.epoch, { ...ASKER, local: false });
    const answer = await writer.request('POST', path, undefined, { [FORWARDED]: header });
    assert.equal(answer.status, 403, answer.text);
    const distant = await member('--no-local');
    const asked = await distant.request('POST', path, undefined, { connection: 'close' });
    await distant.close();
    assert.equal(asked.status, 403, asked.text);
    assert.equal(cells.epoch, 1);
  });

  it('goes to the writer, also with the URL of another server', async () => {
    let asked = 0;
    const other = createServer((_request, answer) => {
      asked += 1;
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const head = ['DELETE http://HOST/v2/projects/4ff8a1cc-7b2d-4b90-8e16-6c3ab1b0a5d1 HTTP/1.1', 'Host: HOST', '', ''];
    const heard = await exchange(standby.url, head.join('\r\n').replaceAll('HOST', host), 1);
    other.close();
    assert.deepEqual([answersIn(heard).map(({ status }) => status), asked], [[404], 0]);
  });
});
