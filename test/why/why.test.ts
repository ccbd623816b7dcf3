import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WhyAnswer } from '../../src/why/contract.ts';
import { makeLab, type MadeLab } from '../faults/labs/made-lab.ts';
import { LABS } from '../faults/labs/specs.ts';
import { testServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await testServer();
});
after(() => server.close());

let made = 0;
const labOf = (name: string): Promise<MadeLab> => {
  const spec = LABS.find((one) => one.name === name);
  assert.ok(spec);
  return makeLab(server, spec, `${name} ${++made}`);
};

const ask = async (lab: MadeLab, from: string, to: string, more = ''): Promise<WhyAnswer> => {
  const { status, body, text } = await server.request('GET', `/v2/projects/${lab.id}/why?from=${from}&to=${to}${more}`);
  assert.equal(status, 200, text);
  return body as WhyAnswer;
};

const linkAt = (lab: MadeLab, end: string): string => lab.links.find(({ ends }) => ends.includes(end))?.link_id ?? '';
const nodeOf = (lab: MadeLab, name: string): string => `/nodes/${lab.nodes.get(name) ?? ''}`;

/** What somebody did last. */
const lastOf = async (lab: MadeLab, user: string): Promise<number> => (await lab.rootsOf(user, 0)).at(-1) ?? 0;

/** A start-up script runs once its PC has started. */
const untilItReaches = async (lab: MadeLab, from: string, to: string): Promise<WhyAnswer> => {
  for (;;) {
    const answer = await ask(lab, from, to);
    if (answer.reaches === true) return answer;
    assert.equal(answer.obstacle?.code, 'no_address', answer.sentence);
  }
};

