import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { fakeLab, kinds, LINK, NODE, PROJECT, serve, UNKNOWN } from './fake-lab.ts';
import { routerPath } from '../../src/http/routing/path-template.ts';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { content?: unknown }>;
}

const lab = fakeLab();
const app = serve(lab);
after(() => app.close());

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const document = async () => {
  const answer = await app.inject('/v2/openapi.json');
  return answer.json<{ openapi: string; paths: Record<string, Record<string, Operation>> }>();
};

/** A path with every placeholder filled; `over` replaces one. */
const fill = (template: string, over: Record<string, string> = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => over[name] ?? (name.endsWith('_number') ? '0' : UNKNOWN));

const operations = Object.entries((await document()).paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method.toLowerCase()];
    return operation ? [{ path, method, operation }] : [];
  }),
);

/** Rows of the endpoint summary of the specification. */
const nodeOf = (kind: string) => `/v2/compute/projects/{project_id}/${kind}/nodes/{node_id}`;
const port = 'adapters/{adapter_number}/ports/{port_number}';
const SPECIFIED: [string, string, number][] = [
  ['GET', '/v2/projects/{project_id}/drawings/{drawing_id}', 200],
  ['PUT', '/v2/projects/{project_id}/drawings/{drawing_id}', 201],
  ['DELETE', '/v2/projects/{project_id}/drawings/{drawing_id}', 204],
  ['GET', '/v2/projects/{project_id}/links/{link_id}', 200],
  ['PUT', '/v2/projects/{project_id}/links/{link_id}', 201],
  ['DELETE', '/v2/projects/{project_id}/links/{link_id}', 204],
  ['POST', '/v2/projects/load', 201],
  ['POST', '/v2/projects/{project_id}/nodes/start', 204],
  ['POST', '/v2/projects/{project_id}/nodes/stop', 204],
  ['GET', '/v2/compute/version', 200],
  ...['desktop_vm_a', 'desktop_vm_b', 'nat'].flatMap((kind): [string, string, number][] => [
    ['GET', nodeOf(kind), 200],
    ['PUT', nodeOf(kind), 200],
    ['DELETE', nodeOf(kind), 204],
  ]),
  ['POST', '/v2/compute/projects/{project_id}/machine_emulator/nodes', 201],
  ['POST', '/v2/compute/projects/{project_id}/nat/nodes', 201],
  ['POST', `${nodeOf('trace_tool')}/start`, 200],
  ['POST', `${nodeOf('container')}/${port}/start_capture`, 200],
  ...['desktop_vm_a', 'switch_router_emulator', 'router_emulator'].flatMap((kind): [string, string, number][] => [
    ['POST', `${nodeOf(kind)}/${port}/nio`, 201],
    ['PUT', `${nodeOf(kind)}/${port}/nio`, 201],
    ['DELETE', `${nodeOf(kind)}/${port}/nio`, 204],
  ]),
];

describe('the table of routes', () => {
  it('has every row of the specification with its success code', () => {
    const found = SPECIFIED.map(([method, path, code]) => {
      const operation = operations.find((o) => o.path === path && o.method === method)?.operation;
      return [method, path, operation?.responses[code] ? code : undefined];
    });
    assert.deepEqual(found, SPECIFIED);
  });

  it('has create, read, update, delete, start, stop, suspend, NIO and capture for each of the 15 kinds', () => {
    assert.equal(kinds.all().length, 15);
    const wanted = kinds.all().flatMap(({ name }) => {
      const one = nodeOf(name);
      return [
        `POST ${one.replace('/{node_id}', '')}`,
        ...['GET', 'PUT', 'DELETE'].map((m) => `${m} ${one}`),
        ...['start', 'stop', 'suspend'].map((action) => `POST ${one}/${action}`),
        ...['POST', 'DELETE'].map((m) => `${m} ${one}/${port}/nio`),
        ...['start_capture', 'stop_capture'].map((action) => `POST ${one}/${port}/${action}`),
        `GET ${one}/${port}/pcap`,
      ];
    });
    const there = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    assert.deepEqual(
      wanted.filter((row) => !there.has(row)),
      [],
    );
  });

  it('makes a document that is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(await document());
    assert.deepEqual(result.errors ?? [], []);
    assert.equal(validator.version, '3.1');
  });

  it('says of each operation what its body and Idempotency-Key may be answered with', () => {
    for (const { method, path, operation } of operations) {
      const codes = Object.keys(operation.responses);
      const hasBody = operation.requestBody !== undefined || method === 'POST';
      assert.ok(!hasBody || codes.includes('400'), `${method} ${path}`);
      const isKept = codes.includes('204') || operation.responses['201']?.content !== undefined;
      const isStream = JSON.stringify(operation.responses['201'] ?? {}).includes('binary');
      if (method === 'POST' && isKept && !isStream) assert.ok(codes.includes('409'), `${method} ${path}`);
    }
  });

  it('puts every route the server has into the document, and none twice', () => {
    const registered = operations.filter(({ method, path }) => app.hasRoute({ method, url: routerPath(path) }));
    assert.equal(registered.length, operations.length);
    const listed = app.printRoutes({ commonPrefix: false }).match(/\((?:[A-Z, ]+)\)/g) ?? [];
    const methods = listed.flatMap((m) => m.replace(/[()]/g, '').split(', ')).filter((m) => m !== 'HEAD');
    assert.equal(methods.length, operations.length);
    assert.equal(new Set(operations.map((o) => o.operation.operationId)).size, operations.length);
  });
});

