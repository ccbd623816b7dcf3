import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { TopologError } from '../../../src/common/errors.ts';
import { LAB_WRITERS } from '../../../src/files/lab/formats.ts';
import { filesNamedInContainerlab, readContainerlab } from '../../../src/files/lab/containerlab/read.ts';
import { writeContainerlab } from '../../../src/files/lab/containerlab/write.ts';
import type { GivenFiles } from '../../../src/files/lab/given-files.ts';
import type { Lab, LabReading } from '../../../src/files/lab/model.ts';

const FOLDER = path.resolve('examples/containerlab');
const read = (text: string, files: GivenFiles = {}, simulate = false): LabReading =>
  readContainerlab({ text, files, simulate });
const nodeOf = (lab: Lab, name: string) => {
  const node = lab.nodes.find((one) => one.name === name);
  assert.ok(node, `there is no node ${name}`);
  return node;
};
const refusal = (text: string, files: GivenFiles = {}): string => {
  try {
    read(text, files);
  } catch (error) {
    assert.ok(error instanceof TopologError && error.code === 'invalid_request', String(error));
    return error.message;
  }
  return assert.fail('it was not refused');
};
const lab = (nodes: string, more = ''): string => `name: x\ntopology:\n  nodes:\n${nodes}${more}`;
const linux = (more: string): string => lab(`    n1:\n      kind: linux\n      image: a\n${more}`);

describe('the examples of containerlab', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.clab.yml'));

  it('are ten', () => assert.equal(names.length, 10));

  for (const name of names)
    it(`${name} is read, and is the same lab when it is written and read again`, () => {
      const text = readFileSync(path.join(FOLDER, name), 'utf8');
      const files = Object.fromEntries(
        filesNamedInContainerlab(text).map((file) => [file, readFileSync(path.join(FOLDER, file), 'utf8')]),
      );
      const first = read(text, files);
      assert.ok(first.lab.nodes.length > 2 && first.lab.links.length > 1);
      assert.deepEqual(
        first.notes.filter((note) => /not known/.test(note)),
        [],
      );
      const written = writeContainerlab(first.lab);
      assert.deepEqual(written.notes, []);
      assert.deepEqual(read(written.text, files).lab, first.lab);
    });
});

