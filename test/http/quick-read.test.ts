import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { testServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let project = '';
const paths = new Map<string, string>();
before(async () => {
  server = await testServer(['--gns3-port', '0']);
  const made = async (path: string, body: object, id: string): Promise<string> => {
    const answer = await server.request('POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return `${path}/${String((answer.body as Record<string, unknown>)[id])}`;
  };
  project = await made('/v2/projects', { name: 'reads' }, 'project_id');
  const pc = { name: 'PC ä', node_type: 'simple_pc', compute_id: 'local' };
  const nodes = [await made(`${project}/nodes`, pc, 'node_id'), await made(`${project}/nodes`, pc, 'node_id')];
  const ends = nodes.map((path) => ({ node_id: path.slice(-36), adapter_number: 0, port_number: 0 }));
  paths
    .set('node', nodes[0] ?? '')
    .set('project', project)
    .set('version', '/v2/version');
  paths.set('link', await made(`${project}/links`, { nodes: ends }, 'link_id'));
  paths.set('drawing', await made(`${project}/drawings`, { x: 1 }, 'drawing_id'));
  for (const list of ['nodes', 'links', 'drawings', 'snapshots']) paths.set(list, `${project}/${list}`);
  paths.set('projects', '/v2/projects').set('version of the compute', '/v2/compute/version');
});
after(() => server.close());

interface Read {
  status: number;
  headers: Record<string, unknown>;
  body: string;
  /** The framework writes names of headers in small letters. */
  isQuick: boolean;
}

const read = async (path: string, headers: OutgoingHttpHeaders = {}, url = server.url): Promise<Read> => {
  const asked = get(`${url}${path}`, { headers: { 'X-Request-Id': 'one', ...headers } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += String(chunk);
  const { date: _, ...rest } = answer.headers;
  const isQuick = answer.rawHeaders.includes('X-Route');
  return { status: answer.statusCode ?? 0, headers: rest, body, isQuick };
};
/** The framework gets what has a header that is not known to change nothing. */
const usually = (path: string, url?: string): Promise<Read> => read(path, { 'X-Anything': '1' }, url);

describe('a quick read', () => {
  it('answers as the framework does, on either listener', async () => {
    const second = server.running.gns3Url ?? '';
    for (const [what, path] of paths)
      for (const url of [server.url, second]) {
        const [quick, usual] = [await read(path, {}, url), await usually(path, url)];
        assert.equal(quick.status, 200, what);
        assert.deepEqual([quick.isQuick, usual.isQuick], [true, false], what);
        assert.deepEqual({ ...quick, isQuick: false }, usual, what);
      }
  });

  it('tells of every change at once, in a record and in lists', async () => {
    const node = paths.get('node') ?? '';
    for (const x of [11, 12]) {
      await server.request('PUT', node, { x });
      for (const path of [node, `${project}/nodes`]) {
        const { body, isQuick } = await read(path);
        assert.ok(isQuick);
        assert.match(body, new RegExp(`"x":${x},`));
      }
    }
    const before = await read(`${project}/drawings`);
    const made = await server.request('POST', `${project}/drawings`, { x: 77 });
    assert.match((await read(`${project}/drawings`)).body, /"x":77,/);
    const { drawing_id } = made.body as { drawing_id: string };
    await server.request('DELETE', `${project}/drawings/${drawing_id}`);
    assert.equal((await read(`${project}/drawings`)).body, before.body);
  });

  it('is none where there is more to a request: the framework answers, or refuses', async () => {
    const node = paths.get('node') ?? '';
    const { headers } = await read(node);
    const { events } = (await server.request('GET', '/v2/events?limit=1000')).body as {
      events: { position: number }[];
    };
    const position = events.at(-1)?.position ?? 0;
    const cases: [number, string, OutgoingHttpHeaders][] = [
      [304, node, { 'If-None-Match': String(headers['etag']) }],
      [200, node, { 'X-Topolog-User': 'ada' }],
      [200, `${node}?at=${position}`, {}],
      [403, node, { Host: 'elsewhere.example' }],
      [403, node, { Origin: 'https://elsewhere.example' }],
      [403, node, { 'Sec-Fetch-Site': 'cross-site' }],
      [404, `${project}/nodes/${project.slice(-36)}`, {}],
      [404, `${node}/nothing`, {}],
      [400, `${project}/nodes/1`, {}],
    ];
    for (const [status, path, more] of cases) {
      const answer = await read(path, more);
      assert.equal(answer.status, status, `${path} ${JSON.stringify(more)}: ${answer.body}`);
      assert.equal(answer.isQuick, false);
    }
  });
});
