import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inSlices } from '../../src/common/slices.ts';
import type { NodeRecord, RecordView } from '../../src/projections/records.ts';
import { parseAddress } from '../../src/why/address.ts';
import { readAnswers } from '../../src/why/console-answers.ts';
import { type Lab, labOf, nodeAt } from '../../src/why/lab.ts';
import { settledBy } from '../../src/why/notes.ts';
import { analyse, type Analysis, type Question } from '../../src/why/packet-path.ts';
import { CALLER, type TestLab, testLab } from '../actors/test-lab.ts';
import { tempDir } from '../support/temp.ts';

type Ends = readonly [string, string];
interface Given {
  /** Start-up texts of PCs, and of routers, whose names begin with R. */
  known?: Record<string, string>;
  /** Properties of containers. */
  containers?: Record<string, Record<string, unknown>>;
  /** Nodes of other kinds. */
  others?: Record<string, string>;
  /** `PC1`, `SW:3`; a container's number is that of its adapter. */
  links: readonly Ends[];
  /** Filters or suspension, by the number of the link. */
  cut?: Record<number, Record<string, unknown>>;
  /** Output of a recorded console. */
  shown?: Record<string, string>;
  down?: Record<string, Partial<NodeRecord>>;
}

/** PC a, gateway fw, PC c, as in most of what follows. */
const A = 'ip 10.1.0.10/24 10.1.0.1';
const C = 'ip 10.2.0.10/24 10.2.0.1';
const addressed = (...addresses: string[]) => ({
  adapters: 2,
  interfaces: addresses.map((address, adapter) => ({ adapter, addresses: [address] })),
});
const GATEWAY: Given = {
  known: { a: A, c: C },
  containers: { fw: addressed('10.1.0.1/24', '10.2.0.1/24') },
  links: [
    ['a', 'fw:0'],
    ['c', 'fw:1'],
  ],
};

