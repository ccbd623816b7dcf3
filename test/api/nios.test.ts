import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  assertBrokenBodies,
  assertMalformedIds,
  assertWrongFields,
  type Bag,
  id,
  startApi,
  type Values,
} from './api.ts';
import { connectConsole } from './console-client.ts';
import { freePort } from '../support/free-port.ts';

const api = await startApi();
after(() => api.close());

const udp = async (): Promise<Bag> => ({
  type: 'nio_udp',
  lport: await freePort(),
  rhost: '127.0.0.1',
  rport: await freePort(),
});

for (const kind of ['desktop_vm_a', 'switch_router_emulator', 'router_emulator'] as const) {
  const NIO = `/v2/compute/projects/{project_id}/${kind}/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio`;
  const POST = `POST ${NIO}`;
  const PUT = `PUT ${NIO}`;
  const DELETE = `DELETE ${NIO}`;

  describe(`a NIO of a ${kind}`, () => {
    let project_id = '';
    before(async () => {
      project_id = await api.project();
    });
    const place = async (): Promise<Values> => {
      const node = await api.node(project_id, kind);
      return { project_id, node_id: id(node), adapter_number: 0, port_number: 0 };
    };
    const attached = async (): Promise<{ at: Values; nio: Bag }> => {
      const at = await place();
      const nio = await udp();
      await api.get(201, POST, at, nio);
      return { at, nio };
    };

    it(`[${POST} 201] [rule 7] [rule 11] is attached to a port of a stopped and of a running node, and answered`, async () => {
      const at = await place();
      const nio = await udp();
      assert.deepEqual(await api.get(201, POST, at, nio), nio);
      const running = await place();
      await api.get(200, 'POST /v2/projects/{project_id}/nodes/{node_id}/start', running);
      const other = { ...(await udp()), filters: { packet_loss: [10] }, suspend: false };
      const made = await api.get(201, POST, running, other);
      const { type, lport, rhost, rport } = other as Bag;
      assert.deepEqual(made, { type, lport, rhost, rport });
    });

    it(`[${POST} 400] is not attached at what is no port, or from a body that is no NIO`, async () => {
      const at = await place();
      const nio = await udp();
      await assertMalformedIds(api, POST, at);
      await assertBrokenBodies(api, POST, at);
      for (const number of ['a', '-1', '0x0', '1.0', '+1', ' 0', '0a'])
        for (const name of ['adapter_number', 'port_number']) await api.get(400, POST, { ...at, [name]: number }, nio);
      await assertWrongFields(api, POST, at, {
        type: {},
        lport: { ...nio, lport: 0 },
        rport: { ...nio, rport: '5000' },
        rhost: { ...nio, rhost: '' },
        colour: { ...nio, colour: 'red' },
      });
      await api.get(400, POST, at, { ...nio, type: 'nio_carrier_pigeon' });
      await api.get(400, POST, at, { type: 'nio_udp' });
      // Nothing was attached by any of them.
      await api.get(201, POST, at, nio);
    });

    it(`[${POST} 404] is not attached to a node or an adapter that is not there`, async () => {
      const at = await place();
      const nio = await udp();
      await api.get(404, POST, { ...at, node_id: randomUUID() }, nio);
      await api.get(404, POST, { ...at, project_id: randomUUID() }, nio);
      await api.get(404, POST, { ...at, adapter_number: 99 }, nio);
      const pc = await api.node(project_id, 'simple_pc');
      await api.get(404, POST, { ...at, node_id: id(pc) }, nio);
    });

    it('[rule 7] is one for a port, and its UDP port its own: a second one is a conflict', async () => {
      const { at, nio } = await attached();
      await api.get(409, POST, at, await udp());
      await api.get(409, POST, await place(), { ...(await udp()), lport: nio['lport'] });
    });

    it(`[${PUT} 201] [rule 7] [rule 11] is updated and answered`, async () => {
      const { at, nio } = await attached();
      const updated = { ...nio, filters: { delay: [10] }, suspend: true };
      assert.deepEqual(await api.get(201, PUT, at, updated), updated);
      assert.deepEqual(await api.get(201, PUT, at, nio), nio);
      const moved = { ...(await udp()), rhost: '127.0.0.2' };
      assert.deepEqual(await api.get(201, PUT, at, moved), moved);
    });

    it(`[${PUT} 400] is not updated at what is no port, or from a body that is no NIO`, async () => {
      const { at, nio } = await attached();
      await assertMalformedIds(api, PUT, at);
      await assertBrokenBodies(api, PUT, at);
      for (const number of ['a', '-1', '1.0']) await api.get(400, PUT, { ...at, adapter_number: number }, nio);
      await assertWrongFields(api, PUT, at, {
        type: {},
        lport: { ...nio, lport: 70_000 },
        filters: { ...nio, filters: [] },
        packet_loss: { ...nio, filters: { packet_loss: [101] } },
        suspend: { ...nio, suspend: 'yes' },
      });
    });

    it(`[${PUT} 404] is not updated where there is no NIO, node or adapter`, async () => {
      const { at, nio } = await attached();
      await api.get(404, PUT, await place(), await udp());
      await api.get(404, PUT, { ...at, node_id: randomUUID() }, nio);
      await api.get(404, PUT, { ...at, project_id: randomUUID() }, nio);
      await api.get(404, PUT, { ...at, adapter_number: 99 }, nio);
    });

    it(`[${DELETE} 204] [rule 7] [convention 204] is detached, and port and UDP port can be used again`, async () => {
      const { at, nio } = await attached();
      await api.get(204, DELETE, at);
      await api.get(404, DELETE, at);
      await api.get(201, POST, at, nio);
    });

    it(`[${DELETE} 400] is not detached at what is no port, or with a body that is no object`, async () => {
      const { at, nio } = await attached();
      await assertMalformedIds(api, DELETE, at);
      await assertBrokenBodies(api, DELETE, at);
      for (const number of ['a', '-1', '1.0']) await api.get(400, DELETE, { ...at, port_number: number });
      await api.get(201, PUT, at, nio);
    });

    it(`[${DELETE} 404] is not detached where there is no NIO, node or adapter`, async () => {
      const { at, nio } = await attached();
      await api.get(404, DELETE, await place());
      await api.get(404, DELETE, { ...at, node_id: randomUUID() });
      await api.get(404, DELETE, { ...at, project_id: randomUUID() });
      await api.get(404, DELETE, { ...at, adapter_number: 99 });
      await api.get(201, PUT, at, nio);
    });
  });
}

