import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { forwardingOf, readAnswers } from '../../src/why/console-answers.ts';
import type { WhyAnswer } from '../../src/why/contract.ts';
import { recordingName, recordingsDirectory } from '../../src/files/recordings.ts';
import { testServer } from '../support/server.ts';

const LINUX = `/ # ip addr
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue
    inet 127.0.0.1/8 scope host lo
2: eth0@if7: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1400 qdisc noqueue
    link/ether 02:42:ac:11:00:02 brd ff:ff:ff:ff:ff:ff
    inet 10.1.0.1/24 scope global eth0
    inet6 2001:db8:1::1/64 scope global
/ # ip route
default via 10.1.0.254 dev eth0
10.1.0.0/24 dev eth0 scope link  src 10.1.0.1
10.2.0.0/16 via 10.1.0.2 dev eth0
`;

const CISCO = `R1#show ip interface brief
Interface                  IP-Address      OK? Method Status                Protocol
FastEthernet0/0            10.1.0.1        YES NVRAM  up                    up
FastEthernet0/1            unassigned      YES NVRAM  administratively down down
R1#show ip route
Codes: C - connected, S - static, R - RIP, M - mobile, B - BGP
       D - EIGRP, EX - EIGRP external, O - OSPF, IA - OSPF inter area

Gateway of last resort is not set

     10.0.0.0/24 is subnetted, 2 subnets
C       10.1.0.0 is directly connected, FastEthernet0/0
O       10.2.0.0 [110/20] via 10.1.0.2, 00:00:13, FastEthernet0/0
S*   0.0.0.0/0 [1/0] via 10.1.0.254
R1#`;

const FRR = `r1# show interface brief
Interface       Status  VRF             Addresses
---------       ------  ---             ---------
eth0            up      default         10.1.0.1/24
eth1            up      default         10.3.0.1/30
r1# show ip route
Codes: K - kernel route, C - connected, S - static, R - RIP,
C>* 10.1.0.0/24 is directly connected, eth0, 00:01:02
O>* 10.2.0.0/24 [110/20] via 10.3.0.2, eth1, weight 1, 00:00:13
S>* 2001:db8:2::/64 [1/0] via 2001:db8:3::2, eth1, weight 1, 00:00:13
`;

const read = (text: string) => readAnswers(text.split('\n').map((line, at) => ({ at, line: `${line}\r` })));

describe('what a console has shown', () => {
  it('of Linux', () => {
    const { interfaces, routes } = read(LINUX) ?? assert.fail();
    assert.deepEqual([...interfaces.keys()], ['eth0']);
    const { addresses, mac, mtu } = interfaces.get('eth0') ?? assert.fail();
    assert.deepEqual([addresses, mac, mtu], [['10.1.0.1/24', '2001:db8:1::1/64'], '02:42:ac:11:00:02', 1400]);
    assert.deepEqual(routes, [
      { to: '0.0.0.0/0', via: '10.1.0.254' },
      { to: '10.2.0.0/16', via: '10.1.0.2' },
    ]);
  });

  it('of systems like Cisco, with prefixes that are told elsewhere', () => {
    const { interfaces, routes } = read(CISCO) ?? assert.fail();
    assert.deepEqual(interfaces.get('FastEthernet0/0')?.addresses, ['10.1.0.1/24']);
    assert.deepEqual(routes, [
      { to: '10.2.0.0/24', via: '10.1.0.2' },
      { to: '0.0.0.0/0', via: '10.1.0.254' },
    ]);
  });

  it('of FRR, of both families', () => {
    const { interfaces, routes } = read(FRR) ?? assert.fail();
    assert.deepEqual(interfaces.get('eth1')?.addresses, ['10.3.0.1/30']);
    assert.deepEqual(routes, [
      { to: '10.2.0.0/24', via: '10.3.0.2' },
      { to: '2001:db8:2::/64', via: '2001:db8:3::2' },
    ]);
  });

  it('counts as it was said last', () => {
    const later = `${LINUX}/ # ip addr
2: eth0@if7: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue
    inet 10.9.0.1/24 scope global eth0
/ # ip route
10.9.0.0/24 dev eth0 scope link
`;
    const { interfaces, routes } = read(later) ?? assert.fail();
    assert.deepEqual(interfaces.get('eth0')?.addresses, ['10.9.0.1/24']);
    assert.deepEqual(routes, []);
    assert.equal(read('hello\nlogin: root'), null);
  });

  it('has no addresses of an interface that is down', () => {
    const text = LINUX.replace(
      '/ # ip route',
      '3: eth1: <BROADCAST,MULTICAST> mtu 1500 qdisc noqueue\n    inet 10.2.0.1/24\n/ # ip route',
    );
    assert.deepEqual([...(read(text) ?? assert.fail()).interfaces.keys()], ['eth0']);
  });

  it('is of the ports that it names', () => {
    const ports = ['FastEthernet0/0', 'FastEthernet0/1'].map((name, n) => ({
      ...{ name, short_name: `f0/${n}`, adapter_number: 0, port_number: n, link_type: 'ethernet' },
    }));
    const answers = read(CISCO.replaceAll('FastEthernet0/0', 'Fa0/1')) ?? assert.fail();
    const found = forwardingOf(answers, ports as unknown as Parameters<typeof forwardingOf>[1]);
    assert.deepEqual(
      found?.interfaces.map(({ port_number, addresses }) => [port_number, addresses]),
      [[1, ['10.1.0.1/24']]],
    );
    assert.equal(forwardingOf(read(FRR.replaceAll('eth', 'bond')) ?? assert.fail(), ports as never), null);
  });
});

