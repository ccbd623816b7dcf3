import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { conflict, TopologError } from '../../src/common/errors.ts';
import type { HttpDeps } from '../../src/http/server/server.ts';
import { nodeRecord } from '../../src/http/v2/nodes/nodes.ts';
import { type FakeFar, fakeFar } from './fake-computes.ts';
import { compute, fakeLab, NODE, node, PROJECT, serve, UNKNOWN } from './fake-lab.ts';
import { computeRecord } from '../../src/http/v2/computes/compute-record.ts';

let lab = fakeLab();
let app = serve(lab);
let far: FakeFar;

const CAPABILITIES = { version: '2.2.60', topolog: null, node_types: ['vpcs', 'strange'], platform: 'linux' };
const STATISTICS = {
  ...{ memory_total: 8, memory_free: 6, memory_used: 2, swap_total: 4, swap_free: 4, swap_used: 0 },
  ...{ cpu_usage_percent: 7, memory_usage_percent: 25, swap_usage_percent: 0, disk_usage_percent: 40 },
  load_average_percent: [1, 2, 3],
};

const begin = async (
  given: FakeFar = fakeFar(() => null),
  record: Parameters<typeof compute>[0] = {},
  over: Partial<HttpDeps> = {},
) => {
  await app.close();
  far = given;
  lab = fakeLab();
  lab.records.put('compute', 'far', compute({ capabilities: CAPABILITIES, ...record }));
  app = serve(lab, { computes: far.computes, ...over });
};
beforeEach(() => begin());
afterEach(() => app.close());

const get = (url: string) => app.inject(url);
const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, ...(payload ? { payload } : {}) });
/** Over a socket: bodies that the handler reads need one. */
const upload = async (method: 'POST' | 'PUT', path: string, body: string) => {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body });
  return { status: answer.status, body: await answer.json() };
};
const away = () => begin(fakeFar(() => null, { problem: 'nothing listens there', load: null }));

describe('the record of another compute', () => {
  it('has its load, and the kinds by the names of answers', async () => {
    const record = computeRecord.parse((await get('/v2/computes/far')).json());
    assert.deepEqual([record.cpu_usage_percent, record.memory_usage_percent, record.connected], [3, 4, true]);
    assert.deepEqual(record.capabilities.node_types, ['simple_pc', 'strange']);
    assert.equal(record.topolog, null);
    const [local] = (await get('/v2/computes')).json<{ topolog?: unknown }[]>();
    assert.equal(local?.topolog, '1.2.3');
  });

  it('has no key of ours under the names of existing tools', async () => {
    await begin(
      fakeFar(() => null),
      {},
      { names: 'gns3' },
    );
    for (const id of ['far', 'local']) {
      const record = (await get(`/v2/computes/${id}`)).json<object>();
      assert.deepEqual(Object.hasOwn(record, 'topolog'), false, id);
    }
    const { capabilities } = (await get('/v2/computes/far')).json<{ capabilities: { node_types: string[] } }>();
    assert.deepEqual(capabilities.node_types, ['vpcs', 'strange']);
  });

  it('says why it is away', async () => {
    await away();
    const record = computeRecord.parse((await get('/v2/computes/far')).json());
    assert.deepEqual(
      [record.connected, record.last_error, record.cpu_usage_percent],
      [false, 'nothing listens there', null],
    );
  });
});