describe('a NIO', () => {
  it('[rule 11] carries the frames of its port to another one, and none while it is suspended or once it is gone', async () => {
    const project_id = await api.project();
    const row = `/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio`;
    const ports = [await freePort(), await freePort()];
    const pcs = [];
    for (const n of [1, 2]) {
      const node = await api.node(project_id, 'simple_pc', { startup_script: `set pcname PC${n}\nip 10.0.0.${n}/24` });
      const at = { project_id, node_id: id(node), adapter_number: 0, port_number: 0 };
      const nio = { type: 'nio_udp', lport: ports[n - 1], rhost: '127.0.0.1', rport: ports[2 - n] };
      await api.get(201, `POST ${row}`, at, nio);
      pcs.push({ at, nio });
    }
    await api.get(204, 'POST /v2/projects/{project_id}/nodes/start', { project_id });
    const [pc] = pcs;
    assert.ok(pc);
    const { console } = await api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}', pc.at);
    const terminal = await connectConsole(Number(console), 'PC1> ');
    const answered = /bytes from 10\.0\.0\.2/;
    try {
      assert.match(await terminal.run('ping 10.0.0.2 -c 1 -w 5000'), answered);
      await api.get(201, `PUT ${row}`, pc.at, { ...pc.nio, suspend: true });
      assert.doesNotMatch(await terminal.run('ping 10.0.0.2 -c 1 -w 300'), answered);
      await api.get(201, `PUT ${row}`, pc.at, { ...pc.nio, suspend: false });
      assert.match(await terminal.run('ping 10.0.0.2 -c 1 -w 5000'), answered);
      await api.get(204, `DELETE ${row}`, pc.at);
      assert.doesNotMatch(await terminal.run('ping 10.0.0.2 -c 1 -w 300'), answered);
    } finally {
      terminal.end();
    }
  });

  for (const kind of ['desktop_vm_a', 'desktop_vm_b', 'machine_emulator', 'container'])
    it(`[rule 7] of a ${kind} is at no other port than 0, whatever is done there`, async () => {
      const project_id = await api.project();
      const at = { project_id, node_id: id(await api.node(project_id, kind, { adapters: 2 })), adapter_number: 1 };
      const port = `/v2/compute/projects/{project_id}/${kind}/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}`;
      const nio = await udp();
      await api.get(201, `POST ${port}/nio`, { ...at, port_number: 0 }, nio);
      for (const port_number of [1, 16]) {
        const there = { ...at, port_number };
        for (const [row, body] of [
          [`POST ${port}/nio`, await udp()],
          [`PUT ${port}/nio`, nio],
          [`DELETE ${port}/nio`],
          [`POST ${port}/start_capture`, { capture_file_name: 'a.pcap' }],
          [`POST ${port}/stop_capture`, {}],
        ] as const) {
          const { message } = await api.get(404, row, there, body);
          assert.match(String(message), new RegExp(`1/${port_number} does not exist`));
        }
      }
      await api.get(204, `DELETE ${port}/nio`, { ...at, port_number: 0 });
    });

  it('[rule 7] of a desktop_vm_a is at port 0 of its adapter: each adapter has one', async () => {
    const project_id = await api.project();
    const node = await api.node(project_id, 'desktop_vm_a', { adapters: 2 });
    const row =
      'POST /v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio';
    const at = { project_id, node_id: id(node), port_number: 0 };
    await api.get(201, row, { ...at, adapter_number: 0 }, await udp());
    await api.get(201, row, { ...at, adapter_number: 1 }, await udp());
    await api.get(404, row, { ...at, adapter_number: 2 }, await udp());
    const [port] = (await api.list(project_id, 'nodes')).map((n) => n['ports'] as Bag[]);
    assert.deepEqual(
      port?.map((p) => [p['adapter_number'], p['port_number']]),
      [
        [0, 0],
        [1, 0],
      ],
    );
  });
});
