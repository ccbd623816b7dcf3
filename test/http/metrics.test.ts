import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Standing } from '../../src/http/api.ts';
import { Histogram } from '../../src/http/metrics/counts.ts';
import { listen } from '../support/feed-client.ts';
import { parseMetrics, scrape, type Series } from '../support/scrape.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { basic, userLine } from '../support/users.ts';
import { fakeLab, serve } from './fake-lab.ts';

const requests = (method: string, route: string, code: number): string =>
  `topolog_http_requests_total{route="${route}",method="${method}",code="${code}"}`;

let server: TestServer;
before(async () => {
  server = await testServer(['--gns3-port', '0']);
});
after(() => server.close());

/** A request is counted once its answer has gone out, which may be after the client has it. */
const until = async (fits: (series: Series) => boolean): Promise<Series> => {
  for (;;) {
    const series = await scrape(server.url);
    if (fits(series)) return series;
    await turn();
  }
};
const counted = (name: string, least: number) => until((series) => (series.get(name) ?? 0) >= least);

describe('the metrics', () => {
  it('count requests by template, method and code, on either listener', async () => {
    const PROJECT = '/v2/projects/{project_id}';
    const made = await server.request('POST', '/v2/projects', { name: 'counted' });
    const own = `/v2/projects/${(made.body as { project_id: string }).project_id}`;
    for (const url of [server.url, server.running.gns3Url ?? '']) await (await fetch(`${url}${own}`)).text();
    await fetch(`${server.url}${own}`, { method: 'HEAD' });
    await server.request('GET', '/nowhere');
    await server.request('DELETE', '/v2/version');
    await server.request('GET', '/v2/projects/%ff');
    await counted(requests('GET', PROJECT, 200), 2);
    await counted(requests('HEAD', PROJECT, 200), 1);
    await counted(requests('POST', '/v2/projects', 201), 1);
    await counted(requests('GET', '*', 404), 1);
    await counted(requests('DELETE', '/v2/version', 405), 1);
    const series = await counted(requests('GET', '*', 400), 1);
    assert.equal(series.get(requests('GET', PROJECT, 200)), 2);
    assert.equal(series.get(`topolog_http_request_seconds_count{route="${PROJECT}",method="GET"}`), 2);
    const seconds = series.get(`topolog_http_request_seconds_sum{route="${PROJECT}",method="GET"}`) ?? 0;
    assert.ok(seconds > 0 && seconds < 60, `${seconds} s`);
  });

  it('count what is no HTTP, and clients that do not wait', async () => {
    const { hostname, port } = new URL(server.url);
    const garbage = connect(Number(port), hostname);
    garbage.end('no HTTP\r\n\r\n');
    await once(garbage.resume(), 'close');
    await counted(requests('other', '*', 400), 1);
    const impatient = connect(Number(port), hostname);
    impatient.write('POST /v2/projects HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{', () =>
      impatient.destroy(),
    );
    await until((series) => [400, 499].some((code) => (series.get(requests('POST', '/v2/projects', code)) ?? 0) > 0));
  });

  it('tell of feeds while they are open, and count them when they have ended', async () => {
    const feed = await listen(server.url, '/v2/notifications/ws');
    const open = 'topolog_feed_listeners{feed="controller"}';
    assert.equal((await scrape(server.url)).get(open), 1);
    const abort = new AbortController();
    const stream = await fetch(`${server.url}/v2/notifications`, { signal: abort.signal });
    assert.equal((await scrape(server.url)).get(open), 2);
    abort.abort();
    await stream.text().catch(() => undefined);
    await feed.close();
    const series = await until((now) => now.get(open) === 0);
    assert.equal(series.get(requests('GET', '/v2/notifications/ws', 101)) ?? 1, 1);
    await counted(requests('GET', '/v2/notifications/ws', 101), 1);
    await counted(requests('GET', '/v2/notifications', 200), 1);
  });

  it('tell of the log, the lab, the fabric and the process', async () => {
    const before = await scrape(server.url);
    const made = await server.request('POST', '/v2/projects', { name: 'lab' });
    const own = `/v2/projects/${(made.body as { project_id: string }).project_id}`;
    const pc = { name: 'PC', node_type: 'simple_pc', compute_id: 'local' };
    const nodes = [await server.request('POST', `${own}/nodes`, pc), await server.request('POST', `${own}/nodes`, pc)];
    const [a = '', b = ''] = nodes.map(({ body }) => (body as { node_id: string }).node_id);
    const ends = [a, b].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    assert.equal((await server.request('POST', `${own}/links`, { nodes: ends })).status, 201);
    await server.request('POST', `${own}/nodes/${a}/start`);
    const healthNow = async () =>
      (await server.request('GET', '/v2/health')).body as { log: { position: number }; version: string };
    // The log goes on meanwhile: a project file is written.
    const earlier = await healthNow();
    const series = await scrape(server.url);
    const grown = (name: string): number => (series.get(name) ?? 0) - (before.get(name) ?? 0);
    const health = await healthNow();
    const position = series.get('topolog_log_position') ?? 0;
    assert.ok(position >= earlier.log.position && position <= health.log.position);
    assert.equal(series.get('topolog_log_writable'), 1);
    assert.ok(grown('topolog_log_append_seconds_count') >= 5);
    assert.ok(grown('topolog_log_batch_seconds_count') >= 1);
    assert.equal(grown('topolog_log_batch_events_sum'), grown('topolog_log_position'));
    assert.ok(grown('topolog_log_append_seconds_sum') >= grown('topolog_log_batch_seconds_sum'));
    assert.equal(grown('topolog_projects{state="opened"}'), 1);
    assert.equal(grown('topolog_nodes{compute_id="local",state="started"}'), 1);
    assert.equal(grown('topolog_nodes{compute_id="local",state="stopped"}'), 1);
    assert.equal(series.get('topolog_compute_connected{compute_id="local",name="local"}'), 1);
    assert.equal(series.get('topolog_fabric_up'), 1);
    assert.equal(grown('topolog_fabric_cables'), 1);
    assert.ok((series.get('topolog_fabric_frames_total') ?? -1) >= 0);
    assert.equal(series.get(`topolog_info{version="${health.version}"}`), 1);
    assert.equal(series.get('topolog_role{role="writer"}'), 1);
    for (const name of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'process_cpu_seconds_total'])
      assert.ok((series.get(name) ?? 0) > 0, name);
    assert.ok(series.has('nodejs_eventloop_lag_p99_seconds'));
  });

  it('are in the interface, and have X-Route on either listener', async () => {
    const document = (await server.request('GET', '/v2/openapi.json')).body as { paths: Record<string, object> };
    assert.ok('/metrics' in document.paths && '/v2/ready' in document.paths);
    const there = await scrape(server.running.gns3Url ?? '');
    assert.ok(there.has('topolog_log_position'));
  });
});

