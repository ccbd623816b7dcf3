import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { conflict } from '../../src/common/errors.ts';
import { fakeLab, kinds, NODE, node, PROJECT, serve, UNKNOWN } from './fake-lab.ts';

let lab = fakeLab();
let app = serve(lab);
beforeEach(async () => {
  await app.close();
  lab = fakeLab();
  app = serve(lab);
});
after(() => app.close());

const BASE = `/v2/compute/projects/${PROJECT}`;
const of = (kind: string, id = NODE) => `${BASE}/${kind}/nodes/${id}`;
const post = (url: string, payload?: object) => app.inject({ method: 'POST', url, ...(payload ? { payload } : {}) });
const put = (url: string, payload: object) => app.inject({ method: 'PUT', url, payload });

describe('a node of the compute group', () => {
  it('is created with the shared fields apart from the properties of its kind', async () => {
    const answer = await post(`${BASE}/machine_emulator/nodes`, {
      name: 'vm',
      node_id: UNKNOWN,
      ram: 512,
      console_type: 'vnc',
    });
    assert.equal(answer.statusCode, 201, answer.body);
    assert.equal(answer.headers['x-route'], '/v2/compute/projects/{project_id}/machine_emulator/nodes');
    const record = answer.json<Record<string, unknown>>();
    assert.deepEqual([record.name, record.node_id, record.ram, record.status], ['vm', UNKNOWN, 512, 'stopped']);
    const input = {
      name: 'vm',
      node_id: UNKNOWN,
      kind: 'machine_emulator',
      console_type: 'vnc',
      properties: { ram: 512 },
    };
    assert.deepEqual(lab.calls, [['createNode', PROJECT, input, 'conflict']]);
  });

  it('is refused without a name, with a malformed node_id, and passes conflicts on', async () => {
    const url = `${BASE}/machine_emulator/nodes`;
    assert.equal((await post(url, {})).statusCode, 400);
    assert.equal((await post(url, { name: 'a', node_id: '1' })).statusCode, 400);
    lab.failNext(conflict('another node of the project is named a'));
    assert.equal((await post(url, { name: 'a' })).statusCode, 409);
  });

  it('of kind nat needs nothing at all', async () => {
    assert.equal((await post(`${BASE}/nat/nodes`)).statusCode, 201);
  });

  it('is updated field by field with 200', async () => {
    lab.records.put('node', NODE, node('desktop_vm_a'));
    const answer = await put(of('desktop_vm_a'), { console: 5001, name: 'renamed' });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(lab.calls, [['updateNode', PROJECT, NODE, { name: 'renamed', console: 5001 }, 'conflict']]);
    await put(of('desktop_vm_a'), { acpi_shutdown: true, status: 'started', project_id: UNKNOWN });
    assert.deepEqual(lab.calls[1]?.[3], { properties: { acpi_shutdown: true } });
  });

  it('exists under its own kind only, whichever name the path uses', async () => {
    assert.equal((await app.inject(of('simple_pc'))).statusCode, 200);
    assert.equal((await app.inject(of('vpcs'))).statusCode, 200);
    assert.equal((await app.inject(of('nat'))).statusCode, 404);
    const writes = [
      () => put(of('nat'), { name: 'x' }),
      () => app.inject({ method: 'DELETE', url: of('nat') }),
      () => post(`${of('nat')}/start`),
      () => post(`${of('nat')}/adapters/0/ports/0/nio`, { type: 'nio_udp', lport: 1, rhost: 'h', rport: 2 }),
    ];
    for (const write of writes) assert.equal((await write()).statusCode, 404);
    assert.deepEqual(lab.calls, []);
  });

  it('has the neutral token in X-Route also when the path used the other name', async () => {
    const answer = await app.inject(of('vpcs'));
    assert.equal(answer.headers['x-route'], '/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}');
  });

  it('starts with 204, or 200 and its record where its kind says so', async () => {
    for (const kind of kinds.all()) {
      lab.records.put('node', NODE, node(kind.name));
      const answer = await post(`${of(kind.name)}/start`);
      const { start_answers_record } = kind.capabilities;
      assert.equal(answer.statusCode, start_answers_record ? 200 : 204, kind.name);
      if (start_answers_record) assert.equal(answer.json<{ status: string }>().status, 'started');
    }
  });

  it('passes the destination of a trace to its kind', async () => {
    lab.records.put('node', NODE, node('trace_tool'));
    assert.equal((await post(`${of('trace_tool')}/start`, { destination: '10.0.0.9' })).statusCode, 200);
    assert.deepEqual(lab.calls[0]?.[4], { destination: '10.0.0.9' });
  });

  it('is paused and resumed under both words where it can be suspended', async () => {
    lab.records.put('node', NODE, node('container'));
    const actions: unknown[] = [];
    for (const word of ['suspend', 'resume', 'pause', 'unpause', 'stop']) {
      assert.equal((await post(`${of('container')}/${word}`)).statusCode, 204);
      actions.push(lab.calls.at(-1)?.[3]);
    }
    assert.deepEqual(actions, ['suspend', 'resume', 'suspend', 'resume', 'stop']);
  });

  it('is not reloaded when it always runs', async () => {
    lab.records.put('node', NODE, node('ethernet_hub'));
    assert.equal((await post(`${of('ethernet_hub')}/reload`)).statusCode, 404);
  });
});