describe('why, where the inside of a node is not known', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let server: TestLab;
  let ids = new Map<string, string>();
  let made = 0;
  before(async () => {
    dir = await tempDir();
    server = await testLab({ dir: dir.path });
  });
  after(async () => {
    await server?.close();
    await dir?.remove();
  });

  /** Records of a lab of which everything runs, as if by engines that move frames. */
  const labFrom = async ({ known = {}, containers = {}, others = {}, ...given }: Given): Promise<Lab> => {
    const { commands, context } = server;
    const { project_id } = await commands.createProject(CALLER, { name: `lab ${(made += 1)}` });
    ids = new Map();
    const node = async (name: string, kind: string, properties: Record<string, unknown>): Promise<void> => {
      const { node_id } = await commands.createNode(CALLER, project_id, { name, kind, properties }, 'conflict');
      ids.set(name, node_id);
    };
    for (const [name, text] of Object.entries(known)) {
      const isRouter = name.startsWith('R');
      await node(name, isRouter ? 'simple_router' : 'simple_pc', {
        [isRouter ? 'startup_config' : 'startup_script']: text,
      });
    }
    for (const [name, properties] of Object.entries(containers))
      await node(name, 'container', { image: 'box', ...properties });
    for (const [name, kind] of Object.entries(others)) await node(name, kind, {});
    const endOf = (text: string) => {
      const [name = '', port = '0'] = text.split(':');
      const [adapter_number, port_number] = name in containers ? [Number(port), 0] : [0, Number(port)];
      return { node_id: ids.get(name) ?? '', adapter_number, port_number };
    };
    for (const [n, ends] of given.links.entries()) {
      const { link_id } = await commands.createLink(CALLER, project_id, { nodes: ends.map(endOf) });
      const cut = given.cut?.[n];
      if (cut !== undefined) await commands.updateLink(CALLER, { project_id, link_id }, cut);
    }
    const view: RecordView = context.committed;
    const nodes = view.ofProject('node', project_id).map((record) => ({
      ...record,
      ...{ state: 'started' as const, engine: 'real' },
      ...given.down?.[record.name],
    }));
    const running = {
      ...view,
      get: view.get.bind(view),
      ofProject: (...[collection, id]: Parameters<RecordView['ofProject']>) =>
        collection === 'node' ? nodes : view.ofProject(collection, id),
    };
    const project = view.get('project', project_id);
    assert.ok(project);
    const answers = new Map(
      Object.entries(given.shown ?? {}).map(([name, text]) => {
        const said = readAnswers(text.split('\n').map((line) => ({ at: 1, line })));
        assert.ok(said, name);
        return [ids.get(name) ?? '', said];
      }),
    );
    return labOf(running as RecordView, project, { kinds: context.kinds, tables: new Map(), answers });
  };

  const ask = async (
    given: Given,
    from = 'a',
    to = 'c',
    more: Partial<Question> = {},
  ): Promise<Analysis & { lab: Lab; question: Question }> => {
    const lab = await labFrom(given);
    const address = parseAddress(to);
    const question = { from: ids.get(from) ?? '', to: ids.get(to) ?? null, address, size: 56, port: null, ...more };
    return { ...(await inSlices(analyse(lab, question))), lab, question };
  };
  const said = ({ obstacles }: Analysis): string[] => obstacles.map(({ sentence }) => sentence);
  const names = ({ request: { hops } }: Analysis): string[] => hops.map(({ name }) => name);

  it('says neither that it is reached nor that it is not, and what would settle it', async () => {
    const answer = await ask(GATEWAY);
    assert.deepEqual([answer.reaches, said(answer), names(answer)], [null, [], ['a', 'fw', 'c']]);
    assert.deepEqual(settledBy(answer.lab, answer.question, answer), [
      'let a try it',
      'record the console of fw, and ask there for its addresses and routes',
    ]);
  });

  for (const [what, given, from, to] of [
    ['a container without addresses', { ...GATEWAY, containers: { fw: { adapters: 2 } } }],
    ['a container that is asked for other addresses', { ...GATEWAY, containers: { fw: addressed('10.9.0.1/24') } }],
    [
      'a container whose addresses are commands',
      {
        ...GATEWAY,
        containers: {
          fw: { adapters: 2, commands: ['ip addr add 10.1.0.1/24 dev eth0', 'ip a add 10.2.0.1/24 dev eth1'] },
        },
      },
    ],
    [
      'a virtual machine',
      { ...GATEWAY, containers: {}, others: { fw: 'machine_emulator' }, links: [['a', 'fw:0']] },
      'a',
      '10.1.0.1',
    ],
    ['a container that asks', GATEWAY, 'fw', 'c'],
    ['a container that is asked', GATEWAY, 'a', 'fw'],
    [
      'a container by its name, across a router that is known',
      {
        known: { a: A, R1: 'interface 0 ip 10.1.0.1/24\ninterface 1 ip 10.2.0.1/24' },
        containers: { c: {} },
        links: [
          ['a', 'R1:0'],
          ['R1:1', 'c'],
        ],
      },
    ],
    [
      'a router that is known, behind a container',
      {
        known: { a: A, c: C, R1: 'interface 0 ip 10.3.0.2/24\ninterface 1 ip 10.2.0.1/24\nroute default 10.3.0.1' },
        containers: { fw: { adapters: 2 } },
        links: [
          ['a', 'fw:0'],
          ['fw:1', 'R1:0'],
          ['R1:1', 'c'],
        ],
      },
    ],
    [
      'two clouds, which may be one network',
      {
        known: { a: 'ip 10.1.0.10/24', c: 'ip 10.1.0.11/24' },
        others: { N1: 'nat', N2: 'nat' },
        links: [
          ['a', 'N1'],
          ['c', 'N2'],
        ],
      },
    ],
    [
      'two containers, each on the way of a packet that the other may take',
      {
        known: { a: A, c: C },
        containers: { f: { adapters: 2 }, g: { adapters: 2 } },
        others: { s: 'ethernet_switch' },
        links: [
          ['a', 's:0'],
          ['s:1', 'f:0'],
          ['f:1', 'c'],
          ['s:2', 'g:0'],
        ],
      },
    ],
  ] as const satisfies readonly (readonly [string, Given, string?, string?])[])
    it(`does not know about ${what}`, async () => {
      const answer = await ask(given, from ?? 'a', to ?? 'c');
      assert.equal(answer.reaches, null, said(answer).join('; '));
      assert.ok(
        answer.obstacles.every(({ maybe }) => maybe === true),
        said(answer).join('; '),
      );
    });

  it('knows what holds whatever is inside', async () => {
    const cut = async (given: Given): Promise<(string | boolean | null)[]> => {
      const answer = await ask(given);
      return [answer.reaches, ...said(answer)];
    };
    assert.deepEqual(await cut({ ...GATEWAY, cut: { 1: { suspend: true } } }), [
      false,
      'the link c Ethernet0 – fw eth1 is suspended',
    ]);
    assert.deepEqual(await cut({ ...GATEWAY, cut: { 1: { filters: { packet_loss: [100] } } } }), [
      false,
      'the link c Ethernet0 – fw eth1 loses every frame (packet_loss 100 %)',
    ]);
    assert.deepEqual(await cut({ ...GATEWAY, down: { fw: { state: 'stopped' } } }), [false, 'fw is stopped']);
    assert.deepEqual(await cut({ ...GATEWAY, links: [['a', 'fw:0']] }), [
      false,
      'no cables lead from fw eth0 to c',
      'c Ethernet0 has no link',
    ]);
    // Another way leads round what is cut.
    const round: Given = {
      ...GATEWAY,
      containers: { fw: { adapters: 3 } },
      others: { s: 'ethernet_switch' },
      links: [
        ['a', 'fw:0'],
        ['s:0', 'fw:1'],
        ['s:1', 'fw:2'],
        ['c', 's:2'],
      ],
      cut: { 1: { suspend: true } },
    };
    assert.deepEqual(await cut(round), [null]);
  });

  it('tells of a mask that takes what is far for a neighbour', async () => {
    const answer = await ask({
      known: { a: A, c: 'ip 10.2.0.10/8 10.2.0.1', R1: 'interface 0 ip 10.1.0.1/24\ninterface 1 ip 10.2.0.1/24' },
      links: [
        ['a', 'R1:0'],
        ['R1:1', 'c'],
      ],
    });
    assert.deepEqual(
      [answer.reaches, ...said(answer)],
      [false, 'c (10.2.0.10/8) takes 10.1.0.10 for a neighbour, and only routers lead there'],
    );
  });

  it('takes what a console showed for likely, and no more', async () => {
    const shown = {
      fw: '/ # ip addr\n2: eth0: <UP> mtu 1500\n    inet 10.1.0.1/24\n/ # ip route\n10.1.0.0/24 dev eth0',
    };
    const answer = await ask({ ...GATEWAY, containers: { fw: { adapters: 2 } }, shown });
    assert.equal(answer.reaches, null);
    assert.deepEqual(said(answer), [
      'fw (10.1.0.1/24) has no route to 10.2.0.10 of c, which is in another network',
      'c sends to its gateway 10.2.0.1, an address that no node of the lab is known to have',
    ]);
  });

  it('does not say that a node whose server is away is not reached: what runs there may go on', async () => {
    const pair: Given = { known: { a: 'ip 10.1.0.10/24', c: 'ip 10.1.0.11/24' }, links: [['a', 'c']] };
    const answer = await ask({ ...pair, down: { c: { unreachable: 'the compute far is away' } } });
    assert.deepEqual([answer.reaches, said(answer)], [null, ['c cannot be reached: the compute far is away']]);
  });
});