describe('a request for another compute', () => {
  it('goes there by the name that every compute knows, and is 200 with what it answers', async () => {
    await begin(fakeFar(({ method }) => (method === 'GET' ? [{ filename: 'a.img' }] : null)));
    const images = await get('/v2/computes/far/machine_emulator/images');
    assert.deepEqual([images.statusCode, images.json()], [200, [{ filename: 'a.img' }]]);
    const made = await upload('POST', '/v2/computes/far/qemu/img', '{"path":"a b.img","size":3}');
    assert.deepEqual(made, { status: 200, body: {} });
    await upload('PUT', '/v2/computes/far/qemu/img', '{"path":"a.img","extend":1}');
    await get('/v2/computes/far/network/interfaces?a=1&a=2&b=c%20d');
    await app.inject({ url: '/v2/computes/far/qemu/binaries', payload: { archs: ['i386'] } });
    assert.deepEqual(far.asked, [
      { method: 'GET', path: '/qemu/images' },
      { method: 'POST', path: '/qemu/img', body: { path: 'a b.img', size: 3 } },
      { method: 'PUT', path: '/qemu/img', body: { path: 'a.img', extend: 1 } },
      { method: 'GET', path: '/network/interfaces?a=1&a=2&b=c+d' },
      { method: 'GET', path: '/qemu/binaries', body: { archs: ['i386'] } },
    ]);
  });

  it('carries bytes both ways where the compute group does', async () => {
    await begin(fakeFar(({ method }) => (method === 'DOWNLOAD' ? 'the bytes' : null)));
    const type = 'application/octet-stream';
    const sent = await upload('POST', '/v2/computes/far/qemu/images/x%20y.img', 'bytes');
    assert.deepEqual(sent, { status: 200, body: {} });
    const got = await get('/v2/computes/far/qemu/images/x%20y.img');
    assert.deepEqual([got.statusCode, got.headers['content-type'], got.body], [200, type, 'the bytes']);
    await get(`/v2/computes/far/projects/${PROJECT}/files/a/b.cfg`);
    assert.deepEqual(far.asked, [
      { method: 'UPLOAD', path: '/qemu/images/x%20y.img', body: 'bytes' },
      { method: 'DOWNLOAD', path: '/qemu/images/x%20y.img' },
      { method: 'DOWNLOAD', path: `/projects/${PROJECT}/files/a/b.cfg` },
    ]);
  });

  it('answers the failure of the compute, and 409 at once when it is away', async () => {
    await begin(
      fakeFar(() => {
        throw conflict('far: it is in the way');
      }),
    );
    const refused = await get('/v2/computes/far/qemu/binaries');
    assert.deepEqual([refused.statusCode, refused.json<{ message: string }>().message], [409, 'far: it is in the way']);
    await away();
    for (const path of ['qemu/binaries', 'qemu/images', 'ports', 'engines']) {
      const answer = await get(`/v2/computes/far/${path}`);
      assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [409, 'compute_unreachable'], path);
    }
  });

  it('leads nowhere but to its compute group, and to no unknown compute', async () => {
    for (const path of ['%2e%2e/projects', 'qemu/..%2f..%2fprojects'])
      assert.equal((await get(`/v2/computes/far/${path}`)).statusCode, 404, path);
    assert.equal((await get('/v2/computes/nowhere/qemu/images')).statusCode, 404);
    assert.equal((await upload('POST', '/v2/computes/nowhere/qemu/img', '{}')).status, 404);
    assert.deepEqual(far.asked, []);
  });

  it('is told where to go itself', async () => {
    const endpoint = async (host: string) => {
      await begin(
        fakeFar(() => null),
        { protocol: 'https', host },
      );
      return (await get('/v2/computes/endpoint/far/qemu/images/a/b')).json<{ endpoint: string }>().endpoint;
    };
    assert.equal(await endpoint('192.0.2.1'), 'https://192.0.2.1:3080/v2/compute/qemu/images/a/b');
    assert.equal(await endpoint('2001:db8::1'), 'https://[2001:db8::1]:3080/v2/compute/qemu/images/a/b');
    assert.equal((await get('/v2/computes/endpoint/nowhere/qemu/images')).statusCode, 404);
  });
});

describe('ports, statistics and engines', () => {
  it('of another compute are its own', async () => {
    const engines = [{ node_type: 'vpcs', engine: 'embedded', available: true, version: null, missing: null }];
    const ports = {
      console_port_range: [1, 2],
      console_ports: [1],
      udp_port_range: [3, 4],
      udp_ports: [],
    };
    await begin(fakeFar(({ path }) => (path === '/statistics' ? { ...STATISTICS, more: 1 } : ports), { engines }));
    assert.deepEqual((await get('/v2/computes/far/ports')).json(), ports);
    assert.deepEqual((await get('/v2/computes/far/engines')).json(), [{ ...engines[0], node_type: 'simple_pc' }]);
    assert.deepEqual((await get('/v2/statistics')).json<object[]>()[1], {
      ...{ compute_id: 'far', compute_name: 'far' },
      statistics: STATISTICS,
    });
    const [own] = (await get('/v2/computes/local/engines')).json<{ node_type: string }[]>();
    assert.equal(own?.node_type, 'machine_emulator');
  });

  it('of one that does not say its engines are none', async () => {
    assert.deepEqual((await get('/v2/computes/far/engines')).json(), []);
    assert.equal((await get('/v2/computes/nowhere/engines')).statusCode, 404);
  });

  it('leave out a compute that is away, refuses, or answers something else', async () => {
    const seen = async () => (await get('/v2/statistics')).json<{ compute_id: string }[]>().map((s) => s.compute_id);
    await away();
    assert.deepEqual(await seen(), ['local']);
    await begin(fakeFar(() => ({ memory_total: 'much' })));
    assert.deepEqual(await seen(), ['local']);
    await begin(
      fakeFar(() => {
        throw new TopologError('compute_unreachable', { name: 'far', reason: 'gone' });
      }),
    );
    assert.deepEqual(await seen(), ['local']);
  });

  it('leave out a compute that does not answer', async () => {
    const silent = (_: unknown, signal?: AbortSignal) =>
      new Promise((_resolve, reject) => {
        // The server's own timer keeps no process alive.
        const held = setInterval(() => undefined, 1_000);
        const end = (): void => {
          clearInterval(held);
          reject(new TopologError('deadline', { what: 'far', seconds: 2 }));
        };
        signal?.addEventListener('abort', end, { once: true });
      });
    await begin(fakeFar(silent));
    assert.equal((await get('/v2/statistics')).json<unknown[]>().length, 1);
  });
});