describe('a NIO', () => {
  const udp = { type: 'nio_udp', lport: 4000, rhost: '127.0.0.1', rport: 4001 };
  const url = (kind: string, adapter = '0', port = '0') => `${of(kind)}/adapters/${adapter}/ports/${port}/nio`;
  beforeEach(() => lab.records.put('node', NODE, node('router_emulator')));

  it('is attached, changed and detached with 201, 201 and 204', async () => {
    const full = { ...udp, filters: { delay: [10] }, suspend: true };
    const made = await post(url('router_emulator'), full);
    assert.deepEqual([made.statusCode, made.json()], [201, udp]);
    const changed = await put(url('router_emulator'), full);
    assert.deepEqual([changed.statusCode, changed.json()], [201, full]);
    const gone = await app.inject({ method: 'DELETE', url: url('router_emulator') });
    assert.deepEqual([gone.statusCode, gone.body], [204, '']);
    assert.deepEqual(lab.calls[0], ['addNio', PROJECT, NODE, { adapter_number: 0, port_number: 0 }, full]);
  });

  it('is refused when its type or a field is wrong, with what would be right', async () => {
    const refusals: [object, RegExp][] = [
      [{}, /type is missing: it must be one of nio_udp/],
      [{ type: 'nio_pigeon' }, /type must be one of nio_udp/],
      [{ type: 'nio_udp', rhost: 'h', rport: 1 }, /lport is missing: it must be/],
      [{ ...udp, rport: 70000 }, /rport must be at most 65535/],
      [{ ...udp, colour: 1 }, /colour is not known here/],
      [{ ...udp, filters: { delay: 5 } }, /filters\.delay must be an array/],
    ];
    for (const [body, message] of refusals) {
      const answer = await post(url('router_emulator'), body);
      assert.equal(answer.statusCode, 400);
      assert.match(answer.json<{ message: string }>().message, message);
    }
  });

  it('is at adapters and ports named by digits only', async () => {
    for (const bad of ['-1', '1.0', 'x', '0x1', '%20', '1e1', '99999999999999999999']) {
      const answer = await post(url('router_emulator', bad), udp);
      assert.equal(answer.statusCode, 400, bad);
      assert.match(answer.json<{ message: string }>().message, /adapter_number/);
      assert.match(
        (await post(url('router_emulator', '0', bad), udp)).json<{ message: string }>().message,
        /port_number/,
      );
    }
    assert.equal((await post(url('router_emulator', '007'), udp)).statusCode, 201);
  });

  it('is asked for as it is named, where adapters have one port too', async () => {
    lab.records.put('node', NODE, node('desktop_vm_a'));
    await post(url('desktop_vm_a', '2', '9'), udp);
    assert.deepEqual(lab.calls[0]?.[3], { adapter_number: 2, port_number: 9 });
  });
});

describe('a capture of the compute group', () => {
  const at = (kind: string, action: string) => `${of(kind)}/adapters/0/ports/0/${action}`;

  it('answers the path of its file', async () => {
    lab.records.put('node', NODE, node('container'));
    const body = { capture_file_name: 'a.pcap', data_link_type: 'DLT_EN10MB' };
    const answer = await post(at('container', 'start_capture'), body);
    assert.deepEqual([answer.statusCode, answer.json()], [200, { pcap_file_path: '/labs/lab/a.pcap' }]);
    assert.equal((await post(at('container', 'stop_capture'))).statusCode, 204);
  });

  it('needs a bare file name and a known link type, and passes a 409 on', async () => {
    lab.records.put('node', NODE, node('container'));
    const url = at('container', 'start_capture');
    for (const body of [{}, { capture_file_name: '../../x' }, { capture_file_name: 'a', data_link_type: 'DLT_X' }])
      assert.equal((await post(url, body)).statusCode, 400);
    lab.failNext(conflict('PC1 is not started'));
    assert.equal((await post(url, { capture_file_name: 'a' })).statusCode, 409);
    assert.equal((await app.inject(at('container', 'pcap'))).statusCode, 409);
  });
});

describe('an operation of a node that must run', () => {
  it('starts one that is stopped, and stops it again, where controllers leave that to their server', async () => {
    lab.records.put('node', NODE, node('router_emulator'));
    const where = `${of('router_emulator')}/auto_idlepc`;
    const called = (): unknown[] => lab.calls.splice(0).map(([name, , , what]) => [name, what]);
    await app.inject(where);
    assert.deepEqual(called(), [['operateNode', 'GET']]);
    await app.close();
    app = serve(lab, { names: 'gns3' });
    await app.inject(where);
    assert.deepEqual(called(), [
      ['actOnNode', 'start'],
      ['operateNode', 'GET'],
      ['actOnNode', 'stop'],
    ]);
  });
});

describe('projects of the compute group', () => {
  it('are those of the controller group', async () => {
    const only = { project_id: PROJECT, name: 'lab', variables: null };
    assert.deepEqual((await app.inject('/v2/compute/projects')).json(), [only]);
    assert.deepEqual((await app.inject(BASE)).json(), only);
    const again = await post('/v2/compute/projects', { name: 'x', project_id: PROJECT });
    assert.deepEqual([again.statusCode, again.json()], [201, only]);
    assert.deepEqual(lab.calls, []);
    const variables = [{ name: 'a', value: '1' }];
    assert.deepEqual((await put(BASE, { variables })).json(), { ...only, variables });
    assert.deepEqual((await post(`${BASE}/ports/udp`)).json(), { udp_port: 20000 });
    assert.equal((await post(`${BASE}/close`)).statusCode, 204);
    assert.equal((await app.inject({ method: 'DELETE', url: BASE })).statusCode, 204);
    assert.equal((await app.inject(BASE)).statusCode, 404);
  });
});
