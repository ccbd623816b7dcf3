import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bag, type Gns3Lab, gns3Lab } from './gns3-lab.ts';

describe('a project with nodes at a GNS3 server', () => {
  let lab: Gns3Lab;
  let pc: Bag;
  let sw: Bag;
  let project: string;
  before(async () => {
    lab = await gns3Lab();
    project = `/projects/${lab.project}`;
  });
  after(() => lab.close());

  const link = (nodes: Bag[]): Promise<Bag> =>
    lab.ask(201, 'POST', `${project}/links`, {
      nodes: nodes.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 })),
    });
  const there = ({ node_id }: Bag) => {
    const found = lab.fake.node(String(node_id));
    assert.ok(found, 'it is not there');
    return found;
  };
  /** What changes something, since. */
  const asked = (from: number): string[] =>
    lab.fake.requests
      .slice(from)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/^.*\/(?:projects\/[^/]+|nodes\/[^/]+)(?=\/|$)/, '')}`);

  it('is made there with its first node, in the order of a controller', async () => {
    assert.deepEqual(asked(0), []);
    assert.equal(lab.fake.lab.projects.size, 0);
    pc = await lab.node('simple_pc');
    sw = await lab.node('ethernet_switch');
    await link([pc, sw]);
    const calls = asked(0);
    assert.deepEqual(calls.slice(0, 2), ['POST /v2/compute/projects', 'POST /vpcs/nodes']);
    assert.equal(calls.filter((call) => call === 'POST /v2/compute/projects').length, 1);
    assert.equal(calls.filter((call) => call === 'POST /ports/udp').length, 2);
    assert.equal(calls.filter((call) => call.endsWith('/nio')).length, 2);
    assert.ok(calls.findIndex((call) => call.endsWith('/nio')) > calls.lastIndexOf('POST /ports/udp'));
    assert.equal(lab.fake.lab.projects.get(lab.project)?.name, 'lab');
  });

  it('tells its variables, and nothing else that changes', async () => {
    await lab.ask(200, 'PUT', project, { variables: [{ name: 'SITE', value: 'Oslo' }] });
    assert.deepEqual(lab.fake.lab.projects.get(lab.project)?.variables, [{ name: 'SITE', value: 'Oslo' }]);
    const from = lab.fake.requests.length;
    await lab.ask(200, 'PUT', project, { scene_width: 3000 });
    await lab.ask(200, 'PUT', `${project}/nodes/${String(pc['node_id'])}`, { x: 77, symbol: ':/symbols/cloud.svg' });
    assert.deepEqual(asked(from), []);
  });

  it('starts and stops what is there, many at a time', async () => {
    const more = await Promise.all(Array.from({ length: 20 }, () => lab.node('simple_pc')));
    await lab.ask(204, 'POST', `${project}/nodes/start`);
    assert.deepEqual(new Set([pc, ...more].map((node) => there(node).status)), new Set(['started']));
    await lab.ask(204, 'POST', `${project}/nodes/reload`);
    await lab.ask(204, 'POST', `${project}/nodes/stop`);
    assert.deepEqual(new Set([pc, ...more].map((node) => there(node).status)), new Set(['stopped']));
    assert.deepEqual(await lab.events('node.exited'), []);
    for (const { node_id } of more) await lab.ask(204, 'DELETE', `${project}/nodes/${String(node_id)}`);
  });

  it('is closed there, and there again when it is opened, with its links', async () => {
    await lab.act(200, pc, 'start');
    const from = lab.fake.requests.length;
    await lab.ask(204, 'POST', `${project}/close`);
    assert.deepEqual(
      asked(from).filter((call) => !call.endsWith('/stop')),
      ['POST /close'],
    );
    assert.deepEqual([lab.fake.lab.projects.size, lab.fake.lab.nodes.size], [0, 0]);
    await lab.ask(201, 'POST', `${project}/open`);
    assert.deepEqual([there(pc).status, there(sw).status], ['stopped', 'started']);
    assert.equal((await lab.read(sw))['status'], 'started');
    const [a, b] = [there(pc).nios.get('0/0'), there(sw).nios.get('0/0')];
    assert.deepEqual([a?.['rport'], b?.['rport']], [b?.['lport'], a?.['lport']]);
    assert.ok(lab.fake.lab.projects.get(lab.project)?.udpPorts.has(Number(a?.['lport'])));
    await lab.act(200, pc, 'start');
    assert.equal(there(pc).status, 'started');
  });

  it('starts what is duplicated there with its own console, and its files', async () => {
    await lab.act(200, pc, 'stop');
    const files = lab.fake.lab.filesOf(lab.project);
    files.set(`project-files/vpcs/${String(pc['node_id'])}/startup.vpc`, Buffer.from('ip 10.0.0.7/24\n'));
    const copy = await lab.ask(201, 'POST', `${project}/nodes/${String(pc['node_id'])}/duplicate`, { x: 1, y: 2 });
    assert.notEqual(there(copy).console, there(pc).console);
    const own = files.get(`project-files/vpcs/${String(copy['node_id'])}/startup.vpc`);
    assert.equal(own?.toString(), 'ip 10.0.0.7/24\n');
  });

  it('is deleted there, open or closed', async () => {
    await lab.ask(204, 'DELETE', project);
    assert.deepEqual([lab.fake.lab.projects.size, lab.fake.lab.nodes.size], [0, 0]);
    assert.equal(lab.fake.lab.filesOf(lab.project).size, 0);
    const { project_id } = await lab.ask(201, 'POST', '/projects', { name: 'other' });
    const body = { name: 'PC1', node_type: 'simple_pc', compute_id: 'gns3' };
    await lab.ask(201, 'POST', `/projects/${String(project_id)}/nodes`, body);
    lab.fake.lab.filesOf(String(project_id)).set('project-files/vpcs/x', Buffer.from('x'));
    await lab.ask(204, 'POST', `/projects/${String(project_id)}/close`);
    await lab.ask(204, 'DELETE', `/projects/${String(project_id)}`);
    assert.equal(lab.fake.lab.projects.size, 0);
    assert.equal(lab.fake.lab.filesOf(String(project_id)).size, 0, 'its files are left there');
  });
});
