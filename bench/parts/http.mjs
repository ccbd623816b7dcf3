import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { generate, requestBytes } from '../generator.mjs';
import { writeLab } from '../lab.mjs';
import { startServer } from '../server.mjs';
import { percentile } from '../statistics.mjs';

const CONNECTIONS = 16;
const SECONDS = 2;

/** Reads of one node, beside a bare node:http server that sends the same answer. The two take turns. */
export const http = async ({ runs, nodeFlags }) => {
  const server = await startServer(nodeFlags);
  const bare = fork(path.join(import.meta.dirname, '../bare-http.mjs'));
  try {
    const { project_id, file, node_ids } = await writeLab(server.directory, 10);
    await server.call('POST', '/v2/projects/load', { path: file });
    const where = `/v2/projects/${project_id}/nodes/${node_ids[0]}`;
    bare.send(await sample(`${server.url}${where}`));
    const [barePort] = await once(bare, 'message');
    const bytes = requestBytes('GET', where);
    const load = (port, seconds = SECONDS) =>
      generate({ port, connections: CONNECTIONS, seconds, status: 200, request: () => bytes });
    await load(server.port, 1);
    await load(barePort, 1);
    const ours = [];
    const limits = [];
    for (let run = 0; run < runs; run++) {
      ours.push(await load(server.port));
      limits.push(await load(barePort));
    }
    const limit = 'node:http with the same bytes';
    return [
      {
        what: `reads of a node, ${CONNECTIONS} connections`,
        unit: '/s',
        values: ours.map((r) => r.perSecond),
        limit,
        limits: limits.map((r) => r.perSecond),
        target: 0.8,
      },
      {
        what: `time of such a read, 99 of 100`,
        unit: 'ms',
        values: ours.map((r) => percentile(r.times, 0.99)),
        limit,
        limits: limits.map((r) => percentile(r.times, 0.99)),
      },
    ];
  } finally {
    bare.disconnect();
    await server.stop();
  }
};

/** Head and body of one answer. */
const sample = async (url) => {
  const answer = await fetch(url);
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => ['content-type', 'x-route', 'x-request-id'].includes(name)),
  );
  return { headers, body: await answer.text() };
};
