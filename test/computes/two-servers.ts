import assert from 'node:assert/strict';
import { openConsole } from '../support/console.ts';
import { type TestServer, testServer } from '../support/server.ts';

export type Bag = Record<string, unknown>;

/** A server that has another one as its compute `far`, and a lab on both. */
export interface TwoServers {
  here: TestServer;
  far: TestServer;
  /** Answers the body; fails for another code. */
  ask(code: number, method: string, path: string, body?: unknown): Promise<unknown>;
  project: string;
  close(): Promise<void>;
}

const portOf = (server: TestServer): number => Number(new URL(server.url).port);

export const twoServers = async (flags: string[] = [], farFlags: string[] = []): Promise<TwoServers> => {
  const [here, far] = await Promise.all([testServer(['--compute-silence', '3', ...flags]), testServer(farFlags)]);
  const ask = async (code: number, method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await here.request(method, `/v2${path}`, body);
    assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const added = { compute_id: 'far', name: 'far', protocol: 'http', host: '127.0.0.1', port: portOf(far) };
  const compute = (await ask(201, 'POST', '/computes', added)) as Bag;
  assert.equal(compute['connected'], true, JSON.stringify(compute));
  const { project_id } = (await ask(201, 'POST', '/projects', { name: 'both' })) as { project_id: string };
  return {
    ...{ here, far, ask, project: project_id },
    async close() {
      await here.close();
      await far.close();
    },
  };
};

/** A PC at a compute. */
export const pc = async (both: TwoServers, name: string, compute_id: string, more: Bag = {}): Promise<Bag> =>
  (await both.ask(201, 'POST', `/projects/${both.project}/nodes`, {
    name,
    node_type: 'simple_pc',
    compute_id,
    ...more,
  })) as Bag;

export const link = async (both: TwoServers, a: Bag, b: Bag, more: Bag = {}): Promise<Bag> => {
  const ends = [a, b].map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
  return (await both.ask(201, 'POST', `/projects/${both.project}/links`, { nodes: ends, ...more })) as Bag;
};

/** Gives a PC an address, and has it ping another until there is an answer. */
export const address = async (console: unknown, own: string, other?: string): Promise<void> => {
  const shell = await openConsole(Number(console));
  try {
    await shell.type('', /PC\d> $/);
    await shell.type(`ip ${own}/24`, /PC\d> $/);
    for (let n = 0; n < 20 && other !== undefined; n++)
      if (/bytes from/.test(await shell.type(`ping ${other} -c 1`, /PC\d> $/))) return;
    assert.equal(other, undefined, `${own} never reached ${other}`);
  } finally {
    shell.close();
  }
};
