import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../src/actors/check/decide.ts';
import type { Eyes } from '../../../src/actors/check/look/eyes.ts';
import { lookAtLoss, lookAtReach } from '../../../src/actors/check/reach.ts';
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

const CONTAINER = { node_id: 'a', name: 'R1', kind: 'container', state: 'started', engine: 'docker', properties: {} };
const PC = { ...CONTAINER, node_id: 'b', name: 'PC2', kind: 'simple_pc', engine: 'embedded' };

const unsaid = (why: string, to = 'PC2'): string => `nobody can say whether R1 reaches ${to}: ${why}`;
const NOT_KNOWN = 'its address is not known here; the check can have it in place of R2';

/** Nodes a (R1) and b; the console of R1 answers with a text, or with one for each line after the other. */
const lab = (
  answers: string | readonly string[],
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
      computes: { engine: () => undefined, find: () => undefined },
      secrets: { plain: (value: unknown) => value },
      engines: { running: (_: object, name: string) => (name === 'embedded' ? {} : { outside: true }) },
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
        const shown = typeof answers === 'string' ? answers : (answers[typed.length] ?? '');
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
  const lose = (more: object = {}): Promise<Finding> =>
    lookAtLoss(eyes, { check_id: 'c', loss: { from: 'a', to: 'b', under: 10, probes: 20, ...more } });
  return { typed, sent, look, lose };
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
    assert.deepEqual([none, text], [null, unsaid('at the console of R1: somebody types there')]);
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
    assert.deepEqual([none, text], [null, unsaid(NOT_KNOWN, 'R2')]);
    const without = lab(BUSYBOX(2), { live: [] });
    assert.equal((await without.look()).holds, false);
    const stopped = lab(BUSYBOX(2), { to: { ...PC, state: 'stopped' } });
    assert.equal((await stopped.look()).text, 'R1 does not reach PC2: PC2 is stopped');
    assert.deepEqual([...unknown.typed, ...without.typed, ...stopped.typed], []);
  });
});

const linux = (sent: number, received: number): string =>
  `PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0.1 ms\n\n` +
  `--- 10.0.0.2 ping statistics ---\n${sent} packets transmitted, ${received} received, +1 duplicates, 1% packet loss\n`;
const ios = (sent: number, received: number): string =>
  `Sending ${sent}, 100-byte ICMP Echos to 10.0.0.2, timeout is 1 seconds:\n!!!!.!!!!!!!!!!!!!!!\n` +
  `Success rate is ${Math.floor((100 * received) / sent)} percent (${received}/${sent}), round-trip min/avg/max = 1/2/4 ms\nR1#`;
const vpcs = (results: string, bytes = '84 bytes from '): string =>
  results
    .split('')
    .map((one, n) => {
      const seq = `10.0.0.2 icmp_seq=${n + 1}`;
      return one === '!'
        ? `${bytes}${seq} ttl=64 time=0.5 ms`
        : one === 'U'
          ? `*${seq} ttl=9 time=1 ms (ICMP type:3)`
          : `${seq} timeout`;
    })
    .join('\n') + '\n\nPC1> ';

