import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Api, type Bag, id, startApi } from '../../api/api.ts';
import { installFakeDynamips, putImage, wakeUp } from '../../fakes/dynamips-install.ts';
import { type Console, openConsole } from '../../support/console.ts';

const NODE = '/v2/projects/{project_id}/nodes/{node_id}';

describe('a lab with an emulated PC and a router of the stand-in for dynamips', () => {
  let api: Api;
  let directory = '';
  let uninstall: () => void = () => undefined;
  let project_id = '';
  let router: Bag = {};
  let pc: Bag = {};

  const record = (node: Bag): Promise<Bag> => api.get(200, `GET ${NODE}`, { project_id, node_id: id(node) });
  const act = (node: Bag, action: string): Promise<Bag> =>
    api.get(200, `POST ${NODE}/${action}`, { project_id, node_id: id(node) });
  const ping = async (console: Console): Promise<string> => console.type('ping 10.0.0.254 -c 1 -w 2000', /PC1> $/);

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'topolog-dynamips-'));
    uninstall = installFakeDynamips(directory);
    api = await startApi([]);
    putImage(api.server.dataDir, 'c3725.image');
    project_id = await api.project();
    const make = (body: Bag): Promise<Bag> =>
      api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, { compute_id: 'local', ...body });
    const startup = 'hostname %h\ninterface FastEthernet0/0\n ip address 10.0.0.254 255.255.255.0\n';
    router = await make({
      ...{ name: 'R1', node_type: 'dynamips' },
      properties: { platform: 'c3725', image: 'c3725.image', ram: 128, startup_config_content: startup },
    });
    const script = 'set pcname PC1\nip 10.0.0.1/24\n';
    pc = await make({ name: 'PC1', node_type: 'vpcs', properties: { engine: 'embedded', startup_script: script } });
    const nodes = [router, pc].map((node) => ({ node_id: id(node), adapter_number: 0, port_number: 0 }));
    await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    await act(router, 'start');
    await act(pc, 'start');
  });
  after(async () => {
    await api.close();
    uninstall();
    await rm(directory, { recursive: true, force: true });
  });

  it('passes pings, suspends, goes on, reloads and stops', async () => {
    const console = await openConsole(Number((await record(pc))['console']));
    await console.until(/PC1> $/);
    assert.match(await ping(console), /10\.0\.0\.254 icmp_seq=1/);
    await act(router, 'suspend');
    assert.equal((await record(router))['status'], 'suspended');
    assert.match(await console.type('ping 10.0.0.254 -c 1 -w 300', /PC1> $/), /timeout|not reachable/);
    await act(router, 'start');
    assert.match(await ping(console), /10\.0\.0\.254 icmp_seq=1/);
    await act(router, 'reload');
    assert.match(await ping(console), /10\.0\.0\.254 icmp_seq=1/);
    console.close();
  });

  it('shows the console of the router, and keeps its configuration', async () => {
    const console = await openConsole(Number((await record(router))['console']));
    await wakeUp(console, /R1>/);
    await console.type('hostname Core', /Core>/);
    await console.type('write memory', /\[OK\]/);
    console.close();
    await act(router, 'stop');
    const { node_directory, properties } = await record(router);
    const file = `configs/i${String((properties as Bag)['dynamips_id'])}_startup-config.cfg`;
    assert.match(await readFile(path.join(String(node_directory), file), 'utf8'), /^hostname Core\n/);
  });
});