/** Placeholders that take any text. */
const FREE = new Set(['compute_id', 'symbol_id', 'capture_name', 'path', 'filename', 'action', 'emulator', 'engine']);

describe('every route', () => {
  it('answers 400 with its template in X-Route when an identifier is malformed', async () => {
    const checked = new Set<string>();
    for (const { method, path } of operations)
      for (const name of path.match(/\{(\w+)\}/g)?.map((p) => p.slice(1, -1)) ?? []) {
        if (FREE.has(name)) continue;
        const answer = await app.inject({ method, url: fill(path, { [name]: 'not-an-id' }), payload: '{}' });
        assert.equal(answer.statusCode, 400, `${method} ${path}`);
        assert.equal(answer.headers['x-route'], path);
        assert.match(answer.json<{ message: string }>().message, new RegExp(name));
        checked.add(name);
      }
    assert.deepEqual([...checked].sort(), [
      'adapter_number',
      'check_id',
      'drawing_id',
      'link_id',
      'node_id',
      'packet_number',
      'port_number',
      'position',
      'project_id',
      'recording_name',
      'replay_id',
      'snapshot_id',
      'template_id',
      'weather_id',
    ]);
  });

  it('answers a JSON error and never 500 when what it names does not exist', async () => {
    const before = lab.defects.length;
    for (const { method, path } of operations) {
      // A symbol that is not there is the computer; an import makes what it names.
      if (!path.includes('{') || path.includes('{symbol_id}') || path.endsWith('/import')) continue;
      const answer = await app.inject({ method, url: fill(path), payload: '{}' });
      assert.equal(answer.headers['x-route'], path);
      if (answer.statusCode === 204) {
        assert.equal(answer.body, '');
        continue;
      }
      assert.equal(answer.headers['content-type'], 'application/json');
      const { status, message } = answer.json<{ status: number; message: string }>();
      assert.equal(status, answer.statusCode);
      assert.ok(answer.statusCode === 404 || answer.statusCode === 400, `${method} ${path} ${answer.statusCode}`);
      assert.ok(message.length > 0);
    }
    assert.deepEqual(lab.defects.slice(before), []);
  });

  it('takes no unknown key where it takes a closed body, and names the key', async () => {
    let checked = 0;
    for (const { method, path, operation } of operations) {
      const schema = operation.requestBody?.content['application/json']?.schema as { $ref?: string } | undefined;
      if (!schema || schema.$ref?.endsWith('/AnyObject')) continue;
      // Which keys it has is known once its type is; test/api/templates names them.
      if (path === '/v2/templates') continue;
      const answer = await app.inject({ method, url: fill(path, ids(path)), payload: { no_such_key: 1 } });
      if (answer.statusCode === 404) continue; // the node of this kind is not in the fake lab
      assert.equal(answer.statusCode, 400, `${method} ${path}`);
      const { errors } = answer.json<{ errors: { field: string }[] }>();
      const named = errors.some(({ field }) => field === 'no_such_key' || field === 'type');
      assert.ok(named, `${method} ${path} ${answer.body}`);
      checked++;
    }
    assert.ok(checked > 60);
  });

  it('answers 405 with Allow and its template for a method it does not have', async () => {
    for (const path of new Set(operations.map((o) => o.path))) {
      const answer = await app.inject({ method: 'PATCH', url: fill(path), payload: '{broken' });
      assert.equal(answer.statusCode, 405, path);
      const allowed = operations.filter((o) => o.path === path).map((o) => o.method as string);
      const given = String(answer.headers.allow).split(', ');
      assert.deepEqual(given.filter((m) => m !== 'HEAD').sort(), allowed.sort());
      assert.equal(answer.headers['x-route'], path);
      assert.equal(answer.json<{ status: number }>().status, 405);
    }
  });
});

const ids = (path: string): Record<string, string> =>
  path.includes('simple_pc') || !path.startsWith('/v2/compute')
    ? { project_id: PROJECT, node_id: NODE, link_id: LINK }
    : {};

describe('a path that is not there', () => {
  it('is 404 in JSON with X-Route *', async () => {
    for (const url of [
      '/',
      '/v2',
      '/v2/nothing',
      '/v2/projects/',
      '/v2//projects',
      `/v2/compute/projects/${PROJECT}/toaster/nodes`,
    ]) {
      const answer = await app.inject({ method: 'POST', url, payload: '{broken' });
      assert.equal(answer.statusCode, 404, url);
      assert.equal(answer.headers['x-route'], '*');
      assert.equal(answer.json<{ code: string }>().code, 'no_route');
    }
  });

  it('is 400 when it is not validly percent-encoded', async () => {
    for (const url of ['/v2/projects/%zz', '/v2/projects/%c3%28']) {
      const answer = await app.inject(url);
      assert.equal(answer.statusCode, 400, url);
      assert.equal(answer.headers['x-route'], '*');
      assert.equal(answer.headers['content-type'], 'application/json');
    }
  });

  it('has no PUT NIO on kinds that cannot update one', async () => {
    const url = `/v2/compute/projects/${PROJECT}/ethernet_switch/nodes/${NODE}/adapters/0/ports/0/nio`;
    const answer = await app.inject({ method: 'PUT', url, payload: '{}' });
    assert.equal(answer.statusCode, 405);
    assert.equal(answer.headers.allow, 'DELETE, POST');
  });
});