describe('why, by what the frames are', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let server: TestLab;
  before(async () => {
    dir = await tempDir();
    server = await testLab({ dir: dir.path });
  });
  after(async () => {
    await server?.close();
    await dir?.remove();
  });
  let made = 0;

  /** Two PCs at a link with these filters. */
  const ask = async (texts: Ends, filters: Record<string, unknown>, more: Partial<Question> = {}): Promise<string> => {
    const { commands, context } = server;
    const { project_id } = await commands.createProject(CALLER, { name: `pair ${(made += 1)}` });
    const pc = async (name: string, startup_script: string): Promise<string> =>
      (
        await commands.createNode(
          CALLER,
          project_id,
          { name, kind: 'simple_pc', properties: { startup_script } },
          'conflict',
        )
      ).node_id;
    const ends = [await pc('a', texts[0]), await pc('b', texts[1])] as const;
    const nodes = ends.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    const { link_id } = await commands.createLink(CALLER, project_id, { nodes });
    await commands.updateLink(CALLER, { project_id, link_id }, { filters } as never);
    await commands.actOnProject(CALLER, project_id, 'start');
    const project = context.committed.get('project', project_id);
    assert.ok(project);
    const lab = await labOf(context.committed, project, { kinds: context.kinds, tables: new Map() });
    assert.equal(nodeAt(lab, ends[0]).record.state, 'started');
    const question = { from: ends[0], to: ends[1], address: null, size: 56, port: null, ...more };
    const { reaches, obstacles } = await inSlices(analyse(lab, question));
    return [
      String(reaches),
      ...obstacles.map(({ sentence }) => sentence.replace('the link a Ethernet0 – b Ethernet0 ', '')),
    ].join(': ');
  };
  const V4: Ends = ['ip 10.0.0.1/24', 'ip 10.0.0.2/24'];
  const V6: Ends = ['ip 2001:db8::1/64', 'ip 2001:db8::2/64'];
  const tcp = { port: { protocol: 'tcp', number: 80 } } as const;
  const BPF = 'false: has a filter (bpf) that drops these frames';

  for (const [what, texts, filters, expected, more] of [
    ['neighbour solicitation', V6, { bpf: ['icmp6 and ip6[40]==135'] }, BPF],
    ['neighbour advertisement', V6, { bpf: ['icmp6 and ip6[40]==136'] }, BPF],
    ['what goes to a group', V6, { bpf: ['ip6 multicast'] }, BPF],
    ['router advertisement, which no ping needs', V6, { bpf: ['icmp6 and ip6[40]==134'] }, 'true'],
    ['ARP, which IPv6 does without', V6, { bpf: ['arp'] }, 'true'],
    ['ARP replies', V4, { bpf: ['arp[6:2]==2'] }, BPF],
    ['TCP, which a ping is not', V4, { bpf: ['tcp'] }, 'true'],
    ['the port', V4, { bpf: ['tcp port 80'] }, BPF, tcp],
    ['the answer of the port', V4, { 'bpf>': ['tcp src port 80'] }, 'null', tcp],
    ['the answer of the port, on its way', V6, { 'bpf<': ['tcp src port 80'] }, BPF, tcp],
    ['another port', V6, { bpf: ['tcp port 443 or icmp6'] }, BPF, tcp],
    ['another protocol', V4, { bpf: ['udp port 80 or icmp'] }, 'null', tcp],
    ['what is longer than a packet may be', V4, { bpf: ['greater 1600'] }, 'true', { size: 3000 }],
    ['what is as long as a fragment', V6, { bpf: ['greater 1400'] }, BPF, { size: 3000 }],
  ] as const)
    it(`tries a filter of ${what}`, async () => {
      assert.equal(await ask(texts, filters, more), expected);
    });

  for (const [filters, expected] of [
    [
      { rate: [1, 10] },
      'false: needs 784 ms for one of these frames (rate 1 kbit/s); there and back takes 1568 ms, and a ping waits for 1000',
    ],
    [{ rate: [1, 0, 20] }, /^false: needs 784 ms/],
    [{ rate: [64, 0, 20] }, 'true'],
    [{ delay: [600, 0] }, /^false: delays frames by 600 ms; there and back takes 1200 ms/],
    [{ delay: [490, 0] }, /^null: delays frames by 490 ms; there and back takes 980 ms/],
    [{ delay: [400, 300] }, /^null: delays frames by 400 ms/],
    [{ delay: [100, 20] }, 'true'],
    [{ packet_loss: [30] }, 'true'],
    [{ packet_loss: [80] }, 'null: loses 80 % of the frames'],
    [{ frequency_drop: [2] }, 'null: drops every 2nd frame'],
  ] as const)
    it(`counts the time there and back, and the odds: ${JSON.stringify(filters)}`, async () => {
      const answer = await ask(V4, filters);
      if (typeof expected === 'string') assert.equal(answer, expected);
      else assert.match(answer, expected);
    });

  it('tells of families that do not meet', async () => {
    assert.match(
      await ask(['ip 10.0.0.1/24', 'ip 2001:db8::2/64'], {}),
      /^false: a has only addresses of IPv4, and b of IPv6$/,
    );
  });
});
