import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { type Api, type Bag, id, startApi } from '../../api/api.ts';
import { type Console, openConsole } from '../../support/console.ts';

const skip = (await which('passt')) === null ? 'passt is not installed' : false;
const PROMPT = /> $/;

describe('PCs behind a NAT of passt', { skip }, () => {
  let api: Api;
  let project_id = '';
  const consoles: Console[] = [];
  const udp = createSocket('udp4');
  const tcp = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  /** Outside the lab, on the host's loopback: the gateway's address stands for it. */
  let ports: [number, number] = [0, 0];

  before(async () => {
    udp.on('message', (bytes, { port, address }) => udp.send(bytes, port, address));
    udp.bind(0, '127.0.0.1');
    tcp.listen(0, '127.0.0.1');
    await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
    ports = [udp.address().port, (tcp.address() as AddressInfo).port];
    api = await startApi([]);
    project_id = await api.project();
    const common = { compute_id: 'local' };
    const make = (body: Bag) => api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, body);
    const nat = await make({
      ...common,
      name: 'NAT',
      node_type: 'nat',
      properties: { engine: 'passt', ports_mapping: [{}, {}] },
    });
    for (const port_number of [0, 1]) {
      const pc = await make({ ...common, name: `PC${port_number}`, node_type: 'vpcs' });
      const nodes = [
        { node_id: id(nat), adapter_number: 0, port_number },
        { node_id: id(pc), adapter_number: 0, port_number: 0 },
      ];
      await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
      const at = { project_id, node_id: id(pc) };
      const { console } = await api.get(200, 'POST /v2/projects/{project_id}/nodes/{node_id}/start', at);
      consoles.push(await openConsole(Number(console)));
    }
    const { status } = await api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}', {
      project_id,
      node_id: id(nat),
    });
    assert.equal(status, 'started');
  });
  after(async () => {
    for (const console of consoles) console.close();
    await api.close();
    udp.close();
    tcp.close();
  });

  it('get a lease, each one of its own', async () => {
    for (const [index, console] of consoles.entries()) {
      await console.until(PROMPT);
      assert.match(await console.type('ip dhcp', /DORA[^]*> $/), new RegExp(`IP 192\\.168\\.122\\.${index + 2}/24`));
    }
  });

  it('reach what listens outside the lab, over UDP and over TCP', async () => {
    const [udpPort, tcpPort] = ports;
    for (const console of consoles) {
      assert.match(
        await console.type(`ping 192.168.122.1 -2 -p ${udpPort} -c 1`, PROMPT),
        /bytes from 192\.168\.122\.1/,
      );
      assert.match(
        await console.type(`ping 192.168.122.1 -3 -p ${tcpPort} -c 1`, PROMPT),
        new RegExp(`Connect +${tcpPort}@192\\.168\\.122\\.1 seq=1`),
      );
    }
  });
});
