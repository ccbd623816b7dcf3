import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { NODE, PROJECT, serve, fakeLab } from './fake-lab.ts';

interface Line {
  level: number;
  msg: string;
  ms: number;
  [key: string]: unknown;
}

let app = serve(fakeLab());
afterEach(() => app.close());

/** A server whose log is kept; the answer asks it, `heard` is the next line about a request. */
const listening = async (level: 'info' | 'debug') => {
  const lines: Line[] = [];
  let wake = (): void => undefined;
  const hear = (line: string): void => {
    lines.push(JSON.parse(line) as Line);
    wake();
  };
  const lab = fakeLab();
  app = serve(lab, { logger: pino({ level, base: null }, { write: hear }) });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const heard = async (): Promise<Line> => {
    while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return lines.shift() as Line;
  };
  return { url, lab, lines, heard };
};

const HEADERS = { 'X-Request-Id': 'asked-1' };

describe('the log at level debug', () => {
  it('has a line of each request, whichever way it goes, without its query', async () => {
    const { url, heard } = await listening('debug');
    const about = { level: 20, method: 'GET', request_id: 'asked-1', principal: 'anonymous' };
    const own = `/v2/projects/${PROJECT}`;
    for (const [path, route, code] of [
      [own, '/v2/projects/{project_id}', 200],
      ['/v2/ready?role=writer', '/v2/ready', 200],
      ['/nowhere', '*', 404],
    ] as const) {
      await (await fetch(url + path, { headers: HEADERS })).text();
      const { ms, msg, time: _, ...line } = await heard();
      const plain = path.split('?')[0] ?? '';
      assert.deepEqual(line, { ...about, path: plain, route, code });
      assert.ok(ms >= 0);
      assert.equal(msg, `GET ${plain} by anonymous: ${code} in ${ms} ms (request asked-1)`);
    }
  });

  it('has one of a WebSocket when it ends', async () => {
    const { url, lines, heard } = await listening('debug');
    const path = `/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`;
    const socket = new WebSocket(url.replace(/^http/, 'ws') + path, { headers: HEADERS });
    await once(socket, 'open');
    assert.equal(lines.length, 0);
    socket.terminate();
    const { code, route, request_id } = await heard();
    assert.deepEqual(
      [code, route, request_id],
      [101, '/v2/projects/{project_id}/nodes/{node_id}/console/ws', 'asked-1'],
    );
  });
});

describe('the log at level info', () => {
  it('has only what went wrong, with the id of the request', async () => {
    const { url, lab, lines, heard } = await listening('info');
    await (await fetch(`${url}/v2/version`, { headers: HEADERS })).text();
    lab.failNext(new Error('a defect'));
    const answer = await fetch(`${url}/v2/projects`, { method: 'POST', body: '{"name":"x"}', headers: HEADERS });
    assert.equal(answer.status, 500);
    const { level, request_id } = await heard();
    assert.deepEqual([level, request_id], [50, 'asked-1']);
    assert.deepEqual(lines, []);
  });
});
