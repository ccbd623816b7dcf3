import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { openConsole } from '../support/console.ts';
import { listen } from '../support/feed-client.ts';
import { request, spawnServer } from '../support/server.ts';
import { smallDisk } from '../support/small-disk.ts';

const MIB = 2 ** 20;
/** A quarter of a disk of 32 MiB. */
const KEPT = 8 * MIB;

const freeOf = async (disk: string): Promise<number> => {
  const { bavail, bsize } = await statfs(disk);
  return bavail * bsize;
};

/** Takes space until this much is left. */
const leave = async (disk: string, octets: number, name = 'filler'): Promise<string> => {
  const file = path.join(disk, name);
  const handle = await open(file, 'w');
  await handle.writeFile(Buffer.alloc(Math.max(0, (await freeOf(disk)) - octets)));
  await handle.close();
  return file;
};

it('ends a capture before the disk is full, refuses what is large, and the log goes on', async (t) => {
  const disk = await smallDisk(t, 32);
  if (disk === null) return t.skip('a small disk cannot be mounted by this user');
  const server = await spawnServer(disk);
  t.after(() => server.kill('SIGTERM'));
  const project = `/v2/projects/${randomUUID()}`;
  const ask = async (method: string, place: string, status: number, body?: object | string) => {
    const answer = await request(server.url, method, `${project}${place}`, body);
    assert.equal(answer.status, status, answer.text);
    return answer;
  };
  await request(server.url, 'POST', '/v2/projects', { name: 'lab', project_id: project.slice('/v2/projects/'.length) });
  const nodes: { node_id: string }[] = [];
  for (const n of [1, 2]) {
    const properties = { startup_script: `ip 10.0.0.${n}/24` };
    const made = await ask('POST', '/nodes', 201, {
      name: `PC${n}`,
      node_type: 'simple_pc',
      compute_id: 'local',
      properties,
    });
    nodes.push(made.body as { node_id: string });
  }
  const ends = nodes.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const link = (await ask('POST', '/links', 201, { nodes: ends })).body as { link_id: string };
  await ask('POST', '/nodes/start', 204, {});
  await ask('POST', `/links/${link.link_id}/start_capture`, 201, {});

  const filler = await leave(disk, KEPT + 3 * MIB);
  // Enough for a small file, not for what a large one says that it will take.
  await ask('POST', '/files/small', 201, 'x');
  const announced = await ask('POST', '/files/large', 507, 'x'.repeat(4 * MIB));
  assert.match(
    announced.text,
    /only 1?\d MiB are free on the disk, not enough for 4 MiB more: 8 MiB are kept for the log/,
  );

  const feed = await listen(server.url, `${project}/notifications/ws`);
  const pc = (await ask('GET', `/nodes/${nodes[0]?.node_id ?? ''}`, 200)).body as { console: number };
  const console = await openConsole(pc.console);
  t.after(() => console.close());
  await console.type('ping 10.0.0.2 -c 100000 -i 1 -l 8000', /icmp_seq=5 /);
  const { event } = await feed.next('log.error');
  assert.match(
    String(event['message']),
    /the capture .*failed: .*only \d MiB are free on the disk.*: 8 MiB are kept for the log/,
  );
  await feed.close();
  assert.ok((await freeOf(disk)) > KEPT - MIB);
  const { events } = (await ask('GET', '/events?type=capture.failed', 200)).body as { events: unknown[] };
  assert.equal(events.length, 1);

  // The log and what is small go on, what would take the rest does not.
  for (let x = 0; x < 20; x++) await ask('POST', '/drawings', 201, { x, svg: `<svg>${'x'.repeat(3000)}</svg>` });
  assert.equal(((await request(server.url, 'GET', '/v2/health')).body as { status: string }).status, 'ok');
  // A capture ends before it takes what is kept, so that a little above it may be left.
  const rest = await leave(disk, KEPT - MIB, 'rest');
  await ask('POST', '/files/small', 507, 'y');
  assert.match((await ask('POST', `/links/${link.link_id}/start_capture`, 409, {})).text, /are kept for the log/);
  await rm(filler);
  await rm(rest);
  await ask('POST', `/links/${link.link_id}/start_capture`, 201, {});
  await ask('POST', '/files/small', 201, 'y');
});
