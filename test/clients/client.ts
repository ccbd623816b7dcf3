import assert from 'node:assert/strict';
import path from 'node:path';
import { tempDir } from '../support/temp.ts';
import { spawnServer } from '../support/server.ts';
import type { Bag } from '../api/api.ts';
import { assertFields, type FieldTable } from '../api/fields.ts';

/** What a client of another project does, as it does it: against a server process, with the names that it knows. */
export interface Client {
  readonly url: string;
  /** Sends a request as it is given and demands the code. `path` from `/v2` on; `body` as JSON text, bytes as they are. */
  send(code: number, call: string, body?: object | string | Uint8Array): Promise<Sent>;
  /** The JSON object of such an answer. */
  get(code: number, call: string, body?: object): Promise<Bag>;
  list(code: number, call: string): Promise<Bag[]>;
  close(): Promise<void>;
}

export interface Sent {
  text: string;
  bytes: Buffer;
  headers: Headers;
}

/** Kinds whose programs a bare machine lacks, by the names that clients know. */
const EXTERNAL = ['qemu', 'docker', 'dynamips', 'iou', 'virtualbox', 'vmware', 'nat', 'cloud'];
export const FLAGS = [
  '--names',
  'gns3',
  '--simulate',
  ...EXTERNAL.flatMap((kind) => ['--engine', `${kind}=simulated`]),
];

/** `headers` go with every request. */
export const startClient = async (
  headers: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<Client> => {
  const dir = await tempDir();
  const server = await spawnServer(path.join(dir.path, 'data'), [...FLAGS, ...flags]);
  const send: Client['send'] = async (code, call, body) => {
    const [method = '', where = ''] = call.split(' ');
    const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
    const answer = await fetch(`${server.url}${where}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(isJson ? { 'content-type': 'application/json' } : {}) },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString();
    assert.equal(answer.status, code, `${call}: ${text}`);
    return { text, bytes, headers: answer.headers };
  };
  return {
    url: server.url,
    send,
    get: async (code, call, body) => JSON.parse((await send(code, call, body)).text) as Bag,
    list: async (code, call) => JSON.parse((await send(code, call)).text) as Bag[],
    async close() {
      await server.kill('SIGTERM');
      await dir.remove();
      assert.equal(server.child.exitCode, 0, server.output());
    },
  };
};

/** Every field of the table is in each record, with a type that the client can use. */
export const reads = (records: Bag | readonly Bag[], table: FieldTable): void => {
  const all = Array.isArray(records) ? (records as readonly Bag[]) : [records as Bag];
  assert.ok(all.length > 0, 'there is nothing to read from');
  for (const record of all) assertFields(record, table);
};

/** The records with this name; there must be one. */
export const named = (records: readonly Bag[], name: string): Bag => {
  const found = records.find((record) => record['name'] === name);
  assert.ok(found, `${name} is not among ${JSON.stringify(records.map((record) => record['name']))}`);
  return found;
};

export const bag = (value: unknown): Bag => {
  assert.ok(typeof value === 'object' && value !== null, JSON.stringify(value));
  return value as Bag;
};
export const bags = (value: unknown): Bag[] => {
  assert.ok(Array.isArray(value), JSON.stringify(value));
  return value.map(bag);
};
export const text = (record: Bag, field: string): string => {
  const value = record[field];
  assert.equal(typeof value, 'string', `${field} of ${JSON.stringify(record)}`);
  return value as string;
};