describe('an operation at a node that is there for it only', () => {
  const WISH = { platform: 'c7200', image: 'c7200.image', ram: 256 };
  const run = () => send('POST', '/v2/computes/far/auto_idlepc', WISH);
  const paths = () => far.asked.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, 'ID')}`);
  const NODES = '/projects/ID/dynamips/nodes';

  it('is requests there, and leaves nothing', async () => {
    await begin(fakeFar(({ method }) => (method === 'GET' ? { idlepc: '0x60606060' } : null)));
    const found = await run();
    assert.deepEqual([found.statusCode, found.json()], [200, { idlepc: '0x60606060' }]);
    assert.deepEqual(paths(), [
      'POST /projects',
      `POST ${NODES}`,
      `GET ${NODES}/ID/auto_idlepc`,
      'DELETE /projects/ID',
    ]);
    const { node_id, ...body } = far.asked[1]?.body as { node_id: string };
    assert.deepEqual(body, { name: 'AUTOIDLEPC', ...WISH });
    assert.equal(far.asked[2]?.path.includes(node_id), true);
  });

  it('starts the node at a Topolog, which leaves that to its controller', async () => {
    await begin(
      fakeFar(() => ({})),
      { capabilities: { ...CAPABILITIES, topolog: '0.2.0' } },
    );
    await run();
    assert.deepEqual(paths().slice(2, 4), [`POST ${NODES}/ID/start`, `GET ${NODES}/ID/auto_idlepc`]);
  });

  it('sends the image that is not there, and deletes what it made when that fails', async () => {
    let lacks = true;
    const missing = conflict('no image', { exception: 'ImageMissingError', image: WISH.image });
    await begin(
      fakeFar(({ method, path }) => {
        if (method === 'UPLOAD') lacks = false;
        if (path.endsWith('/nodes') && lacks) throw missing;
        if (path.endsWith('/auto_idlepc')) throw conflict('far: it does not boot');
        return null;
      }),
    );
    const failed = await run();
    assert.deepEqual([failed.statusCode, failed.json<{ message: string }>().message], [409, 'far: it does not boot']);
    assert.deepEqual(paths(), [
      'POST /projects',
      `POST ${NODES}`,
      'UPLOAD /dynamips/images/c7200.image',
      `POST ${NODES}`,
      `GET ${NODES}/ID/auto_idlepc`,
      'DELETE /projects/ID',
    ]);
  });
});

describe('a compute is connected to and emptied', () => {
  it('by its id', async () => {
    const connected = await send('POST', '/v2/computes/far/connect');
    assert.equal(connected.statusCode, 200);
    computeRecord.parse(connected.json());
    assert.equal((await send('POST', '/v2/computes/local/connect')).statusCode, 200);
    assert.equal((await send('POST', '/v2/computes/nowhere/connect')).statusCode, 404);
    assert.equal((await send('POST', '/v2/computes/far/drain')).statusCode, 200);
    const drained = await send('POST', '/v2/computes/local/drain', { to: 'far', restart: true });
    assert.deepEqual(drained.json(), { moved: [], left: [] });
    assert.deepEqual(lab.calls, [
      ['connectCompute', 'far'],
      ['drainCompute', 'far', { to: 'auto' }],
      ['drainCompute', 'local', { to: 'far', restart: true }],
    ]);
  });

  it('not to where nothing is, nor with what is no wish', async () => {
    assert.equal((await send('POST', '/v2/computes/nowhere/drain', {})).statusCode, 404);
    const unknown = await send('POST', '/v2/computes/far/drain', { to: 'nowhere' });
    assert.deepEqual([unknown.statusCode, unknown.json<{ field: string }>().field], [404, 'to']);
    const wrong = await send('POST', '/v2/computes/far/drain', { restart: 'yes' });
    assert.match(wrong.json<{ message: string }>().message, /restart must be a boolean/);
    assert.deepEqual(lab.calls, []);
  });
});

describe('nodes on other computes', () => {
  const MOVE = `/v2/projects/${PROJECT}/nodes/move`;
  const ONE = `/v2/projects/${PROJECT}/nodes/${NODE}`;

  it('are moved, some or all', async () => {
    assert.equal((await send('POST', MOVE, { to: 'far', nodes: [NODE], restart: true })).statusCode, 200);
    assert.equal((await send('POST', MOVE, { to: 'auto' })).statusCode, 200);
    assert.deepEqual(lab.calls, [
      ['moveNodes', PROJECT, [NODE], { to: 'far', restart: true }],
      ['moveNodes', PROJECT, null, { to: 'auto' }],
    ]);
    for (const [payload, status] of [
      [{}, 400],
      [{ to: 'far', nodes: [] }, 400],
      [{ to: 'far', nodes: ['x'] }, 400],
      [{ to: 'far', nodes: [UNKNOWN] }, 404],
      [{ to: 'nowhere' }, 404],
    ] as const)
      assert.equal((await send('POST', MOVE, payload)).statusCode, status, JSON.stringify(payload));
  });

  it('are moved by their compute_id, which is no change where it stays', async () => {
    assert.equal((await send('PUT', ONE, { compute_id: 'local' })).statusCode, 200);
    assert.deepEqual(lab.calls, []);
    await send('PUT', ONE, { compute_id: 'far' });
    assert.deepEqual(lab.calls, [['updateNode', PROJECT, NODE, { compute_id: 'far' }, 'make_unique']]);
  });

  it('have the address of their compute for their consoles, also when it moves', async () => {
    const hosts = async () =>
      (await get(`/v2/projects/${PROJECT}/nodes`)).json<{ console_host: string }[]>().map((n) => n.console_host);
    lab.records.put('node', NODE, node('simple_pc', { compute_id: 'far' }));
    assert.deepEqual(await hosts(), ['192.0.2.1', '127.0.0.1']);
    lab.records.put('compute', 'far', compute({ host: '192.0.2.7' }));
    assert.deepEqual(await hosts(), ['192.0.2.7', '127.0.0.1']);
    for (const host of ['0.0.0.0', '::']) {
      lab.records.put('compute', 'far', compute({ host }));
      assert.deepEqual(await hosts(), ['127.0.0.1', '127.0.0.1'], host);
    }
  });

  it('say that their compute is away, which can be put back and is no change', async () => {
    lab.records.put('node', NODE, node('simple_pc', { compute_id: 'far', unreachable: 'it is silent' }));
    const record = nodeRecord.parse((await get(ONE)).json());
    assert.equal(record.properties['unreachable'], 'it is silent');
    assert.equal((await send('PUT', ONE, { properties: record.properties })).statusCode, 200);
    const [call] = lab.calls;
    assert.deepEqual((call?.[2] as { properties?: object } | undefined)?.properties ?? {}, {});
  });

  it('do not say it under the names of existing tools', async () => {
    await begin(
      fakeFar(() => null),
      {},
      { names: 'gns3' },
    );
    lab.records.put('node', NODE, node('simple_pc', { compute_id: 'far', unreachable: 'it is silent' }));
    assert.equal(nodeRecord.parse((await get(ONE)).json()).properties['unreachable'], undefined);
  });

  it('have a project that says what becomes of them when another server takes over', async () => {
    const url = `/v2/projects/${PROJECT}`;
    const said = async () => (await get(url)).json<{ on_takeover?: string }>().on_takeover;
    assert.equal(await said(), 'leave');
    assert.equal((await send('PUT', url, { on_takeover: 'restart' })).statusCode, 200);
    const refused = await send('PUT', url, { on_takeover: 'stop' });
    assert.equal(refused.statusCode, 400);
    assert.match(refused.json<{ message: string }>().message, /on_takeover must be one of leave, restart/);
    await begin(undefined, {}, { names: 'gns3' });
    assert.equal(await said(), undefined);
  });

  it('go to the compute of their project, which must be there', async () => {
    const URL = `/v2/projects/${PROJECT}`;
    assert.equal((await get(URL)).json<{ default_compute: string }>().default_compute, 'local');
    for (const default_compute of ['far', 'auto', 'local']) {
      assert.equal((await send('PUT', URL, { default_compute })).statusCode, 200, default_compute);
      assert.equal((await send('POST', '/v2/projects', { name: default_compute, default_compute })).statusCode, 201);
    }
    for (const [method, url] of [
      ['PUT', URL],
      ['POST', '/v2/projects'],
    ] as const) {
      const refused = await send(method, url, { name: 'x', default_compute: 'nowhere' });
      assert.deepEqual([refused.statusCode, refused.json<{ field: string }>().field], [404, 'default_compute']);
    }
  });
});