describe('metrics of others', () => {
  it('ask for a password where everything does', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const file = path.join(dir.path, 'users');
    await writeFile(file, userLine('prometheus', 'secret'), { mode: 0o600 });
    const asking = await testServer(['--users', file]);
    t.after(() => asking.close());
    assert.equal((await asking.request('GET', '/metrics')).status, 401);
    assert.ok((await scrape(asking.url, basic('prometheus', 'secret'))).has('topolog_log_position'));
  });

  it('tell of the cell where the log is in a database', async (t) => {
    let standing: Standing = {
      ...{ role: 'writer', refuses: null },
      cell: { epoch: 7, lease_seconds: 1.5, standbys: [{ server: 'http://b:3080', lag_events: 3, lag_seconds: 0.02 }] },
    };
    const app = serve(fakeLab(), { standing: () => standing });
    t.after(() => app.close());
    const told = async () => parseMetrics((await app.inject('/metrics')).body);
    const writer = await told();
    assert.equal(writer.get('topolog_cell_epoch'), 7);
    assert.equal(writer.get('topolog_cell_lease_seconds'), 1.5);
    assert.equal(writer.get('topolog_cell_standby_lag_events{server="http://b:3080"}'), 3);
    assert.equal(writer.get('topolog_cell_standby_lag_seconds{server="http://b:3080"}'), 0.02);
    assert.deepEqual([writer.get('topolog_log_writable'), writer.get('topolog_role{role="writer"}')], [1, 1]);
    standing = { role: 'standby', refuses: null, cell: { epoch: 8, lease_seconds: 0, standbys: [] } };
    const standby = await told();
    assert.deepEqual([standby.get('topolog_log_writable'), standby.get('topolog_role{role="writer"}')], [0, 0]);
    assert.equal(standby.get('topolog_role{role="standby"}'), 1);
  });

  it('do without the fabric where it fails or hangs', async (t) => {
    for (const fabricTotals of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => undefined)]) {
      const app = serve(fakeLab(), { fabricTotals });
      t.after(() => app.close());
      const told = parseMetrics((await app.inject('/metrics')).body);
      assert.equal(told.get('topolog_fabric_up'), 0);
      assert.ok(!told.has('topolog_fabric_frames_total'));
      assert.ok(told.has('topolog_log_position'));
    }
  });

  it('write names as the format wants them', async (t) => {
    const app = serve(fakeLab(), {
      standing: () => ({
        ...{ role: 'standby', refuses: null },
        cell: { epoch: 1, lease_seconds: 0, standbys: [{ server: 'a"b\\c\nd', lag_events: 0, lag_seconds: 0 }] },
      }),
    });
    t.after(() => app.close());
    const told = parseMetrics((await app.inject('/metrics')).body);
    assert.equal(told.get('topolog_cell_standby_lag_events{server="a\\"b\\\\c\\nd"}'), 0);
  });
});

describe('a histogram', () => {
  it('puts a value into the first bucket that takes it', () => {
    const one = new Histogram([1, 2, 4]);
    for (const value of [0, 1, 1.5, 2, 3, 4, 5, 1000]) one.observe(value);
    assert.deepEqual(one.buckets, [2, 2, 2, 2]);
    assert.equal(one.sum, 1016.5);
  });
});
