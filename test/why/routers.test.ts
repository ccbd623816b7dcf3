import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WhyAnswer } from '../../src/why/contract.ts';
import { openConsole } from '../support/console.ts';
import { testServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await testServer();
});
after(() => server.close());

/** Two PCs with two routers between them; `back`: the second router knows the way back. */
const textOf = (name: string, back: boolean): string => `
lab: ${name}
version: 1
nodes:
  PC1: { kind: simple_pc, startup: "ip 10.1.0.2/24 10.1.0.1\\nip 2001:db8:1::2/64 2001:db8:1::1\\n" }
  PC2: { kind: simple_pc, startup: "ip 10.2.0.2/24 10.2.0.1\\nip 2001:db8:2::2/64 2001:db8:2::1\\n" }
  R1:
    kind: simple_router
    startup: |
      interface 0 ip 10.1.0.1/24
      interface 1 ip 10.0.0.1/30
      interface 0 ip 2001:db8:1::1/64
      route 10.2.0.0/24 10.0.0.2
  R2:
    kind: simple_router
    startup: |
      interface 0 ip 10.2.0.1/24
      interface 0 ip 2001:db8:2::1/64
      interface 1 ip 10.0.0.2/30
      ${back ? 'route default 10.0.0.1' : ''}
links:
  - [PC1:0, R1:0]
  - [R1:1, R2:1]
  - [R2:0, PC2:0]
`;

const made = async (text: string): Promise<string> => {
  const applied = await server.request('POST', '/v2/labs/apply', { text, start: true });
  assert.equal(applied.status, 200, applied.text);
  return (applied.body as { project_id: string }).project_id;
};

const ask = async (projectId: string, from: string, to: string): Promise<WhyAnswer> => {
  const { status, body, text } = await server.request('GET', `/v2/projects/${projectId}/why?from=${from}&to=${to}`);
  assert.equal(status, 200, text);
  return body as WhyAnswer;
};

/** Start-up texts run once their nodes have started. */
const askUntil = async (
  projectId: string,
  from: string,
  to: string,
  holds: (answer: WhyAnswer) => boolean,
): Promise<WhyAnswer> => {
  for (;;) {
    const answer = await ask(projectId, from, to);
    if (holds(answer)) return answer;
    assert.notEqual(answer.obstacle, null);
  }
};

interface Asked {
  name: string;
  node_id: string;
  console: number;
}

const as = async (user: string, method: string, path: string, body: unknown = {}): Promise<void> => {
  const { status, text } = await server.request(method, path, body, { 'x-topolog-user': user });
  assert.ok(status < 300, text);
};