describe('why', () => {
  it('follows a ping there and back, with ports, links and VLANs', async () => {
    const lab = await labOf('vlans');
    const { request, reply, sentence, obstacle } = await untilItReaches(lab, 'PC1', 'PC2');
    assert.equal(sentence, 'PC1 reaches PC2.');
    assert.equal(obstacle, null);
    assert.deepEqual(
      request.hops.map(({ name, in: into, out, vlan }) => [into, name, out, vlan]),
      [
        [null, 'PC1', 'Ethernet0', null],
        ['Ethernet1', 'SW1', 'Ethernet0', 10],
        ['Ethernet0', 'SW2', 'Ethernet1', 10],
        ['Ethernet0', 'PC2', null, null],
      ],
    );
    assert.deepEqual(
      request.hops.map(({ link_id }) => link_id),
      [null, linkAt(lab, 'PC1'), linkAt(lab, 'SW1:0'), linkAt(lab, 'PC2')],
    );
    assert.deepEqual(
      reply.hops.map(({ name }) => name),
      ['PC2', 'SW2', 'SW1', 'PC1'],
    );
  });

  it('tells what captures on the way have of the ping', { timeout: 60_000 }, async () => {
    const lab = await labOf('switch');
    await untilItReaches(lab, 'PC1', 'PC2');
    // From here on PC1 knows where PC2 is.
    assert.ok(await lab.ping('PC1', 'PC2'));
    for (const end of ['PC1', 'PC2']) await lab.ask('ada', 'POST', `/links/${linkAt(lab, end)}/start_capture`);
    await lab.ask('ada', 'PUT', `/links/${linkAt(lab, 'PC2')}`, { filters: { 'packet_loss>': [100] } });
    const sight = async (): Promise<string[]> =>
      (await ask(lab, 'PC1', 'PC2')).notes.filter((note) => note.startsWith('the capture of'));
    assert.deepEqual(
      (await sight()).map((note) => note.replace(/^the capture of /, '')),
      [
        'PC1 Ethernet0 – SW1 Ethernet0 has no packet from 10.0.0.1 to 10.0.0.2, and none back',
        'PC2 Ethernet0 – SW1 Ethernet1 has no packet from 10.0.0.1 to 10.0.0.2, and none back',
      ],
    );
    await lab.ping('PC1', 'PC2');
    let notes = await sight();
    // A capture is on disk a moment later.
    while (notes.some((note) => note.includes('no packet'))) notes = await sight();
    const [first = '', second = ''] = notes;
    assert.match(first, /has 1 packet from 10\.0\.0\.1 to 10\.0\.0\.2, the last at 20\S+Z, and none back$/);
    assert.match(second, /has 1 packet from 10\.0\.0\.1 to 10\.0\.0\.2, the last at 20\S+Z, and none back$/);
  });

  it('names what is in the way, who did it and when, and at a moment before it says that there was nothing', async () => {
    const lab = await labOf('vlans');
    await untilItReaches(lab, 'PC1', 'PC2');
    const well = await lab.position();
    await lab.ask('mallory', 'PUT', `/links/${linkAt(lab, 'SW1:0')}`, { suspend: true });
    await lab.ask('ben', 'PUT', nodeOf(lab, 'SW1'), { x: 7 });
    const { reaches, sentence, obstacle } = await ask(lab, 'PC1', 'PC2');
    assert.equal(reaches, false);
    assert.equal(obstacle?.code, 'link_suspended');
    assert.equal(obstacle?.link_id, linkAt(lab, 'SW1:0'));
    assert.equal(obstacle?.since?.by, 'mallory');
    assert.equal(obstacle?.since?.position, await lastOf(lab, 'mallory'));
    assert.match(sentence, /^PC1 does not reach PC2: the link SW1 Ethernet0 – SW2 Ethernet0 is suspended\. mallory /);
    assert.equal((await ask(lab, 'PC1', 'PC2', `&at=${well}`)).reaches, true);
  });

  it('names the event that stopped a node, or made one that never ran, although the other node was made later', async () => {
    const lab = await labOf('switch');
    const made = async (name: string): Promise<number> => {
      await lab.ask('ada', 'POST', '/nodes', { name, node_type: 'simple_pc', compute_id: 'local' });
      return lastOf(lab, 'ada');
    };
    const sinceOf = async (from: string, to: string, at = ''): Promise<[string, number | undefined]> => {
      const { obstacle } = await ask(lab, from, to, at);
      return [obstacle?.key.replace(/:.*/, '') ?? '', obstacle?.since?.position];
    };
    await lab.ask('mallory', 'POST', `${nodeOf(lab, 'PC1')}/stop`);
    const stopped = await lastOf(lab, 'mallory');
    const five = await made('PC5');
    await made('PC6');
    assert.deepEqual(await sinceOf('PC1', 'PC6'), ['node_stopped', stopped]);
    assert.deepEqual(await sinceOf('PC5', 'PC6'), ['node_stopped', five]);
    const then = `&at=${await lab.position()}`;
    await lab.ask('ben', 'POST', `${nodeOf(lab, 'PC1')}/start`);
    await lab.ask('ben', 'POST', `${nodeOf(lab, 'PC1')}/stop`);
    assert.deepEqual(await sinceOf('PC1', 'PC6', then), ['node_stopped', stopped]);
    assert.deepEqual(await sinceOf('PC1', 'PC6'), ['node_stopped', await lastOf(lab, 'ben')]);
  });

  it('tells the way past what is gone', async () => {
    const lab = await labOf('tree');
    await lab.ask('mallory', 'DELETE', nodeOf(lab, 'CORE'));
    const { obstacle, request } = await ask(lab, 'PC1', 'PC3');
    assert.equal(obstacle?.code, 'link_gone');
    assert.equal(obstacle?.since?.by, 'mallory');
    assert.deepEqual(
      request.hops.map(({ name }) => name),
      ['PC1', 'SW1', 'CORE', 'SW2', 'PC3'],
    );
  });

  it('sees a filter of one direction in that direction', async () => {
    const lab = await labOf('cable');
    await untilItReaches(lab, 'PC1', 'PC2');
    await lab.ask('mallory', 'PUT', `/links/${linkAt(lab, 'PC1')}`, { filters: { 'packet_loss<': [100] } });
    const { sentence, request, obstacle } = await ask(lab, 'PC1', 'PC2');
    assert.deepEqual(request.obstacles, []);
    assert.equal(obstacle?.code, 'link_filter');
    assert.match(sentence, /^PC2's answers do not come back to PC1: /);
  });

  it('names the event that set the filter, with the value, that is in the way', async () => {
    const lab = await labOf('cable');
    await untilItReaches(lab, 'PC1', 'PC2');
    const link = linkAt(lab, 'PC1');
    const name = 'PC1 Ethernet0 – PC2 Ethernet0';
    for (const [filters, deed] of [
      [{ bpf: ['icmp'] }, `set bpf to icmp on the link ${name}`],
      [{ packet_loss: [100] }, `set packet_loss to 100 % on the link ${name}`],
      [{ delay: [3000] }, `set delay to 3000 ms on the link ${name}`],
      [{ delay: [4000], packet_loss: [5] }, `set the filters delay 4000 ms, packet_loss 5 % on the link ${name}`],
    ] as const) {
      await lab.ask('mallory', 'PUT', `/links/${link}`, { filters });
      const position = await lastOf(lab, 'mallory');
      await lab.ask('ben', 'PUT', `/links/${link}`, { filters: { ...filters, seed: [position] } });
      const { obstacle, sentence } = await ask(lab, 'PC1', 'PC2');
      assert.equal(obstacle?.code, 'link_filter', sentence);
      assert.equal(obstacle?.since?.position, position, sentence);
      assert.ok(obstacle?.since?.sentence.startsWith(`mallory ${deed} at `), sentence);
    }
  });

  it('names the weather, by the storm that does it, and nobody who did not', { timeout: 60_000 }, async () => {
    const lab = await labOf('switch');
    await untilItReaches(lab, 'PC1', 'PC2');
    const link = linkAt(lab, 'PC2');
    const name = 'PC2 Ethernet0 – SW1 Ethernet1';
    await lab.ask('ada', 'PUT', '/weather', {
      entries: [
        { name: 'haze', filters: { packet_loss: [1] } },
        { name: 'gusts', at: '1m', for: '1m', links: [link], suspend: true },
        { name: 'calm', at: '1m', crash: ['PC4'] },
        { name: 'fog', at: '2m', for: '1m', links: [link], filters: { delay: [2000] } },
        { at: '3m', for: '1m', links: [link], suspend: true },
        { name: 'lightning', at: '4m', crash: ['PC2'] },
      ],
    });
    await lab.ask('ada', 'POST', '/weather/start', { paused: true });
    for (const [at, deed] of [
      [60, `The weather (gusts) suspended the link ${name}`],
      [120, `The weather (fog) set delay to 2000 ms on the link ${name}`],
      [180, `The weather suspended the link ${name}`],
      [240, 'The weather (lightning) crashed PC2'],
    ] as const) {
      await lab.ask('mallory', 'POST', '/weather/skip', { to: at });
      let answer = await ask(lab, 'PC1', 'PC2');
      // What it does is not waited for.
      while (!answer.sentence.includes(deed)) answer = await ask(lab, 'PC1', 'PC2');
      const { since } = answer.obstacle ?? {};
      assert.ok(since?.sentence.startsWith(`${deed} at `), answer.sentence);
      assert.equal(since?.by, 'system');
      assert.equal((await lab.eventAt(since?.position ?? 0)).by.principal, 'system');
    }
  });

  it('lets the node try it: what becomes of that counts', async () => {
    const lab = await labOf('switch');
    await untilItReaches(lab, 'PC1', 'PC2');
    const attempt = async (from: string, to: string): Promise<WhyAnswer> =>
      (await lab.ask('ada', 'POST', '/why', { from, to })) as unknown as WhyAnswer;
    const well = await attempt('PC1', 'PC2');
    assert.deepEqual([well.reaches, well.tried?.reaches, well.sentence], [true, true, 'PC1 reaches PC2.']);
    await lab.ask('mallory', 'PUT', `/links/${linkAt(lab, 'PC2')}`, { filters: { packet_loss: [60] } });
    assert.equal((await ask(lab, 'PC1', 'PC2')).reaches, null);
    await lab.ask('mallory', 'PUT', `/links/${linkAt(lab, 'PC2')}`, { filters: { packet_loss: [100] } });
    const cut = await attempt('PC1', 'PC2');
    assert.deepEqual([cut.reaches, cut.tried?.reaches, cut.obstacle?.code], [false, false, 'link_filter']);
    assert.equal(cut.obstacle?.since?.by, 'mallory');
    const nobody = await attempt('PC3', '10.0.0.99');
    assert.deepEqual([nobody.reaches, nobody.tried?.reaches], [false, false]);
    assert.equal((await ask(lab, 'PC1', 'PC2')).tried, undefined);
  });

  it('tells of each node that has no address', async () => {
    const lab = await labOf('cable');
    for (const name of ['PC1', 'PC2']) {
      await lab.ask('ada', 'PUT', nodeOf(lab, name), { properties: { startup_script: '' } });
      await lab.ask('ada', 'POST', `${nodeOf(lab, name)}/reload`);
    }
    const both = await ask(lab, 'PC1', 'PC2');
    assert.match(both.sentence, /^PC1 does not reach PC2: PC1 has no address\./);
    assert.deepEqual(
      both.request.obstacles.map(({ sentence }) => sentence),
      ['PC1 has no address', 'PC2 has no address'],
    );
    await lab.ask('ada', 'PUT', nodeOf(lab, 'PC1'), { properties: { startup_script: 'ip 10.0.0.1/24' } });
    await lab.ask('ada', 'POST', `${nodeOf(lab, 'PC1')}/reload`);
    let one = await ask(lab, 'PC1', 'PC2');
    while (one.request.obstacles.length > 1) one = await ask(lab, 'PC1', 'PC2');
    assert.match(one.sentence, /^PC1 does not reach PC2: PC2 has no address\./);
  });

  it('takes the addresses of a text, and those of a moment before it was changed', async () => {
    const lab = await labOf('switch');
    await untilItReaches(lab, 'PC1', 'PC2');
    const well = await lab.position();
    await lab.ask('mallory', 'PUT', nodeOf(lab, 'PC2'), { properties: { startup_script: 'ip 10.7.0.2/24 10.7.0.1' } });
    const given = await lastOf(lab, 'mallory');
    await lab.ask('mallory', 'POST', `${nodeOf(lab, 'PC2')}/reload`);
    let answer = await ask(lab, 'PC1', 'PC2');
    while (answer.obstacle?.code !== 'no_route') answer = await ask(lab, 'PC1', 'PC2');
    assert.equal(answer.obstacle.since?.position, given);
    assert.match(answer.obstacle.sentence, /^PC1 \(10\.0\.0\.1\/24\) has no route to 10\.7\.0\.2 of PC2/);
    assert.equal((await ask(lab, 'PC1', 'PC2', `&at=${well}`)).reaches, true);
    assert.equal((await ask(lab, 'PC1', 'PC2', `&at=${given}`)).reaches, false);
  });

  it('finds a loop, and the link that closed it', async () => {
    const lab = await labOf('chain');
    await untilItReaches(lab, 'PC1', 'PC2');
    await lab.addLink('mallory', ['SW1:3', 'SW4:3']);
    const { obstacle } = await ask(lab, 'PC1', 'PC2');
    assert.equal(obstacle?.code, 'loop');
    assert.equal(obstacle?.since?.position, await lastOf(lab, 'mallory'));
    assert.match(obstacle?.sentence ?? '', /SW1 Ethernet3 – SW4 Ethernet3/);
  });

  it('answers for an address that nobody has, and refuses what is neither', async () => {
    const lab = await labOf('cable');
    await untilItReaches(lab, 'PC1', 'PC2');
    const known = await ask(lab, 'PC1', '10.0.0.2');
    assert.equal(known.reaches, true, known.sentence);
    for (const [address, code] of [
      ['10.0.0.99', 'no_address'],
      ['192.0.2.1', 'no_route'],
    ] as const) {
      const { obstacle, sentence } = await ask(lab, 'PC1', address);
      assert.equal(obstacle?.code, code);
      assert.match(sentence, /, an address that no node of the lab has\.$/);
      // Nobody ever had it: no event made it so, and not that PC1 was made or got its text.
      assert.equal(obstacle.since, null, sentence);
    }
    await lab.ask('mallory', 'PUT', nodeOf(lab, 'PC1'), { properties: { startup_script: 'ip 10.0.0.9/24' } });
    assert.equal((await ask(lab, 'PC1', '10.0.0.99')).obstacle?.since, null);
    const refused = async (query: string): Promise<number> =>
      (await server.request('GET', `/v2/projects/${lab.id}/why?${query}`)).status;
    assert.equal(await refused('from=PC1&to=PC9'), 400);
    assert.equal(await refused('from=PC9&to=PC1'), 404);
    assert.equal(await refused('from=PC1&to=PC1'), 400);
    assert.equal(await refused('from=PC1'), 400);
    assert.equal(await refused('from=PC1&to=PC2&size=many'), 400);
  });

  for (const [what, method, body] of [
    ['gave its node another', 'PUT', { properties: { startup_script: 'ip 10.7.0.2/24' } }],
    ['deleted its node', 'DELETE', undefined],
  ] as const)
    it(`names who ${what}, of an address that nobody has any more`, async () => {
      const lab = await labOf('switch');
      await untilItReaches(lab, 'PC1', 'PC2');
      await lab.ask('bob', 'POST', `${nodeOf(lab, 'PC2')}/stop`);
      await lab.ask('mallory', method, nodeOf(lab, 'PC2'), body);
      await lab.ask('ada', 'PUT', nodeOf(lab, 'PC1'), { name: 'PC1 of Ada' });
      const { obstacle, sentence } = await ask(lab, 'PC1 of Ada', '10.0.0.2');
      assert.equal(obstacle?.code, 'no_address', sentence);
      assert.equal(obstacle.since?.by, 'mallory', sentence);
    });

  it('says what a lab was when it was made again as a fork: with the text of then', async () => {
    const lab = await labOf('cable');
    const then = await lab.position();
    await lab.ask('mallory', 'PUT', nodeOf(lab, 'PC2'), { properties: { startup_script: 'ip 10.7.0.2/24' } });
    const { project_id } = await lab.ask('ada', 'POST', '/fork', { at: String(then), name: `then ${made}` });
    const fork = `/v2/projects/${String(project_id)}`;
    assert.equal((await server.request('POST', `${fork}/open`)).status, 201);
    const { body } = await server.request('GET', `${fork}/nodes`);
    const pc2 = (body as { name: string; node_id: string }[]).find(({ name }) => name === 'PC2');
    const file = await server.request('GET', `${fork}/nodes/${pc2?.node_id ?? ''}/files/startup.vpc`);
    assert.equal(file.text, 'ip 10.0.0.2/24\n');
  });
});
