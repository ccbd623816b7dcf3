import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../src/actors/check/decide.ts';
import type { Eyes } from '../../../src/actors/check/look/eyes.ts';
import { lookAtReach } from '../../../src/actors/check/look/reach.ts';
import { createKinds } from '../../../src/emulators/registry.ts';

const BUSYBOX = (received: number): string =>
  `PING 10.0.0.2 (10.0.0.2): 56 data bytes\n\n--- 10.0.0.2 ping statistics ---\n` +
  `2 packets transmitted, ${received} packets received, ${100 - 50 * received}% packet loss\n/ # `;
const IPUTILS = (received: number, errors = ''): string =>
  `PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n\n--- 10.0.0.2 ping statistics ---\n` +
  `2 packets transmitted, ${received} received,${errors} ${100 - 50 * received}% packet loss, time 1002ms\n\nroot@h1:/# `;
const IOS = (dots: string, percent: number): string =>
  `Type escape sequence to abort.\nSending 2, 100-byte ICMP Echos to 10.0.0.2, timeout is 1 seconds:\n${dots}\n` +
  `Success rate is ${percent} percent (${percent / 50}/2)\nR1#`;

const CONTAINER = { node_id: 'a', name: 'R1', kind: 'container', state: 'started', properties: {} };
const PC = { ...CONTAINER, node_id: 'b', name: 'PC2', kind: 'simple_pc' };

const NOT_KNOWN = 'its address is not known here; the check can have it in place of R2';

/** Nodes a (R1) and b; the console of R1 answers with a text. */
const lab = (
  shown: string,
  { from = CONTAINER, to = PC, live = ['10.0.0.2/24'], problem = null as string | null } = {},
) => {
  const typed: string[] = [];
  const sent: object[] = [];
  const nodes = new Map<string, object>([
    ['a', from],
    ['b', to],
  ]);
  const interfaces = [{ adapter_number: 0, port_number: 0, addresses: live, mac: '', mtu: 1500 }];
  const eyes = {
    everyMs: 1_000,
    context: {
      kinds: createKinds(),
      committed: { get: (_: string, id: string) => nodes.get(id) },
      plumbing: { tables: () => Promise.resolve(new Map([['b', { interfaces, routes: [] }]])) },
    },
    questions: {
      probe: ({ to: target }: { to: object }) => {
        sent.push(target);
        const probes = [{ sent_us: 0, rtt_ms: 1, why: null }];
        return Promise.resolve({ address: null, probes, problem: null });
      },
      console: ({ type, until }: { type: string; until: string }) => {
        typed.push(type);
        return Promise.resolve({
          isFound: problem === null && new RegExp(until, 'm').test(shown),
          text: shown,
          problem,
        });
      },
    },
  } as unknown as Eyes;
  const look = (more: object = {}): Promise<Finding> =>
    lookAtReach(eyes, { check_id: 'c', reach: { from: 'a', to: 'b', ...more } });
  return { typed, sent, look };
};

const holds = async (shown: string, from: typeof CONTAINER = CONTAINER): Promise<(boolean | null)[]> => [
  (await lab(shown, { from }).look()).holds,
  (await lab(shown, { from }).look({ not: true })).holds,
];