describe('why, after a restart', () => {
  const ROUTE = 'route default 10.0.0.1';
  const prepared = async (name: string): Promise<{ lab: string; router: Asked; path: string }> => {
    const lab = await made(textOf(name, false));
    const { body } = await server.request('GET', `/v2/projects/${lab}/nodes`);
    const router = (body as Asked[]).find((node) => node.name === 'R2');
    assert.ok(router);
    return { lab, router, path: `/v2/projects/${lab}/nodes/${router.node_id}` };
  };
  const type = async ({ console }: Asked, line: string): Promise<void> => {
    const screen = await openConsole(console);
    await screen.type(line, /R2[>#]/);
    screen.close();
  };
  /** Start-up texts have run. */
  const isBack = ({ sentence, reaches }: WhyAnswer): boolean =>
    reaches === false && /R2 .* has no route/.test(sentence);

  it('names the one by which a route was lost that somebody had typed', async () => {
    const { lab, router, path } = await prepared('typed');
    await askUntil(lab, 'PC1', 'PC2', isBack);
    await type(router, ROUTE);
    await askUntil(lab, 'PC1', 'PC2', ({ reaches }) => reaches === true);
    await as('mallory', 'POST', `${path}/reload`);
    await as('ben', 'PUT', path, { x: 3 });
    const { obstacle, notes } = await askUntil(lab, 'PC1', 'PC2', isBack);
    assert.deepEqual([obstacle?.since?.by, obstacle?.since?.type], ['mallory', 'node.stop_requested']);
    assert.match(obstacle?.since?.sentence ?? '', /^mallory reloaded R2 at /);
    assert.ok(notes.includes('R2 had it until then: what was typed there is not in its start-up text'));
  });

  it('blames none by which nothing was lost', async () => {
    const { lab, path } = await prepared('untyped');
    await askUntil(lab, 'PC1', 'PC2', isBack);
    await as('mallory', 'POST', `${path}/reload`);
    const { obstacle } = await askUntil(lab, 'PC1', 'PC2', isBack);
    assert.notEqual(obstacle?.since?.by, 'mallory');
  });

  it('names who changed the text that counted only then', async () => {
    const lab = await made(textOf('retyped', true));
    const { body } = await server.request('GET', `/v2/projects/${lab}/nodes`);
    const path = `/v2/projects/${lab}/nodes/${(body as Asked[]).find(({ name }) => name === 'R2')?.node_id ?? ''}`;
    await askUntil(lab, 'PC1', 'PC2', ({ reaches }) => reaches === true);
    const startup_config = 'interface 0 ip 10.2.0.1/24\ninterface 1 ip 10.0.0.2/30';
    await as('mallory', 'PUT', path, { properties: { startup_config } });
    await as('ben', 'POST', `${path}/reload`);
    const { obstacle } = await askUntil(lab, 'PC1', 'PC2', isBack);
    assert.deepEqual([obstacle?.since?.by, obstacle?.since?.type], ['mallory', 'node.updated']);
  });
});

describe('why, over routers', () => {
  it('goes by the longest routes there and back', async () => {
    const lab = await made(textOf('routed', true));
    const { request, reply } = await askUntil(lab, 'PC1', 'PC2', ({ reaches }) => reaches === true);
    assert.deepEqual(
      request.hops.map(({ name }) => name),
      ['PC1', 'R1', 'R2', 'PC2'],
    );
    assert.deepEqual(
      reply.hops.map(({ name }) => name),
      ['PC2', 'R2', 'R1', 'PC1'],
    );
  });

  it('has the VLAN of a switch at that switch alone, there and back', async () => {
    const text = `
lab: behind a switch
version: 1
nodes:
  A: { kind: simple_pc, startup: "ip 10.1.0.2/24 10.1.0.1" }
  C: { kind: simple_pc, startup: "ip 10.2.0.2/24 10.2.0.1" }
  SW1: { kind: ethernet_switch }
  R: { kind: simple_router, startup: "interface 0 ip 10.1.0.1/24\\ninterface 1 ip 10.2.0.1/24" }
links:
  - [A:0, SW1:0]
  - [SW1:2, R:0]
  - [R:1, C:0]
`;
    const { request, reply } = await askUntil(await made(text), 'A', 'C', ({ reaches }) => reaches === true);
    const vlans = ({ hops }: WhyAnswer['request']) => hops.map(({ name, vlan }) => [name, vlan]);
    const ways = [vlans(request), vlans(reply).toReversed()];
    const way = [
      ['A', null],
      ['SW1', 1],
      ['R', null],
      ['C', null],
    ];
    assert.deepEqual(ways, [way, way]);
  });

  it('ends at the router that has no route back', async () => {
    const lab = await made(textOf('one way', false));
    const { sentence, obstacle } = await askUntil(lab, 'PC1', 'PC2', ({ sentence }) => /R2/.test(sentence));
    assert.equal(obstacle?.code, 'no_route');
    assert.match(sentence, /^PC2's answers do not come back to PC1: R2 .* has no route to 10\.1\.0\.2/);
  });

  it('takes routes of IPv6 for addresses of IPv6', async () => {
    const lab = await made(textOf('six', true));
    const { sentence } = await askUntil(lab, 'PC1', '2001:db8:2::2', ({ sentence }) => /R1/.test(sentence));
    assert.match(sentence, /R1 .* has no route to 2001:db8:2::2/);
  });
});
