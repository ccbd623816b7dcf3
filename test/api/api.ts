import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Answer, request, testServer, type TestServer } from '../support/server.ts';

/** A record or a body. */
export type Bag = Record<string, unknown>;
/** Values of the placeholders of a row's path. */
export type Values = Readonly<Record<string, string | number>>;

export interface Reply extends Answer {
  body: Bag;
}

/** A client of a running server. A row is a method and a path template: `GET /v2/projects/{project_id}`. */
export interface Api {
  readonly url: string;
  readonly server: TestServer;
  /** Asks, and holds the answer against the conventions that all answers share. */
  ask(row: string, values?: Values, body?: unknown): Promise<Reply>;
  /** Body of an answer that must have this code. */
  get(code: number, row: string, values?: Values, body?: unknown): Promise<Bag>;
  /** Id of a new, opened project. */
  project(): Promise<string>;
  /** A node made through the compute group. */
  node(project_id: string, kind: string, body?: Bag): Promise<Bag>;
  /** The project's records of the controller group. */
  list(project_id: string, what: 'nodes' | 'links' | 'drawings'): Promise<Bag[]>;
  close(): Promise<void>;
}

/** What a node of a kind cannot be created without, beside its name. */
const NEEDED: Readonly<Record<string, Bag>> = {
  desktop_vm_a: { vmname: 'a machine' },
  desktop_vm_b: { vmx_path: '/machines/one.vmx' },
  container: { image: 'busybox:latest' },
  router_emulator: { platform: 'c3725', image: 'c3725.image', ram: 128 },
  switch_router_emulator: { path: 'l3.bin' },
};

export const KINDS = [
  ...['desktop_vm_a', 'desktop_vm_b', 'machine_emulator', 'container', 'router_emulator', 'switch_router_emulator'],
  ...['trace_tool', 'simple_pc', 'nat', 'cloud', 'ethernet_hub', 'ethernet_switch', 'frame_relay_switch', 'atm_switch'],
] as const;

/** Kinds whose engines may or may not be installed here: simulated, so that a test is the same everywhere. */
const EXTERNAL = KINDS.slice(0, 6).concat('nat', 'cloud');
const SIMULATE = ['--simulate', ...EXTERNAL.flatMap((kind) => ['--engine', `${kind}=simulated`])];

export const startApi = async (flags: readonly string[] = SIMULATE): Promise<Api> => {
  const server = await testServer([...flags]);
  return apiOf(server);
};

/** `headers` go with every request. */
export const apiOf = (server: TestServer, headers: Readonly<Record<string, string>> = {}): Api => {
  let named = 0;
  const api: Api = {
    server,
    get url() {
      return server.url;
    },
    ask: (row, values = {}, body) => ask(server.url, { row, values, body, headers }),
    async get(code, row, values, body) {
      const reply = await api.ask(row, values, body);
      assert.equal(reply.status, code, `${row}: ${reply.text}`);
      return reply.body;
    },
    async project() {
      const name = `lab ${String((named += 1))}`;
      const { project_id } = await api.get(201, 'POST /v2/projects', {}, { name });
      return String(project_id);
    },
    node: (project_id, kind, body = {}) => {
      const given = { name: `n${String((named += 1))}`, ...NEEDED[kind], ...body };
      return api.get(201, `POST /v2/compute/projects/{project_id}/${kind}/nodes`, { project_id }, given);
    },
    async list(project_id, what) {
      const reply = await api.ask(`GET /v2/projects/{project_id}/${what}`, { project_id });
      return reply.body as unknown as Bag[];
    },
    close: () => server.close(),
  };
  return api;
};

interface Question {
  row: string;
  values: Values;
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

const ask = async (url: string, { row, values, body, headers }: Question): Promise<Reply> => {
  const [method = '', template = ''] = row.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    assert.ok(value !== undefined, `${row} needs a value for ${name}`);
    return encodeURIComponent(value);
  });
  const reply = await request(url, method, path, body, headers);
  const seen = `${row}: ${reply.status} ${reply.text}`;
  assert.notEqual(reply.status, 500, seen);
  assert.equal(reply.headers.get('x-route'), template, seen);
  if (reply.status === 204) {
    assert.equal(reply.text, '', seen);
    assert.equal(reply.headers.get('content-length'), '0', seen);
  } else assert.equal(reply.headers.get('content-type'), 'application/json', seen);
  if (reply.status >= 400) assertError(reply, seen);
  return reply as Reply;
};

/** Every error is a sentence, its status and a code that does not change, and never a stack trace. */
const assertError = ({ body, status, text }: Answer, seen: string): void => {
  const error = body as Bag;
  assert.equal(error['status'], status, seen);
  assert.equal(typeof error['code'], 'string', seen);
  assert.match(String(error['message']), /\w+ \w+/, seen);
  assert.doesNotMatch(text, /\bat .+\.(js|ts):\d+/, seen);
};

export const id = (record: Bag, name = 'node_id'): string => {
  const value = record[name];
  assert.equal(typeof value, 'string', `${name} of ${JSON.stringify(record)}`);
  return value as string;
};

/** Bodies that no route takes: not JSON, not an object, not UTF-8 is left to the tests of the facade. */
const BROKEN_BODIES = ['{"name":', 'nonsense', '[]', '"text"', '7'] as const;

/** Identifiers that are none. */
export const NO_UUIDS = ['1', 'not-a-uuid', `${randomUUID()}0`, randomUUID().replaceAll('-', ''), '%'] as const;

/** Each path placeholder of a row that holds an identifier, malformed in turn, must be a 400. */
export const assertMalformedIds = async (api: Api, row: string, values: Values): Promise<void> => {
  const names = [...row.matchAll(/\{(\w+_id)\}/g)].map(([, name = '']) => name);
  assert.ok(names.length > 0, row);
  for (const name of names)
    for (const wrong of NO_UUIDS) {
      const { message } = await api.get(400, row, { ...values, [name]: wrong });
      assert.match(String(message), new RegExp(name), `${row} with ${name} = ${wrong}`);
    }
};

/** Bodies that are no JSON object must be a 400. */
export const assertBrokenBodies = async (api: Api, row: string, values: Values): Promise<void> => {
  for (const body of BROKEN_BODIES) await api.get(400, row, values, body);
};

/** Each body must be a 400 whose sentence names the field. */
export const assertWrongFields = async (
  api: Api,
  row: string,
  values: Values,
  bodies: Readonly<Record<string, Bag>>,
): Promise<void> => {
  for (const [field, body] of Object.entries(bodies)) {
    const { message } = await api.get(400, row, values, body);
    assert.ok(String(message).includes(field), `${row}: ${String(message)} does not name ${field}`);
  }
};
