import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { checkRoom } from '../../src/actors/context.ts';
import { LENGTHS, MOST, MOST_ITEMS } from '../../src/common/bounds.ts';
import { TopologError } from '../../src/common/errors.ts';
import { validate } from '../../src/http/server/validate.ts';
import { nodeUpdate } from '../../src/http/v2/nodes/nodes.ts';
import type { RecordView } from '../../src/projections/records.ts';
import { type Document, operationsOf, type Schema, Schemas } from '../fuzz/document.ts';
import { fakeLab, NODE, NODE_2, node, PROJECT, serve } from './fake-lab.ts';
import { FakeRecords } from './fake-records.ts';

const lab = fakeLab();
const app = serve(lab);
after(() => app.close());

const document = async (): Promise<Document> => (await app.inject('/v2/openapi.json')).json<Document>();

/** Says where a schema takes texts, lists or tables of any size; what is only read is ignored and not kept. */
const unbounded = (schemas: Schemas, given: Schema, where: string, seen: ReadonlySet<Schema>): string[] => {
  const schema = schemas.resolve(given);
  if (seen.has(schema) || schema['readOnly'] === true) return [];
  const inner = new Set([...seen, schema]);
  const at = (sub: Schema, name: string): string[] => unbounded(schemas, sub, `${where}.${name}`, inner);
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'] ?? []) as Schema[];
  return [
    ...choices.flatMap((choice, n) => at(choice, String(n))),
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, sub]) => at(sub, name)),
    ...(schema['type'] === 'array' && schema['maxItems'] === undefined ? [`${where}: a list without maxItems`] : []),
    ...(isSchema(schema['items']) ? at(schema['items'], 'items') : []),
    ...(isSchema(schema['additionalProperties']) ? at(schema['additionalProperties'], 'additionalProperties') : []),
    ...(schema['type'] === 'string' && !isBounded(schema) ? [`${where}: a text without maxLength`] : []),
  ];
};

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
/** Patterns of a few characters only are bounded by themselves. */
const isBounded = (schema: Schema): boolean =>
  schema['maxLength'] !== undefined ||
  ['enum', 'const', 'format'].some((key) => key in schema) ||
  (typeof schema['pattern'] === 'string' && !/[*+]|\{\d+,\}/.test(schema['pattern']));

describe('what a body may have', () => {
  it('is bounded in the document, whatever operation takes it', async () => {
    const read = await document();
    const schemas = new Schemas(read);
    const found = operationsOf(read).flatMap(({ method, path, body }) =>
      body === null ? [] : unbounded(schemas, body, `${method} ${path}`, new Set()),
    );
    assert.deepEqual(found, []);
  });

  it('may be as long as the bound, and is refused with field and bound when it is longer', async () => {
    const put = (body: object) => app.inject({ method: 'PUT', url: `/v2/projects/${PROJECT}/nodes/${NODE}`, body });
    const longest = 'n'.repeat(LENGTHS.name);
    assert.equal((await put({ port_name_format: longest })).statusCode, 200);
    for (const field of ['name', 'port_name_format', 'first_port_name']) {
      const answer = await put({ [field]: `${longest}n` });
      assert.equal(answer.statusCode, 400);
      assert.match(
        answer.json<{ message: string }>().message,
        new RegExp(`: ${field} must have at most 255 characters$`),
      );
    }
    const adapters = Array.from({ length: MOST_ITEMS + 1 }, (_, adapter_number) => ({ adapter_number }));
    const answer = await put({ custom_adapters: adapters });
    assert.match(answer.json<{ message: string }>().message, /: custom_adapters must have at most 1024 items$/);
    const usage = await put({ properties: { usage: 'u'.repeat(LENGTHS.text + 1) } });
    assert.equal(usage.statusCode, 400);
  });
});

describe('a body that is wrong everywhere', () => {
  it('is looked at no further than its answer tells, whatever else is wrong with it', (t) => {
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`nam${n}`, n]));
    const compared = t.mock.method(String.prototype, 'toLowerCase');
    for (const body of [keys, { custom_adapters: [keys, keys] }])
      assert.throws(() => validate(nodeUpdate, body), /The request is not valid/);
    // Each key is held against all that are known.
    assert.ok(compared.mock.callCount() < 5_000, `${compared.mock.callCount()} comparisons`);
  });
});

describe('an answer', () => {
  it('has the ports that the kind makes of the settings, whatever an old log has stored', async () => {
    const [port] = node('machine_emulator').ports ?? [];
    assert.ok(port !== undefined);
    const stored = [{ ...port, name: 'x'.repeat(200_000) }];
    const old = node('machine_emulator', { node_id: NODE_2, port_name_format: 'y'.repeat(200_000), ports: stored });
    lab.records.put('node', NODE_2, { ...old, properties: { ...old.properties, adapters: 275 } });
    const answer = await app.inject(`/v2/projects/${PROJECT}/nodes/${NODE_2}`);
    const { ports } = answer.json<{ ports: { name: string }[] }>();
    assert.equal(ports.length, 275);
    assert.equal(ports[0]?.name, 'y'.repeat(LENGTHS.line));
    assert.ok(answer.body.length < 4e6, `${answer.body.length} octets`);
  });

  it('that lists many nodes has all of them, in order, and is sent in pieces', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => node('simple_pc', { node_id: randomUUID(), name: `N${n}` }));
    for (const one of many) lab.records.put('node', one.node_id, one);
    const answer = await app.inject(`/v2/projects/${PROJECT}/nodes`);
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.equal(answer.headers['content-length'], undefined);
    const names = answer.json<{ name: string }[]>().map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name.startsWith('N')),
      many.map(({ name }) => name),
    );
  });
});

describe('a project', () => {
  it('takes no more nodes, links and drawings than it may have, and says how many that are', () => {
    for (const collection of ['node', 'link', 'drawing'] as const) {
      const view = (count: number): RecordView => Object.assign(new FakeRecords(), { count: () => count });
      checkRoom(view(MOST[collection] - 1), PROJECT, collection);
      assert.throws(
        () => checkRoom(view(MOST[collection]), PROJECT, collection),
        (error) =>
          error instanceof TopologError && error.message.endsWith(`at most ${MOST[collection]} ${collection}s`),
      );
    }
  });
});
