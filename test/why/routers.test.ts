import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WhyAnswer } from '../../src/why/contract.ts';
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