describe('losses that are counted at a console', () => {
  it('are those that Linux and IOS say, below the bound or not', async () => {
    const router = { ...CONTAINER, kind: 'router_emulator', engine: 'dynamips' };
    const said: [string | string[], typeof CONTAINER, string][] = [
      [linux(20, 19), CONTAINER, 'true 1 of 20 probes were lost between R1 and PC2 (5 %)'],
      [linux(20, 18), CONTAINER, 'false 2 of 20 probes were lost between R1 and PC2 (10 %)'],
      [
        'ping: sendto: Network is unreachable\n# ',
        CONTAINER,
        'false 20 of 20 probes were lost between R1 and PC2 (100 %)',
      ],
      [ios(20, 19), router, 'true 1 of 20 probes were lost between R1 and PC2 (5 %)'],
      [ios(20, 0), router, 'false 20 of 20 probes were lost between R1 and PC2 (100 %)'],
    ];
    for (const [shown, from, expected] of said) {
      const { holds: held, text } = await lab(shown, { from }).lose();
      assert.equal(`${held} ${text}`, expected);
    }
  });

  it('are counted line by line of VPCS, which sums nothing up', async () => {
    const from = { ...PC, node_id: 'a', name: 'R1', engine: 'vpcs' };
    const results = '!!!!!.!!!!!!!U!!!!!!';
    for (const bytes of ['84 bytes from ', '']) {
      const { typed, lose } = lab(vpcs(results, bytes), { from });
      const { text, evidence } = await lose();
      assert.deepEqual(typed, ['ping 10.0.0.2 -c 20 -i 200']);
      assert.equal(text, '2 of 20 probes were lost between R1 and PC2 (10 %)');
      assert.equal(evidence.probes?.lost, 2);
      assert.equal(evidence.console, vpcs(results, bytes));
    }
    const whole = async (shown: string) => (await lab(shown, { from }).lose()).text;
    assert.match(await whole('host (10.0.0.2) not reachable\n\nPC1> '), /^20 of 20/);
    assert.match(await whole('No gateway found\n\nPC1> '), /^20 of 20/);
    // It was interrupted.
    assert.match(await whole(vpcs(results.slice(1))), /^nobody can say what is lost/);
  });

  it('are typed in lines of 20 until all were sent, or no answer can change what is said', async () => {
    const { typed, lose } = lab([linux(20, 20), linux(20, 16), linux(5, 5)]);
    const { holds: held, text, evidence } = await lose({ probes: 45 });
    assert.deepEqual([held, text], [true, '4 of 45 probes were lost between R1 and PC2 (8.9 %)']);
    assert.deepEqual(
      typed,
      [20, 20, 5].map((count) => `ping -c ${count} -W 1 -i 0.2 10.0.0.2`),
    );
    assert.ok(evidence.console?.startsWith(linux(20, 20)) && evidence.console.endsWith(linux(5, 5)));
    const early = lab([linux(20, 20), linux(20, 10)]);
    assert.equal((await early.lose({ probes: 100 })).text, '10 of 40 probes were lost between R1 and PC2 (25 %)');
  });

  it('are not the request that IOS loses while it asks for a MAC address', async () => {
    const from = { ...CONTAINER, kind: 'switch_router_emulator', engine: 'iou' };
    const { typed, lose } = lab([IOS('.!', 50), ios(20, 20)], { from });
    assert.equal((await lose()).text, '0 of 20 probes were lost between R1 and PC2 (0 %)');
    assert.deepEqual(
      typed,
      [2, 20].map((count) => `ping 10.0.0.2 repeat ${count} timeout 1`),
    );
  });

  it('are unknown where no ping was run or somebody types, with what the console showed', async () => {
    const { holds: held, text, evidence } = await lab('Password: ').lose();
    const none = 'nobody can say what is lost between R1 and PC2: ';
    assert.deepEqual(
      [held, text],
      [null, `${none}the console of R1 shows no result of ping -c 20 -W 1 -i 0.2 10.0.0.2`],
    );
    assert.equal(evidence.console, 'Password: ');
    assert.equal((await lab('', { problem: 'somebody types there' }).lose()).holds, null);
    const stopped = await lab('', { to: { ...PC, state: 'stopped' } }).lose();
    assert.deepEqual([stopped.holds, stopped.text], [false, 'all is lost between R1 and PC2: PC2 is stopped']);
  });
});

describe('a node that is simulated', () => {
  const simulated = { ...CONTAINER, engine: 'simulated' };

  it('is not asked at its console: nobody can say what it would reach', async () => {
    for (const kind of ['container', 'router_emulator', 'simple_pc']) {
      const { typed, sent, look, lose } = lab('', { from: { ...simulated, kind } });
      const { holds: held, text } = await look({ not: true });
      assert.deepEqual([held, text], [null, unsaid('R1 is simulated, and moves no frames')]);
      assert.equal((await lose()).holds, null);
      assert.deepEqual([...typed, ...sent], []);
    }
  });

  it('answers nobody', async () => {
    const { typed, look } = lab(BUSYBOX(2), { to: { ...simulated, node_id: 'b', name: 'R2' } });
    const { holds: held, text } = await look();
    assert.deepEqual([held, text], [false, 'R1 does not reach R2: R2 is simulated, and moves no frames']);
    assert.deepEqual(typed, []);
  });
});
