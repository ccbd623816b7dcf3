import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { simplePc } from '../../../src/emulators/simple_pc/kind.ts';
import { sandboxLacks } from '../../../src/emulators/simple_pc/vpcs-sandbox.ts';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { type Api, type Bag, id, startApi } from '../../api/api.ts';
import { type Console, openConsole } from '../../support/console.ts';

const ACT = 'POST /v2/projects/{project_id}/nodes/{node_id}';
const skip =
  (await which('vpcs')) === null || (await sandboxLacks()) !== null
    ? 'vpcs, or namespaces for it, are not here'
    : false;
/** VPCS asks for three seconds whether somebody has its address already, before its first one. */
const PROMPT = /(PC1|PC2)> $/;

it('the embedded PC stays the first choice', () => {
  assert.equal(simplePc.engines[0]?.name, 'embedded');
});

describe('a lab with the program VPCS and an embedded PC', { skip }, () => {
  let api: Api;
  let project_id = '';
  let vpcs: Bag = {};
  let pc: Bag = {};
  const node = (record: Bag): Promise<Bag> =>
    api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}', { project_id, node_id: id(record) });
  const act = (record: Bag, action: string): Promise<Bag> =>
    api.get(200, `${ACT}/${action}`, { project_id, node_id: id(record) });
  /** Once it has shown what was printed last. */
  const consoleOf = async (record: Bag): Promise<Console> => {
    const console = await openConsole(Number((await node(record))['console']));
    await console.until(PROMPT);
    return console;
  };

  before(async () => {
    api = await startApi([]);
    project_id = await api.project();
    const common = { compute_id: 'local', node_type: 'vpcs' };
    const make = (body: Bag) => api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, body);
    vpcs = await make({
      ...common,
      name: 'PC1',
      properties: { engine: 'vpcs', startup_script: 'set pcname PC1\nip 10.0.0.1/24\n' },
    });
    pc = await make({ ...common, name: 'PC2', properties: { startup_script: 'ip 10.0.0.2/24\n' } });
    const nodes = [vpcs, pc].map((n) => ({ node_id: id(n), adapter_number: 0, port_number: 0 }));
    await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    await act(vpcs, 'start');
    await act(pc, 'start');
  });
  after(() => api.close());

  it('passes pings from both sides, behind the script that ran at the start', async () => {
    const first = await consoleOf(vpcs);
    assert.match(await first.type('ping 10.0.0.2 -c 1', PROMPT), /10\.0\.0\.2 icmp_seq=1 ttl=64/);
    const second = await consoleOf(pc);
    assert.match(await second.type('ping 10.0.0.1 -c 1', PROMPT), /bytes from 10\.0\.0\.1/);
    first.close();
    second.close();
  });

  it('is asked at its console for what it reaches, and for what is lost', async () => {
    const checks = '/v2/projects/{project_id}/checks';
    const said = async (body: Bag): Promise<string> => {
      const { check_id } = await api.get(201, `POST ${checks}`, { project_id }, { ...body, first: '1h' });
      const at = { project_id, check_id: String(check_id) };
      for (;;) {
        const { holds, text } = await api.get(200, `POST ${checks}/{check_id}/look`, at, {});
        // Until nobody has typed for a while.
        if (holds !== null) return `${JSON.stringify(holds)} ${String(text)}`;
      }
    };
    const pair = { from: id(vpcs), to: id(pc) };
    assert.equal(await said({ reach: pair }), 'true PC1 reaches PC2 (10.0.0.2)');
    assert.match(
      await said({ reach: { ...pair, to: '10.0.0.9' } }),
      /^false PC1 does not reach 10\.0\.0\.9: no answer to/,
    );
    const lost = await said({ loss: { ...pair, under: 50, probes: 20 } });
    assert.match(lost, /^true \d of 20 probes were lost between PC1 and PC2/);
    const back = await said({ reach: { from: id(pc), to: id(vpcs) } });
    assert.equal(back, 'true PC2 reaches PC1 (10.0.0.1)');
  });

  it('shows one console to several clients, and to those who come again', async () => {
    const clients = await Promise.all([consoleOf(vpcs), consoleOf(vpcs)]);
    const [one, other] = clients;
    assert.ok(one !== undefined && other !== undefined);
    const seen = other.until(/10\.0\.0\.1\/24/);
    await one.type('show ip', PROMPT);
    await seen;
    for (const client of clients) client.close();
    const again = await consoleOf(vpcs);
    assert.match(await again.until(PROMPT), /10\.0\.0\.1\/24/);
    again.close();
  });

  it('stands still while it is suspended, and answers again', async () => {
    await act(vpcs, 'suspend');
    assert.equal((await node(vpcs))['status'], 'suspended');
    const console = await consoleOf(pc);
    assert.match(await console.type('ping 10.0.0.1 -c 1 -w 300', PROMPT), /timeout|not reachable/);
    await act(vpcs, 'start');
    assert.match(await console.type('ping 10.0.0.1 -c 1', PROMPT), /bytes from 10\.0\.0\.1/);
    console.close();
  });

  it('keeps what it saves in the directory of the node', async () => {
    const console = await consoleOf(vpcs);
    await console.type('save', /done[^]*PC1> $/);
    console.close();
    const { node_directory } = await node(vpcs);
    assert.ok((await readdir(String(node_directory))).includes('startup.vpc'));
  });

  it('is stopped on its record when somebody types quit', async () => {
    const console = await consoleOf(vpcs);
    void console.type('quit', /never/).catch(() => undefined);
    let record = await node(vpcs);
    while (record['status'] !== 'stopped') record = await node(vpcs);
    console.close();
    await act(vpcs, 'start');
    assert.equal((await node(vpcs))['status'], 'started');
  });
});
