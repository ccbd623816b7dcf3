import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { MemoryCells } from '../support/memory-cell.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { answersIn, exchange, type Form, forms, PROXIES } from '../support/smuggling.ts';

const PROJECT = '0d6a3c5e-52a7-4d3c-9a3e-2f0a4a4a1b11';

/** Carried out, it leaves a project. */
const BODY = '{"name":"smuggled"}';
const HIDDEN = [
  'POST /v2/projects HTTP/1.1',
  'Host: 127.0.0.1',
  'X-Request-Id: smuggled',
  `Content-Length: ${BODY.length}`,
  '',
  BODY,
].join('\r\n');
const FORMS = forms(HIDDEN);

/**
 * What is asked of a server next goes on by the same connection, and gets its own answer. Events are in the order of what they are of:
 * what came before has left its own at the writer, should it be carried out.
 */
const assertNotCarriedOut = async (server: TestServer, writer = server): Promise<void> => {
  const asking = { connection: 'close', 'x-request-id': 'next' };
  const { status, headers, text } = await server.request('PUT', `/v2/projects/${PROJECT}`, { zoom: 100 }, asking);
  assert.deepEqual([status, headers.get('x-request-id')], [200, 'next'], text);
  const { body } = await writer.request('GET', '/v2/projects', undefined, asking);
  for (const { name, project_id } of body as { name: string; project_id: string }[])
    if (name !== 'first') {
      await writer.request('DELETE', `/v2/projects/${project_id}`, undefined, asking);
      assert.fail(`${name} was made`);
    }
};

/** One answer, or a refusal, or none, and the connection is at its end. */
const assertOne = (text: string, { requests }: Form): void => {
  const answers = answersIn(text);
  assert.ok(!answers.some(({ id }) => id === 'smuggled'), text);
  if (requests === undefined) assert.ok(answers.length <= 1, text);
  else assert.equal(answers.length, requests, text);
  if (requests === undefined)
    assert.ok(
      answers.every(({ status }) => status >= 400),
      text,
    );
};

describe('a request within a request', () => {
  const servers: Record<string, TestServer> = {};
  const serverOf = (name: string): TestServer => {
    const server = servers[name];
    assert.ok(server !== undefined);
    return server;
  };
  before(async () => {
    const cells = new MemoryCells();
    const config = { log: 'postgres://nowhere/labs', name: 'lab', key: randomBytes(32), leaseMs: 2_000 };
    const cell = { ...config, advertise: null, redirect: false, acceptDataLoss: false };
    for (const name of ['a server that writes', 'a server that stands by'])
      servers[name] = await testServer([], { cell }, { cell: cells.cell() });
    servers['a server behind a proxy'] = await testServer(['--trust-proxy', '127.0.0.1']);
    const project = { name: 'first', project_id: PROJECT };
    for (const name of ['a server that writes', 'a server behind a proxy'])
      assert.equal((await serverOf(name).request('POST', '/v2/projects', project)).status, 201);
  });
  after(async () => {
    for (const server of Object.values(servers).reverse()) await server.close();
  });
  for (const form of FORMS)
    for (const name of ['a server that writes', 'a server that stands by'])
      it(`is not carried out by ${name}: ${form.name}`, async () => {
        const server = serverOf(name);
        assertOne(await exchange(server.url, form.text, form.requests ?? 1), form);
        await assertNotCarriedOut(server, serverOf('a server that writes'));
      });

  describe('behind a proxy that finds its end elsewhere', () => {
    for (const form of FORMS)
      for (const [does, rule] of Object.entries(PROXIES))
        it(`is not carried out where that one ${does}: ${form.name}`, async () => {
          const server = serverOf('a server behind a proxy');
          const sent = form.text.slice(0, rule(form.text));
          const next = 'GET /v2/version HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Request-Id: next\r\n\r\n';
          const answers = answersIn(await exchange(server.url, sent + next, 2));
          assert.ok(!answers.some(({ id }) => id === 'smuggled'));
          // The next client's answer is its own, unless the connection is at its end.
          if (form.requests === undefined) assert.ok(answers.length <= 2);
          if (answers.length === 2 && form.requests === undefined) assert.equal(answers[1]?.id, 'next');
          await assertNotCarriedOut(server);
        });
  });
});