describe('a ping that is typed at a console', () => {
  it('says that a container reaches a node by its address of now, and shows what was on the console', async () => {
    const { typed, sent, look } = lab(BUSYBOX(2));
    const { text, evidence } = await look();
    assert.deepEqual(typed, ['ping -c 2 -W 1 10.0.0.2']);
    assert.deepEqual(sent, []);
    assert.equal(text, 'R1 reaches PC2 (10.0.0.2)');
    assert.equal(evidence.console, BUSYBOX(2));
    assert.ok(evidence.at !== undefined);
  });

  it('is understood as busybox and iputils write it', async () => {
    for (const shown of [BUSYBOX(2), BUSYBOX(1), IPUTILS(2), IPUTILS(1)])
      assert.deepEqual(await holds(shown), [true, false], shown);
    const none = [BUSYBOX(0), IPUTILS(0), IPUTILS(0, ' +2 errors,'), 'ping: connect: Network is unreachable\n# '];
    for (const shown of none) assert.deepEqual(await holds(shown), [false, true], shown);
  });

  it('is understood as IOS writes it, at both kinds of routers', async () => {
    for (const kind of ['router_emulator', 'switch_router_emulator']) {
      const from = { ...CONTAINER, kind };
      for (const shown of [IOS('.!', 50), IOS('!!', 100)]) assert.deepEqual(await holds(shown, from), [true, false]);
      for (const shown of [IOS('..', 0), IOS('U.', 0)]) assert.deepEqual(await holds(shown, from), [false, true]);
    }
  });

  it('says nothing where no ping was run, or somebody types', async () => {
    for (const shown of ['Password: ', 'sh: ping: not found\n/ # ', '% Invalid input\nR1(config)#', ''])
      assert.deepEqual(await holds(shown), [null, null], shown);
    const { holds: none, text } = await lab('', { problem: 'somebody types there' }).look({ not: true });
    assert.deepEqual([none, text], [null, 'R1: somebody types there']);
  });

  it('goes to an address as it is, and to the first one that a container was given', async () => {
    const six = lab(BUSYBOX(1));
    assert.equal((await six.look({ to: '2001:db8::2' })).text, 'R1 reaches 2001:db8::2');
    assert.deepEqual(six.typed, ['ping -c 2 -W 1 2001:db8::2']);
    const interfaces = [{ adapter: 0 }, { adapter: 1, addresses: ['fe80::1/64', '10.0.0.3/24'] }];
    const given = lab(BUSYBOX(1), { to: { ...CONTAINER, name: 'R2', properties: { interfaces } } });
    assert.equal((await given.look()).text, 'R1 reaches R2 (10.0.0.3)');
  });

  it('has the size that a check asks for, which IOS counts with the headers', async () => {
    const linux = lab(BUSYBOX(2));
    await linux.look({ size: 1472 });
    assert.deepEqual(linux.typed, ['ping -c 2 -W 1 -s 1472 10.0.0.2']);
    const ios = lab(IOS('!!', 100), { from: { ...CONTAINER, kind: 'router_emulator' } });
    await ios.look({ size: 1472 });
    await ios.look({ size: 1452, to: '2001:db8::2' });
    const rest = ['10.0.0.2', '2001:db8::2'].map((to) => `ping ${to} repeat 2 timeout 1 size 1500`);
    assert.deepEqual(ios.typed, rest);
  });

  it('is not needed by what sends probes by itself, which go to the address that a container was given', async () => {
    const interfaces = [{ adapter: 0, addresses: ['10.0.0.3/24'] }];
    const { typed, sent, look } = lab('', { from: PC, to: { ...CONTAINER, properties: { interfaces } } });
    assert.equal((await look()).holds, true);
    assert.deepEqual([typed, sent], [[], [{ address: '10.0.0.3' }]]);
    const unknown = lab('', { from: PC, to: { ...CONTAINER, name: 'R2' } });
    const { holds: none, text } = await unknown.look({ not: true });
    assert.deepEqual([none, text, unknown.sent], [null, `nobody can say whether PC2 reaches R2: ${NOT_KNOWN}`, []]);
  });

  it('is not typed where there is no address, or a node does not run', async () => {
    const unknown = lab(BUSYBOX(2), { to: { ...CONTAINER, name: 'R2' } });
    const { holds: none, text } = await unknown.look({ not: true });
    assert.deepEqual([none, text], [null, `nobody can say whether R1 reaches R2: ${NOT_KNOWN}`]);
    const without = lab(BUSYBOX(2), { live: [] });
    assert.equal((await without.look()).holds, false);
    const stopped = lab(BUSYBOX(2), { to: { ...PC, state: 'stopped' } });
    assert.equal((await stopped.look()).text, 'R1 does not reach PC2: PC2 is stopped');
    assert.deepEqual([...unknown.typed, ...without.typed, ...stopped.typed], []);
  });
});
