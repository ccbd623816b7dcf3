import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { openConsole } from '../support/console.ts';
import { listen } from '../support/feed-client.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

interface Rates {
  link_id: string;
  frames: [number, number];
  dropped: [number, number];
}
interface Packet {
  number: number;
  source: string;
  destination: string;
  protocol: string;
  summary: string;
}

describe('a lab that somebody watches', { timeout: 120_000 }, () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let server: TestServer;
  let lab = '';
  let link = '';
  let console = 0;
  before(async () => {
    dir = await tempDir();
    server = await testServer();
    await cp(path.resolve('examples/labs/first-lab'), path.join(dir.path, 'lab'), { recursive: true });
    const loaded = await server.request('POST', '/v2/projects/load', {
      path: path.join(dir.path, 'lab/first-lab.gns3'),
    });
    lab = `/v2/projects/${(loaded.body as { project_id: string }).project_id}`;
    assert.equal((await server.request('POST', `${lab}/nodes/start`)).status, 204);
    const nodes = (await server.request('GET', `${lab}/nodes`)).body as {
      node_id: string;
      name: string;
      console: number;
    }[];
    const pc1 = nodes.find(({ name }) => name === 'PC1');
    console = pc1?.console ?? 0;
    const links = (await server.request('GET', `${lab}/nodes/${pc1?.node_id}/links`)).body as { link_id: string }[];
    link = links[0]?.link_id ?? '';
  });
  after(async () => {
    await server.close();
    await dir.remove();
  });

  it('tells of the frames that pass, of those that a filter drops, and of the packets themselves', async () => {
    const feed = await listen(server.url, `${lab}/notifications/ws?live=true`);
    const rates = async (fits: (link: Rates) => boolean): Promise<Rates> => {
      for (;;) {
        const { event } = await feed.next('link.traffic');
        const found = (event as unknown as { links: Rates[] }).links.find((r) => r.link_id === link && fits(r));
        if (found !== undefined) return found;
      }
    };
    const started = await server.request('POST', `${lab}/links/${link}/start_capture`, {
      capture_file_name: 'seen.pcap',
    });
    assert.equal(started.status, 201);
    const packets: Packet[] = [];
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${lab}/links/${link}/packets`);
    socket.on('message', (data: Buffer) => packets.push(JSON.parse(data.toString()) as Packet));
    await once(socket, 'open');
    const pc1 = await openConsole(console);
    await pc1.type('ping 10.0.0.2 -t', /icmp_seq=1 /);
    const passing = await rates(({ frames }) => frames[0] > 0 && frames[1] > 0);
    assert.deepEqual(passing.dropped, [0, 0]);
    const filtered = await server.request('PUT', `${lab}/links/${link}`, { filters: { packet_loss: [100] } });
    assert.equal(filtered.status, 201);
    const lost = await rates(({ dropped }) => dropped[0] + dropped[1] > 0);
    assert.equal(lost.link_id, link);
    pc1.close();
    const closed = once(socket, 'close');
    await server.request('POST', `${lab}/links/${link}/stop_capture`);
    assert.equal((await closed)[0], 1000);
    const request = packets.find(({ summary }) => summary.startsWith('Echo request'));
    assert.deepEqual([request?.source, request?.destination, request?.protocol], ['10.0.0.1', '10.0.0.2', 'ICMP']);
    assert.ok(packets.some(({ summary }) => summary.startsWith('Echo reply')));
    assert.deepEqual(
      packets.map(({ number }) => number),
      packets.map((_, i) => i + 1),
    );
    await feed.close();
  });

  it('leaves nothing of it in the log', async () => {
    const { body } = await server.request('GET', `${lab}/events?limit=1000`);
    const types = (body as { events: { type: string }[] }).events.map(({ type }) => type);
    assert.ok(types.includes('capture.started'));
    assert.ok(!types.some((type) => /traffic|listeners|progress/.test(type)), types.join(' '));
  });
});
