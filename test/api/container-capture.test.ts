import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
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
import { assertFields } from './fields.ts';

const NODE = '/v2/compute/projects/{project_id}/container/nodes/{node_id}';
const PORT = `${NODE}/adapters/{adapter_number}/ports/{port_number}`;
const CAPTURE =
  'POST /v2/compute/projects/{project_id}/container/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture';

/** Data link type to its number in a pcap file (tcpdump.org, link-layer header types). */
const LINK_TYPES = { DLT_ATM_RFC1483: 100, DLT_EN10MB: 1, DLT_FRELAY: 107, DLT_C_HDLC: 104, DLT_PPP_SERIAL: 50 };

const api = await startApi();
after(() => api.close());

describe('a capture on a port of a container', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });
  const made = async (start: boolean): Promise<Values> => {
    const node = await api.node(project_id, 'container', { adapters: 2 });
    const at = { project_id, node_id: id(node), adapter_number: 0, port_number: 0 };
    if (start) await api.get(204, `POST ${NODE}/start`, at);
    return at;
  };
  const record = (at: Values): Promise<Bag> => api.get(200, `GET ${NODE}`, at);

  it(`[${CAPTURE} 200] [rule 4] [fields capture] answers with the path of a pcap file that is there`, async () => {
    const at = await made(true);
    const result = await api.get(200, CAPTURE, at, { capture_file_name: 'first.pcap', data_link_type: 'DLT_EN10MB' });
    assertFields(result, { pcap_file_path: 'string' });
    const file = String(result['pcap_file_path']);
    assert.ok(path.isAbsolute(file));
    assert.equal(path.basename(file), 'first.pcap');
    await api.get(204, `POST ${PORT}/stop_capture`, at);
    const bytes = await readFile(file);
    assert.deepEqual([bytes.readUInt32LE(0), bytes.readUInt32LE(20)], [0xa1b2c3d4, LINK_TYPES.DLT_EN10MB]);
  });

  it('[rule 4] takes every data link type that is listed, none, and no other; the file says which', async () => {
    for (const [data_link_type, number] of Object.entries(LINK_TYPES)) {
      const at = await made(true);
      const body = { capture_file_name: `${data_link_type}.pcap`, data_link_type };
      const { pcap_file_path } = await api.get(200, CAPTURE, at, body);
      await api.get(204, `POST ${PORT}/stop_capture`, at);
      assert.equal((await readFile(String(pcap_file_path))).readUInt32LE(20), number, data_link_type);
    }
    const at = await made(true);
    await api.get(400, CAPTURE, at, { capture_file_name: 'x.pcap', data_link_type: 'DLT_RAW' });
    await api.get(200, CAPTURE, at, { capture_file_name: 'untyped.pcap' });
  });

  it(`[${CAPTURE} 400] [convention digits] is not started at what is no port, without a file name or with a wrong one`, async () => {
    const at = await made(true);
    const body = { capture_file_name: 'x.pcap' };
    await assertMalformedIds(api, CAPTURE, at);
    await assertBrokenBodies(api, CAPTURE, at);
    for (const number of ['a', '-1', '0x0', '1.0', '+1', ' 0', '0a'])
      for (const name of ['adapter_number', 'port_number'])
        await api.get(400, CAPTURE, { ...at, [name]: number }, body);
    await assertWrongFields(api, CAPTURE, at, {
      capture_file_name: {},
      data_link_type: { ...body, data_link_type: 7 },
      snaplen: { ...body, snaplen: 96 },
    });
    for (const name of ['', '../outside.pcap', '/etc/passwd', 'a/b.pcap', 'a\\b.pcap', '..', 7, null])
      await api.get(400, CAPTURE, at, { capture_file_name: name });
  });

  it(`[${CAPTURE} 404] is not started where there is no such node or adapter`, async () => {
    const at = await made(true);
    const body = { capture_file_name: 'x.pcap' };
    await api.get(404, CAPTURE, { ...at, node_id: randomUUID() }, body);
    await api.get(404, CAPTURE, { ...at, project_id: randomUUID() }, body);
    await api.get(404, CAPTURE, { ...at, adapter_number: 2 }, body);
    const pc = await api.node(project_id, 'simple_pc');
    await api.get(404, CAPTURE, { ...at, node_id: id(pc) }, body);
  });

  it(`[${CAPTURE} 409] [rule 4] [error 409] [state 5] is not started on a container that is stopped, suspended or stopped again`, async () => {
    const at = await made(false);
    const body = { capture_file_name: 'never.pcap' };
    const before = await record(at);
    await api.get(409, CAPTURE, at, body);
    assert.deepEqual(await record(at), before);
    await api.get(204, `POST ${NODE}/start`, at);
    await api.get(204, `POST ${NODE}/suspend`, at);
    await api.get(409, CAPTURE, at, body);
    assert.equal((await record(at))['status'], 'suspended');
    await api.get(204, `POST ${NODE}/stop`, at);
    await api.get(409, CAPTURE, at, body);
    assert.equal((await record(at))['status'], 'stopped');
  });

  it(`[${CAPTURE} 409] is not started where one runs, and is once that has stopped`, async () => {
    const at = await made(true);
    await api.get(200, CAPTURE, at, { capture_file_name: 'one.pcap' });
    await api.get(409, CAPTURE, at, { capture_file_name: 'two.pcap' });
    await api.get(200, CAPTURE, { ...at, adapter_number: 1 }, { capture_file_name: 'beside.pcap' });
    await api.get(204, `POST ${PORT}/stop_capture`, at);
    await api.get(200, CAPTURE, at, { capture_file_name: 'two.pcap' });
  });
});
