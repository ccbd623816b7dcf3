import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeTemp } from '../../support/temp.ts';
import { CALLER, testLab, type TestLab } from '../test-lab.ts';

let t: TestLab;
before(async () => {
  t = await testLab({ dir: await makeTemp('topolog-lab-lint') });
});
after(() => t.close());

const HEAD = 'lab: NAME\nversion: 1\n';
let labs = 0;
const input = (body: string, name: string) => ({
  ...{ format: 'yaml' as const, files: {}, text: HEAD.replace('NAME', name) + body },
});
const notesOf = async (body: string, { name = `lint ${labs++}`, lint = false } = {}): Promise<string[]> =>
  (await t.commands.planLab({ ...input(body, name), lint })).notes;

const TWO = 'nodes:\n  A: { kind: simple_pc, address: 10.0.0.1/24 }\n  B: { kind: simple_pc, address: 10.0.0.1/16 }\n';
const told = (line: number, what: string): RegExp => new RegExp(`^line ${line}, column \\d+: nodes\\.${what}$`);
const same = /^line \d+, column \d+: nodes\.B\.address has 10\.0\.0\.1, which A has too, on the same network$/;

describe('the plan of a text', () => {
  for (const [what, more] of [
    ['a link', 'links:\n  - [A, B]\n'],
    [
      'hubs',
      '  H: { kind: ethernet_hub }\n  I: { kind: ethernet_hub }\nlinks:\n  - [A, H:0]\n  - [B, I:0]\n  - [H:1, I:1]\n',
    ],
    ['a switch', '  S: { kind: ethernet_switch }\nlinks:\n  - [A, S:0]\n  - [B, S:1]\n'],
  ] as const)
    it(`tells an address that two nodes on ${what} have`, async () => {
      const notes = await notesOf(TWO + more);
      assert.equal(notes.length, 1);
      assert.match(notes[0] ?? '', same);
    });

  it('tells none of networks that do not meet: without a link, by a router, in two VLANs, behind DHCP', async () => {
    const router = '  R: { kind: simple_router }\nlinks:\n  - [A, R:0]\n  - [B, R:1]\n';
    const vlans = `  S:
    kind: ethernet_switch
    properties:
      ports_mapping:
        - { name: a, port_number: 0, type: access, vlan: 1 }
        - { name: b, port_number: 1, type: access, vlan: 2 }
links:
  - [A, S:a]
  - [B, S:b]
`;
    const leased =
      'nodes:\n  A: { kind: simple_pc, startup: "dhcp\\n" }\n  B: { kind: simple_pc, startup: "dhcp\\n" }\n';
    for (const body of [TWO, TWO + router, TWO + vlans, `${leased}links:\n  - [A, B]\n`])
      assert.deepEqual(await notesOf(body), []);
  });

  it('tells addresses that a router has twice with PCs, in any spelling', async () => {
    const router = 'kind: simple_router, startup: "interface 1 ip 2001:db8:0::1/64\\n"';
    const body = `nodes:\n  A: { kind: simple_pc, address: "2001:DB8::1/64" }\n  R: { ${router} }\nlinks:\n  - [A, R:1]\n`;
    assert.match(
      (await notesOf(body)).join(),
      told(5, 'R.startup has 2001:db8::1, which A has too, on the same network'),
    );
  });

  it('tells routers out of reach, and addresses that are none of a node', async () => {
    const pc = (keys: string) => `  A: { kind: simple_pc, ${keys} }\n`;
    for (const [keys, what] of [
      ['address: 10.0.0.1/24, gateway: 10.1.0.1', 'A.gateway 10.1.0.1 is in none of its networks: it has 10.0.0.1/24'],
      ['startup: "ip 10.0.0.1/24 10.1.0.1\\n"', 'A.startup 10.1.0.1 is in none of its networks: it has 10.0.0.1/24'],
      ['address: 10.0.0.1/24, gateway: 10.0.0.1', 'A.gateway has 10.0.0.1 as its router, which it is itself'],
      ['address: 10.0.0.0/24', 'A.address has 10.0.0.0/24, which is the network itself'],
      ['address: 10.0.0.255/24', 'A.address has 10.0.0.255/24, which is the broadcast address of its network'],
      [
        'address: [10.0.0.1/24, 10.0.1.1/24]',
        'A.address has 10.0.0.1/24, which is not taken: another one takes its place',
      ],
    ] as const) {
      const [note = '', ...more] = await notesOf(`nodes:\n${pc(keys)}`);
      assert.match(note, told(4, what.replaceAll('.', '\\.')));
      assert.deepEqual(more, []);
    }
    const route = '{ kind: simple_router, startup: "interface 0 ip 10.0.0.1/24\\nroute 10.9.0.0/16 10.8.0.1\\n" }';
    const [note] = await notesOf(`nodes:\n  R: ${route}\n`);
    const what = 'R.startup 10.8.0.1, the router for 10.9.0.0/16, is in none of its networks: it has 10.0.0.1/24';
    assert.match(note ?? '', told(4, what));
    for (const right of [
      'address: "2001:db8:1::2/64", gateway: "fe80::1"',
      'address: ["2001:db8:1::2/64", 10.0.0.1/31], gateway: [10.0.0.0, "2001:db8:1::1"]',
    ])
      assert.deepEqual(await notesOf(`nodes:\n${pc(right)}`), []);
  });

  it('tells commands of start-up texts that there are none of', async () => {
    const text = '# pign\nset pcname A\npign 10.0.0.1\nsh ip\nip 10.0.0.1/24\n\n;x\ns\n';
    const body = `nodes:\n  A: { kind: simple_pc, startup: ${JSON.stringify(text)} }\n`;
    const [slip = '', short = '', ...more] = await notesOf(body);
    assert.match(slip, told(4, 'A.startup has pign in its line 3, which is no command; did you mean ping\\?'));
    assert.match(short, told(4, 'A.startup has s in its line 8, which may be save, set, show, sleep'));
    assert.deepEqual(more, []);
    const router = await notesOf('nodes:\n  R: { kind: simple_router, startup: "interfaces 0 ip 10.0.0.1/24\\n" }\n');
    assert.match(router.join(), /interfaces in its line 1, which is no command; did you mean interface\?/);
  });

  it('tells a name to rename that is not there, and none that was renamed before', async () => {
    const named = (rest: string) => `nodes:\n  C: { kind: simple_pc, was: A }\n${rest}`;
    const nobody = (name: string) => told(4, `C\\.was names A, and there is no node A in ${name} to rename`);
    assert.match((await notesOf(named(''), { name: 'nobody' })).join(), nobody('nobody'));
    const both = await notesOf(named('  A: { kind: simple_pc }\n'), { name: 'both' });
    assert.match(both.join(), told(4, 'C\\.was names A, which the text has as another node: nothing is renamed'));
    await t.commands.applyLab(CALLER, input('nodes:\n  A: { kind: simple_pc }\n', 'renamed'));
    assert.deepEqual(await notesOf(named(''), { name: 'renamed' }), []);
    const other = await notesOf('nodes:\n  C: { kind: ethernet_hub, was: A }\n', { name: 'renamed' });
    assert.match(other.join(), /which is a node of another kind: it is removed, and not renamed$/);
    await t.commands.applyLab(CALLER, input(named(''), 'renamed'));
    assert.deepEqual(await notesOf(named(''), { name: 'renamed' }), []);
  });

  it('tells nodes without a link and checks that nobody can answer where that is asked for', async () => {
    const body = `nodes:
  A: { kind: simple_pc, address: 10.0.0.1/24 }
  B: { kind: simple_pc }
  S: { kind: ethernet_switch, console_type: none }
links:
  - [A, S:0]
checks:
  - A reaches B
  - S reaches A
  - A reaches 10.0.0.9
  - console: { node: S, shows: x }
  - { state: { node: S, is: suspended } }
  - A reaches 10.0.0.9 during flood
weather: []
`;
    assert.deepEqual(await notesOf(body), []);
    assert.deepEqual(
      (await notesOf(body, { lint: true })).map((note) => note.replace(/^line (\d+), column \d+:/, '$1')),
      [
        '5 nodes.B has no link',
        '10 checks[0] cannot be answered: B has no address',
        '11 checks[1] cannot be answered: S asks nobody',
        '13 checks[3] cannot be answered: S has no console',
        '14 checks[4] cannot be answered: S cannot be suspended',
        '15 checks[5] cannot be answered: there is no weather flood',
      ],
    );
  });

  it('tells twenty of many, and how many more', async () => {
    const pcs = Array.from({ length: 30 }, (_, n) => `  P${n}: { kind: simple_pc, address: 10.0.0.1/24 }\n`);
    const hub = Array.from({ length: 31 }, (_, n) => `{ name: e${n}, port_number: ${n} }`);
    const links = pcs.map((_, n) => `  - [P${n}, H:${n}]\n`);
    const body = `nodes:\n${pcs.join('')}  H: { kind: ethernet_hub, properties: { ports_mapping: [${hub.join(', ')}] } }\nlinks:\n${links.join('')}`;
    const notes = await notesOf(body);
    assert.equal(notes.length, 21);
    assert.equal(notes[20], 'and 9 more like these');
  });
});