const LAB = `
lab: consoles
version: 1
nodes:
  PC1: { kind: simple_pc, startup: "ip 10.1.0.2/24 10.1.0.1\\n" }
  PC2: { kind: simple_pc, startup: "ip 10.2.0.2/24 10.2.0.1\\n" }
  R1: { kind: container, properties: { engine: simulated, image: "busybox:latest", adapters: 2 } }
links:
  - [PC1:0, R1:0]
  - [R1:1, PC2:0]
`;

it(
  'why takes the routes of a real system from its recorded console, up to the moment that is asked for',
  { timeout: 30_000 },
  async (t) => {
    const server = await testServer();
    t.after(() => server.close());
    const applied = await server.request('POST', '/v2/labs/apply', { text: LAB, start: true });
    assert.equal(applied.status, 200, applied.text);
    const { project_id } = applied.body as { project_id: string };
    const get = async (path_: string): Promise<unknown> => (await server.request('GET', `/v2${path_}`)).body;
    const nodes = (await get(`/projects/${project_id}/nodes`)) as { name: string; node_id: string }[];
    const { path: place } = (await get(`/projects/${project_id}`)) as { path: string };
    const { log } = (await get('/health')) as { log: { position: number } };
    const before = log.position;
    const directory = recordingsDirectory(place, nodes.find(({ name }) => name === 'R1')?.node_id ?? '');
    await mkdir(directory, { recursive: true });
    const started_at = new Date(Date.now() + 1).toISOString();
    const shown = (wan: string): string => `/ # ip addr
2: eth0: <UP> mtu 1500
    inet 10.1.0.1/24
3: eth1: <UP> mtu 1500
    inet ${wan}
/ # ip route
10.1.0.0/24 dev eth0
`;
    const record = (wan: string): Promise<void> =>
      writeFile(
        path.join(directory, recordingName(Date.parse(started_at))),
        [{ version: 3, topolog: { started_at } }, [0, 'o', shown(wan)]]
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
    const why = async (more = ''): Promise<WhyAnswer> =>
      (await get(`/projects/${project_id}/why?from=PC1&to=PC2${more}`)) as WhyAnswer;
    const routes = ({ request }: WhyAnswer): string[] =>
      request.obstacles.filter(({ code }) => code === 'no_route').map(({ sentence }) => sentence);

    const unasked = await why();
    assert.deepEqual(routes(unasked), []);
    await record('10.9.0.1/24');
    let lost = await why();
    // Start-up texts run once their nodes have started.
    while (routes(lost).length === 0) lost = await why();
    assert.deepEqual(routes(lost), [
      'R1 (10.1.0.1/24, 10.9.0.1/24) has no route to 10.2.0.2 of PC2, which is in another network',
    ]);
    assert.ok(
      lost.notes.includes(`the addresses and routes of R1 are those that its console showed at ${started_at}`),
      lost.notes.join('; '),
    );
    assert.deepEqual(routes(await why(`&at=${before}`)), []);
    await record('10.2.0.1/24');
    assert.deepEqual(routes(await why()), []);
  },
);