describe('a topology file', () => {
  it('has privileged nodes where the server lets them, and tells or refuses it elsewhere', () => {
    const privileges = (more: string, local: boolean): unknown[] => {
      const made = readContainerlab({ text: linux(more), files: {}, local });
      const told = made.notes.filter((note) => note.includes('privileges')).length;
      return [made.lab.nodes[0]?.properties['network_system'], told];
    };
    const no = '      privileged: false\n';
    const yes = '      privileged: true\n';
    assert.deepEqual(
      [privileges('', true), privileges(yes, true), privileges(no, true), privileges('', false), privileges(no, false)],
      [
        [true, 0],
        [true, 0],
        [undefined, 0],
        [undefined, 1],
        [undefined, 0],
      ],
    );
    assert.match(refusal(linux(yes)), /nodes\.n1\.privileged reaches the server’s machine; only .* --local/);
    for (const more of ['', no]) {
      const { lab: first } = readContainerlab({ text: linux(more), files: {}, local: true });
      const again = readContainerlab({ text: writeContainerlab(first).text, files: {}, local: true });
      assert.deepEqual(again.lab, first);
    }
  });

  it('gives nodes what their group, their kind and the defaults say', () => {
    const { lab: made } = read(`name: x
topology:
  defaults: {kind: linux, image: least, env: {A: d, B: d}, exec: [one, two]}
  kinds: {linux: {image: kind, env: {B: k, C: k}, exec: [two, three], group: g}}
  groups: {g: {env: {C: g, D: g}, exec: [four], user: grouped}}
  nodes:
    n1:
    n2: {image: own, env: {D: n}, exec: [one, five], user: ""}
`);
    const [first, second] = [nodeOf(made, 'n1').properties, nodeOf(made, 'n2').properties];
    assert.equal(first['image'], 'kind');
    assert.equal(first['environment'], 'A=d\nB=k\nC=g\nD=g');
    assert.deepEqual(first['commands'], ['one', 'two', 'three', 'four']);
    assert.deepEqual([second['image'], second['user']], ['own', 'grouped']);
    assert.equal(second['environment'], 'A=d\nB=k\nC=g\nD=n');
    assert.deepEqual(second['commands'], ['one', 'two', 'three', 'four', 'five']);
  });

  it('gives a management network with addresses: those it says, and the next ones for the others', () => {
    const text = lab(
      '    a: {kind: linux, image: i}\n    b: {kind: linux, image: i, mgmt-ipv4: 10.9.0.2}\n' +
        '    c: {kind: linux, image: i, network-mode: none}\n    d: {kind: linux, image: i}\n',
    ).replace('topology', 'mgmt: {network: m, ipv4-subnet: 10.9.0.0/24}\ntopology');
    const { lab: made } = read(text);
    const addresses = ['a', 'b', 'c', 'd'].map((name) => nodeOf(made, name).properties['interfaces']);
    assert.deepEqual(addresses, [
      [{ adapter: 0, addresses: ['10.9.0.3/24'] }],
      [{ adapter: 0, addresses: ['10.9.0.2/24'] }],
      undefined,
      [{ adapter: 0, addresses: ['10.9.0.4/24'] }],
    ]);
    assert.deepEqual(
      made.links.map(({ ends }) => ends.map(({ node, port }) => `${node}:${port}`)),
      ['a', 'b', 'd'].map((name) => [`${name}:eth0`, `m:${name}`]),
    );
  });

  it('keeps texts as they are written: no numbers, no truth values', () => {
    const { lab: made } = read(linux('      env: {V: 1.10, P: no, T: 2222:22}\n'));
    assert.equal(nodeOf(made, 'n1').properties['environment'], 'V=1.10\nP=no\nT=2222:22');
  });

  it('replaces variables by their defaults, and tells those that are not set', () => {
    const { lab: made, notes } = read(linux('      env: {A: "${X:-1}", B: "${Y}", C: "$$Z", D: "${W:+2}e"}\n'));
    assert.equal(nodeOf(made, 'n1').properties['environment'], 'A=1\nB=${Y}\nC=$Z\nD=e');
    assert.ok(notes.some((note) => note.startsWith('$Y is not set')));
  });

  it('copies what is bound into a node, whole directories too', () => {
    const binds = '      binds: ["conf/frr.conf:/etc/frr/frr.conf:ro", "more:/opt"]\n      env-files: [vars]\n';
    const files = { 'conf/frr.conf': 'router', 'more/a': '1', 'more/b/c': '2', vars: '# no\nA=1\n' };
    assert.deepEqual(filesNamedInContainerlab(linux(binds)), ['conf/frr.conf', 'more', 'vars']);
    const { lab: made, notes } = read(linux(binds), files);
    const { properties } = nodeOf(made, 'n1');
    assert.deepEqual(properties['files'], [
      { path: '/etc/frr/frr.conf', content: 'router', source: 'conf/frr.conf' },
      { path: '/opt/a', content: '1', source: 'more/a' },
      { path: '/opt/b/c', content: '2', source: 'more/b/c' },
    ]);
    assert.equal(properties['environment'], 'A=1');
    assert.ok(notes.some((note) => /conf\/frr.conf is copied to/.test(note)));
  });

  it('copies octets and permissions, from the directory itself and from above it', () => {
    const binds = '      binds: [".:/srv", "../up.txt:/up", "./a/../go.sh:/go", "..:/all"]\n';
    assert.deepEqual(filesNamedInContainerlab(linux(binds)), ['.', '../up.txt', 'go.sh', '..']);
    const go = { content: '/w==', encoding: 'base64', mode: '755' } as const;
    const { lab: made } = read(linux(binds), { 'go.sh': go, 'sub/b': 'b', '../up.txt': 'u', '../lab/c': 'c' });
    assert.deepEqual(nodeOf(made, 'n1').properties['files'], [
      { path: '/srv/go.sh', ...go, source: 'go.sh' },
      { path: '/srv/sub/b', content: 'b', source: 'sub/b' },
      { path: '/up', content: 'u', source: '../up.txt' },
      { path: '/go', ...go, source: 'go.sh' },
      { path: '/all/up.txt', content: 'u', source: '../up.txt' },
      { path: '/all/lab/c', content: 'c', source: '../lab/c' },
    ]);
    assert.match(
      refusal(linux('      binds: ["../x:/x"]\n')),
      /has \.\.\/x, a file that did not come with the text; topolog apply sends/,
    );
    assert.match(
      refusal(linux('      binds: ["/etc/hosts:/etc/hosts"]\n')),
      /has \/etc\/hosts:\/etc\/hosts, which is of the machine/,
    );
    assert.match(refusal(linux('      env-files: [e]\n'), { e: go }), /env-files has e, which is no text/);
  });

  it('gives containers the names that they have there, and writes the prefix again', () => {
    const names = {
      '': 'clab-x-n1',
      'prefix: ~\n': 'clab-x-n1',
      'prefix: p\n': 'p-x-n1',
      'prefix: __lab-name\n': 'x-n1',
    };
    for (const [prefix, name] of Object.entries({ ...names, 'prefix: ""\n': 'n1' })) {
      const { lab: made, notes } = read(prefix + linux(''));
      assert.equal(nodeOf(made, 'n1').properties['container_name'], name);
      assert.ok(!notes.some((note) => note.includes('prefix')), notes.join('; '));
      assert.deepEqual(read(writeContainerlab(made).text).lab, made);
    }
    assert.ok(!('container_name' in nodeOf(read(lab('    a b: {kind: linux, image: i}\n')).lab, 'a b').properties));
  });

  it('publishes ports, and writes them again', () => {
    const { lab: made } = read(linux('      ports: ["8080:80", "2222:22/tcp", "53:5353/udp", "9000"]\n'));
    const published = [
      { port: 8080, to: 80 },
      { port: 2222, to: 22 },
      { port: 53, to: 5353, protocol: 'udp' },
    ];
    assert.deepEqual(nodeOf(made, 'n1').properties['published'], published);
    assert.deepEqual(nodeOf(read(writeContainerlab(made).text).lab, 'n1').properties['published'], published);
  });

  it('has settings of the kernel that a container cannot write made with it', () => {
    const { properties } = nodeOf(
      read(linux('      exec: ["sysctl -w net.ipv4.ip_forward=1", "sysctl -w kernel.panic=1"]\n')).lab,
      'n1',
    );
    assert.deepEqual(properties['sysctls'], { 'net.ipv4.ip_forward': '1' });
    assert.deepEqual(properties['commands'], ['sysctl -w kernel.panic=1']);
  });

  it('names every key that is not known or not used', () => {
    const { notes } = read(
      `name: x\nodd: 1\nmgmt: {strange: 1, mtu: 9000}\ntopology:\n  other: {}\n  nodes:\n    n1: {kind: linux, image: a, colour: blue, ports: ["8080:80", "53:53/udp", "53:53/sctp"], cpu: 2}\n    n2: {kind: linux, image: a}\n  links:\n    - {endpoints: ["n1:eth1", "n2:eth1"], mtu: 1400, wrong: 1}\n`,
    );
    const told = notes.join('\n');
    for (const word of [
      'odd is not known',
      'mgmt: strange is not known',
      'mgmt: mtu is not used',
      'topology: other is not known',
    ])
      assert.match(told, new RegExp(word));
    for (const word of [
      'n1: colour is not known',
      'n1: port 53:53/sctp is not published: only HOST:CONTAINER over TCP or UDP is',
      'n1: cpu is not used',
      'link 1: wrong is not known',
      'mtu 1400',
    ])
      assert.match(told, new RegExp(word));
  });

  const node = (keys: string): string =>
    `name: x\ntopology:\n  nodes:\n    n1:\n      kind: linux\n      image: a\n      ${keys}\n`;
  for (const [key, what] of [
    ...[
      'exec: ip addr',
      'env-files: f',
      'cap-add: X',
      'binds: "a:/a"',
      'ports: 1',
      'aliases: a',
      'volumes: v',
      'devices: d',
    ],
    ...['exec: [[a]]', 'binds: [{a: b}]', 'tmpfs: [/run]'],
    ...[
      'env: ["A=1"]',
      'env: {A: [1]}',
      'sysctls: [a]',
      'labels: [a]',
      'cmd: [sh]',
      'entrypoint: {a: b}',
      'user: [root]',
    ],
    ...[
      'network-mode: [none]',
      'mgmt-ipv4: [1.2.3.4]',
      'image: [a]',
      'kind: [linux]',
      'group: {a: b}',
      'privileged: maybe',
    ],
    ...['startup-delay: soon', 'cpu: many', 'dns: a', 'stages: []', 'components: a', 'extras: a', 'license: [a]'],
  ].map((given): [string, string] => [given, given.split(':')[0] ?? '']))
    for (const level of ['nodes', 'defaults', 'kinds', 'groups'])
      it(`refuses ${key} in ${level}, whose type containerlab does not take, by its place`, () => {
        const text = {
          nodes: `name: x\ntopology:\n  nodes: {n1: {${key}}}\n`,
          defaults: `name: x\ntopology:\n  defaults: {${key}}\n  nodes: {}\n`,
          kinds: `name: x\ntopology:\n  kinds: {linux: {${key}}}\n  nodes: {}\n`,
          groups: `name: x\ntopology:\n  groups: {g: {${key}}}\n  nodes: {}\n`,
        }[level];
        const place = { nodes: 'nodes.n1', defaults: 'defaults', kinds: 'kinds.linux', groups: 'groups.g' }[level];
        assert.match(refusal(text ?? ''), new RegExp(`line \\d+, column \\d+: topology\\.${place}\\.${what} must be `));
      });

  for (const [text, said] of [
    ['name: x\ntopology:\n  kinds: [linux]\n  nodes: {}\n', 'topology.kinds must be a map'],
    ['name: x\ntopology:\n  groups: {g: [a]}\n  nodes: {}\n', 'topology.groups.g must be a map'],
    ['name: x\ntopology:\n  defaults: linux\n  nodes: {}\n', 'topology.defaults must be a map'],
    ['name: x\ntopology:\n  nodes: {a: [linux]}\n', 'topology.nodes.a must be a map'],
    ['name: x\ntopology:\n  nodes: {}\n  links: {endpoints: ["a:eth1", "b:eth1"]}\n', 'topology.links must be a list'],
    ['name: x\nmgmt: [a]\ntopology:\n  nodes: {}\n', 'mgmt must be a map'],
    ['name: x\nmgmt: {network: [a]}\ntopology:\n  nodes: {}\n', 'mgmt.network must be a text'],
    ['name: x\ntopology:\n  nodes: {}\nlinks: []\n', 'links belongs to topology'],
    ['name: x\nnodes: {}\ntopology:\n  nodes: {}\n', 'nodes belongs to topology'],
    ['name: x\ntopology:\n  mgmt: {}\n  nodes: {}\n', 'topology.mgmt belongs to the top of the file'],
    ['name: x\ntopology:\n  nodes: {}\n  image: a\n', 'topology.image belongs to a node'],
    ['name: x\ntopology:\n  nodes: {a: {links: []}}\n', 'topology.nodes.a.links belongs to topology'],
    ['name: x\ntopology:\n  nodes: {}\n  links: [{endpoint: [a], type: dummy}]\n', 'links[0].endpoint must be a map'],
    ['name: x\ntopology:\n  nodes: {}\n  links: [{type: [veth], endpoints: []}]\n', 'links[0].type must be a text'],
    [
      'name: x\ntopology:\n  nodes: {}\n  links: [{type: host, endpoint: {node: a, interface: e}}]\n',
      'links[0].host-interface is missing',
    ],
  ] as const)
    it(`refuses it where ${said}`, () => {
      const found = refusal(text);
      assert.ok(found.includes(said), found);
    });

  it('takes null as not given, in every spelling', () => {
    const nulls =
      'cmd: null\n      entrypoint: ~\n      user: Null\n      exec: NULL\n      env: {A: null, B: "null"}\n      binds: [~]\n      stages:';
    const { lab: made, notes } = read(`prefix: ~\nmgmt: null\n${node(nulls)}  links: ~\n`);
    assert.deepEqual(nodeOf(made, 'n1').properties, {
      image: 'a',
      container_name: 'clab-x-n1',
      adapters: 1,
      environment: 'A=\nB=null',
      interfaces: [{ adapter: 0, addresses: ['172.20.20.2/24'] }],
    });
    assert.deepEqual(
      notes.filter((note) => /not used/.test(note)),
      [],
    );
  });

  it('takes what nothing reads with a note', () => {
    const { notes } = read(
      linux(
        '      license: l.txt\n      extras: {a: b}\n      components: [{slot: A}]\n      mgmt_ipv4: 172.20.20.9\n',
      ),
    );
    for (const key of ['license', 'extras', 'components'])
      assert.ok(
        notes.some((note) => note.startsWith(`n1: ${key} is not used: nothing reads it`)),
        notes.join('; '),
      );
    assert.ok(!notes.some((note) => note.includes('mgmt_ipv4')), notes.join('; '));
    const text = lab(
      '    s: {kind: nokia_sros, license: l, binds: ["a:/a"], devices: [/dev/kvm], exec: [a], privileged: true}\n',
    );
    const simulated = read(text, {}, true).notes.join('; ');
    for (const key of ['license', 'binds', 'devices', 'exec', 'privileged'])
      assert.ok(simulated.includes(`s: ${key} is not used`), simulated);
  });

  it('replaces the variables of containerlab where it does, and tells where not', () => {
    const keys =
      '      exec: ["echo __clabNodeName__ __clabLabName__"]\n      binds: ["__clabNodeDir__/a:/a", "__clabDir__/b/__clabNodeName__:/b"]\n' +
      '      env: {N: __clabNodeName__}\n      cmd: run __clabDir__\n';
    const named = ['clab-x/n1/a', 'clab-x/b/n1'];
    assert.deepEqual(filesNamedInContainerlab(linux(keys)), named);
    const { lab: made, notes } = read(linux(keys), Object.fromEntries(named.map((name) => [name, name])));
    const { properties } = nodeOf(made, 'n1');
    assert.deepEqual(properties['commands'], ['echo n1 clab-x']);
    assert.deepEqual(
      (properties['files'] as { path: string; content: string }[]).map(({ path: at, content }) => [at, content]),
      [
        ['/a', 'clab-x/n1/a'],
        ['/b', 'clab-x/b/n1'],
      ],
    );
    assert.equal(properties['environment'], 'N=__clabNodeName__');
    for (const told of ['__clabNodeName__ stays as it is written in env', '__clabDir__ stays as it is written in cmd'])
      assert.ok(
        notes.some((note) => note.includes(told)),
        notes.join('; '),
      );
    const defaults =
      'name: x\ntopology:\n  defaults: {kind: linux, image: a, exec: [echo __clabNodeName__]}\n  nodes: {p: {}, q: {}}\n';
    assert.deepEqual(
      read(defaults)
        .lab.nodes.filter(({ kind }) => kind === 'container')
        .map((one) => one.properties['commands']),
      [['echo p'], ['echo q']],
    );
  });

  it('refuses names of nodes that links have for something else, by their place', () => {
    for (const name of ['host', 'Host', 'mgmt-net', 'MACVLAN'])
      assert.match(
        refusal(lab(`    ${name}: {kind: linux, image: i}\n`)),
        new RegExp(`line 4, .*nodes\\.${name} has a name that`),
      );
    const { lab: made } = read(
      lab(
        '    host: {kind: host}\n    a: {kind: linux, image: i}\n',
        '  links:\n    - endpoints: ["a:eth1", "host:t1"]\n',
      ),
    );
    assert.deepEqual(made.links[0]?.ends[1], { node: 'host', port: 't1' });
    assert.deepEqual(
      made.nodes.map(({ name }) => name),
      ['host', 'a', 'clab'],
    );
    const { notes } = writeContainerlab({
      name: 'x',
      settings: {},
      links: [],
      nodes: [{ name: 'host', kind: 'container', properties: { image: 'i' } }],
    });
    assert.ok(
      notes.some((note) => note.startsWith('host: its name stands for')),
      notes.join('; '),
    );
  });

  it('refuses a variable of several lines, by its place', () => {
    assert.match(refusal(linux('      env: {F: "two\\nlines"}\n')), /line 7, .*nodes\.n1\.env\.F has several lines/);
  });

  it('takes capabilities in either case', () => {
    const { properties } = nodeOf(read(linux('      cap-add: [net_raw, CAP_SYS_ADMIN, cap_net_raw]\n')).lab, 'n1');
    assert.deepEqual(properties['capabilities'], ['NET_RAW', 'SYS_ADMIN']);
  });

  it('refuses all that is not possible at once, each by its place', () => {
    const said = refusal(
      lab(
        '    a: {kind: linux, image: i, privileged: true, devices: [/dev/kvm]}\n    b: {kind: nokia_srlinux, image: i}\n' +
          '    c: {kind: what}\n    d: {image: i}\n    e: {kind: linux}\n    f: {kind: linux, image: i, network-mode: host, binds: ["/etc:/etc", "gone:/x"]}\n',
        '  links:\n    - endpoints: ["a:eth1", "z:eth1"]\n    - {type: vxlan, endpoint: {node: a, interface: eth2}}\n    - endpoints: ["e:eth0", "f:eth1"]\n',
      ),
    );
    for (const part of [
      ...['nodes.a.privileged', 'nodes.a.devices', 'nodes.b is of kind nokia_srlinux', 'nodes.c is of kind what'],
      ...[
        'nodes.d has no kind',
        'nodes.e has no image',
        'nodes.f.network-mode host',
        '/etc:/etc',
        'gone, a file that did not come',
      ],
      ...['there is no node z', 'vxlan is not possible', 'nodes.e has a link at eth0'],
    ])
      assert.ok(said.includes(part), `${part} is not in: ${said}`);
  });

  it('names a link by its place in the text, whatever else is refused', () => {
    const said = refusal(
      lab(
        '    a: {kind: linux, image: i}\n',
        '  links:\n    - {type: dummy, endpoint: {node: a, interface: eth8}}\n    - endpoints: ["a:eth1", "macvlan:eth0"]\n    - endpoints: ["a:eth2", "host:x"]\n    - endpoints: ["a:eth2", "z:eth1"]\n',
      ),
    );
    assert.match(said, /links\[1\]\.endpoints macvlan/);
    assert.match(said, /links\[3\] has a:eth2, which another link has/);
    assert.match(said, /links\[3\] has z:eth1, and there is no node z/);
    const { placeOf } = read(
      lab(
        '    a: {kind: linux, image: i}\n    b: {kind: linux, image: i}\n',
        '  links:\n    - {type: dummy, endpoint: {node: a, interface: eth8}}\n    - endpoints: ["a:eth1", "b:eth1"]\n',
      ),
    );
    assert.equal(placeOf(['links', 0]).field, 'topology.links[1]');
  });

  it('tells once what is true of many nodes', () => {
    const { notes } = read(
      lab('    a: {kind: linux, image: i, cpu: 1}\n    b: {kind: linux, image: i, cpu: 2}\n    c: {kind: bridge}\n'),
    );
    assert.ok(notes.includes('a, b: cpu is not used: not limited'), notes.join('; '));
    assert.ok(
      notes.includes('c: an ethernet_switch of the lab stands for the bridge of the machine'),
      notes.join('; '),
    );
  });

  it('is refused where its nodes would get too much of what they have in common', () => {
    const nodes = Array.from({ length: 200 }, (_, i) => `    n${i}: {}\n`).join('');
    const text = (defaults: string): string => `name: x\ntopology:\n  defaults: {${defaults}}\n  nodes:\n${nodes}`;
    const files = { many: 'a=1\n'.repeat(20_000) };
    const tooMuch = /says more than \d+ characters of its nodes, with what each gets of defaults/;
    assert.throws(() => readContainerlab({ text: text('kind: linux, image: a, env-files: [many]'), files }), tooMuch);
    const same = text(`kind: linux, image: a, exec: [${'a,'.repeat(40_000)}a]`);
    assert.throws(() => readContainerlab({ text: same, files: {} }), tooMuch);
  });

  it('tells twenty of what it is refused for, and how many there are', () => {
    const links = Array.from({ length: 50 }, (_, i) => `    - endpoints: ["z${i}:eth1", "a:eth${i + 1}"]\n`).join('');
    const text = `name: x\ntopology:\n  nodes:\n    a: {kind: linux, image: a}\n  links:\n${links}`;
    assert.throws(
      () => readContainerlab({ text, files: {} }),
      ({ message, details }: TopologError) => {
        assert.match(message, /has z19:eth1, and there is no node z19; and 30 more$/);
        assert.equal((details['errors'] as unknown[]).length, 20);
        return true;
      },
    );
  });

  it('takes a template for a network system, by a file beside, or has it simulated', () => {
    const text = lab(
      '    r1: {kind: arista_ceos, startup-config: r1.cfg}\n    h: {kind: linux, image: i}\n',
      '  links:\n    - endpoints: ["r1:eth3", "h:eth1"]\n',
    );
    assert.deepEqual(filesNamedInContainerlab(text), ['r1.cfg', 'clab-templates.yml']);
    const systems = { 'clab-templates.yml': 'arista_ceos: vEOS 4.28\n' };
    assert.throws(() => read(text, systems), /nodes\.r1\.startup-config has r1\.cfg, a file that did not come/);
    const inline = text.replace('r1.cfg', '"hostname a\\nend\\n"');
    assert.deepEqual(filesNamedInContainerlab(inline), ['clab-templates.yml']);
    assert.equal(nodeOf(read(inline, systems).lab, 'r1').startup, 'hostname a\nend\n');
    const { lab: made } = read(text, { 'clab-templates.yml': 'arista_ceos: vEOS 4.28\n', 'r1.cfg': 'hostname r1\n' });
    assert.deepEqual(nodeOf(made, 'r1'), {
      name: 'r1',
      template: 'vEOS 4.28',
      properties: {},
      startup: 'hostname r1\n',
    });
    assert.deepEqual(made.links[0]?.ends[0], { node: 'r1', port: '3' });
    const simulated = read(text, {}, true);
    assert.equal(nodeOf(simulated.lab, 'r1').properties['engine'], 'simulated');
    assert.ok(simulated.notes.some((note) => /arista_ceos is simulated/.test(note)));
    const lost = writeContainerlab(simulated.lab).notes.filter((note) => note.includes('startup-config'));
    assert.deepEqual(
      lost.map((note) => note.split(';')[0]),
      ['r1: simulated'],
    );
  });

  it('links nodes to the machine and to the management network', () => {
    const { lab: made } = read(
      lab(
        '    a: {kind: linux, image: i}\n',
        '  links:\n    - endpoints: ["HOST:veth-a", "a:eth1"]\n    - endpoints: ["a:eth2", "mgmt-net:a-2"]\n',
      ),
    );
    assert.deepEqual(nodeOf(made, 'host').properties['ports_mapping'], [
      { name: 'veth-a', port_number: 0, type: 'tap', interface: 'veth-a' },
    ]);
    assert.deepEqual(
      made.links.map(({ ends }) => ends.map(({ node, port }) => `${node}:${port}`)),
      [
        ['a:eth1', 'host:veth-a'],
        ['a:eth2', 'clab:a-2'],
        ['a:eth0', 'clab:a'],
      ],
    );
  });

  it('leads its management network out where it asks for it and the server is local, and says so again', () => {
    const text = `name: x
mgmt: {external-access: true, ipv4-subnet: 10.9.8.0/24}
topology:
  nodes:
    a: {kind: linux, image: i, mgmt-ipv4: 10.9.8.7}
    b: {kind: linux, image: i, aliases: [b.lab]}
`;
    assert.match(refusal(text), /line 2.*external-access takes a network of the server’s machine/);
    const { lab: made } = readContainerlab({ text, files: {}, local: true });
    assert.deepEqual(nodeOf(made, 'clab-gateway').properties, { network: '10.9.8.0/24' });
    assert.deepEqual(made.links.at(-1)?.ends, [{ node: 'clab-gateway' }, { node: 'clab', port: 'clab-gateway' }]);
    const { interfaces, extra_hosts } = nodeOf(made, 'a').properties;
    const way = { gateway: '10.9.8.1', nameserver: '10.9.8.1' };
    assert.deepEqual(interfaces, [{ adapter: 0, addresses: ['10.9.8.7/24'], ...way }]);
    assert.equal(extra_hosts, 'b:10.9.8.2\nclab-x-b:10.9.8.2\nb.lab:10.9.8.2');
    const written = writeContainerlab(made);
    assert.deepEqual(written.notes, []);
    const again = readContainerlab({ text: written.text, files: {}, local: true });
    assert.deepEqual(again.lab, made);
    const wide = text.replace('10.9.8.0/24', '10.9.0.0/16');
    assert.throws(
      () => readContainerlab({ text: wide, files: {}, local: true }),
      /24 bits, such as 172\.20\.20\.0\/24/,
    );
  });

  it('becomes an inventory of Ansible, and lines for /etc/hosts', () => {
    const { lab: made } = read(
      lab('    a: {kind: linux, image: i}\n    b: {kind: linux, image: i, network-mode: none}\n'),
    );
    const left = ['2 of 3 nodes have no address on a management network, and are left out'];
    assert.deepEqual(LAB_WRITERS.hosts(made), { text: '172.20.20.2\tclab-x-a\ta\n', notes: left });
    const { text, notes } = LAB_WRITERS.ansible(made);
    assert.deepEqual(notes, left);
    assert.deepEqual(parse(text), {
      all: {
        vars: { ansible_httpapi_use_proxy: false },
        children: { linux: { hosts: { 'clab-x-a': { ansible_host: '172.20.20.2' } } } },
      },
    });
  });

  it('is refused with a sentence when it is none', () => {
    assert.match(refusal('a: b: c'), /\S/);
    assert.match(refusal('- 1'), /must have a name and a topology/);
    assert.match(refusal('topology: {nodes: {}}'), /name is missing/);
    assert.match(refusal('name: x\ntopology: {nodes: []}'), /must be a map of nodes/);
    assert.match(refusal('name: x\ntopology:\n  nodes:\n    {{range}}'), /line 4: templates/);
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefghi'.split('').map((one, n) => `${one}: &${one} [${Array(9).fill(`*${'abcdefgh'[n]}`).join(', ')}]`),
    ];
    assert.match(refusal(`${bomb.join('\n')}\nname: x\ntopology: {nodes: {}}`), /alias/i);
  });
});

describe('a lab that is written for containerlab', () => {
  it('tells what has no place there', () => {
    const { text, notes } = writeContainerlab({
      name: 'x',
      settings: {},
      nodes: [
        { name: 'PC1', kind: 'simple_pc', properties: {} },
        {
          name: 'A',
          kind: 'container',
          properties: { image: 'i', interfaces: [{ adapter: 0, addresses: ['10.0.0.1/24'] }] },
        },
        { name: 'R', template: 'c3725', properties: {} },
      ],
      links: [
        {
          ends: [
            { node: 'PC1', port: '0' },
            { node: 'A', port: '0' },
          ],
          filters: { delay: [10] },
        },
      ],
      checks: [],
    });
    assert.match(text, /network-mode: none/);
    for (const word of [
      'PC1: containerlab has no kind for simple_pc',
      'R: it is made of the template c3725',
      'between PC1 and A is left out',
      '10.0.0.1/24 of eth0',
      'filters of 1 link have',
    ])
      assert.ok(
        notes.some((note) => note.includes(word)),
        `${word} is not in ${notes.join('; ')}`,
      );
  });
});
