import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type WithServer, withServer } from './with-server.ts';

describe('a lab made by commands', { timeout: 600_000 }, () => {
  let on: WithServer;
  const link = async () => {
    const [project] = await on.client.get('/v2/projects');
    const [found] = await on.client.get('/v2/projects/{project_id}/links', {
      path: { project_id: project?.project_id ?? '' },
    });
    return found;
  };
  const nodes = async () => {
    const [project] = await on.client.get('/v2/projects');
    return on.client.get('/v2/projects/{project_id}/nodes', { path: { project_id: project?.project_id ?? '' } });
  };

  const startUpOf = async (node: { project_id: string; node_id: string } | undefined): Promise<string> => {
    const answer = await on.client.fetch(`/v2/projects/${node?.project_id}/nodes/${node?.node_id}/files/startup.vpc`);
    return answer.text();
  };

  before(async () => {
    on = await withServer();
  });
  after(() => on.close());

  it('begins empty and opened', async () => {
    assert.match(await on.well('new', 'My lab'), /^My lab +opened +[0-9a-f-]{36}\n$/);
    const [project] = JSON.parse(await on.well('ls', '--json')) as { name: string; status: string }[];
    assert.deepEqual([project?.name, project?.status], ['My lab', 'opened']);
    await on.ill(1, /My lab/, 'new', 'My lab');
    await on.ill(2, /^usage: topolog new NAME\n$/, 'new');
    await on.ill(2, /^usage: topolog new NAME\n$/, 'new', 'My', 'lab');
  });

  it('gets nodes of kinds and templates, each at a place of its own', async () => {
    assert.match(await on.well('add', 'My', 'simple_pc', 'PC1'), /^PC1 +stopped +simple_pc +telnet \S+ \d+\n$/);
    assert.match(await on.well('add', 'My', 'vpcs'), /^PC2 +stopped +simple_pc/);
    assert.match(await on.well('add', 'My', 'Ethernet switch'), /^Switch1 +started +ethernet_switch\n$/);
    assert.match(await on.well('add', 'My', 'Ethernet sw', 'SW2', '--compute', 'auto'), /^SW2 +started/);
    const [node] = JSON.parse(`[${await on.well('add', 'My', 'VPCS', 'PC3', '--json')}]`) as { name: string }[];
    assert.equal(node?.name, 'PC3');
    const places = (await nodes()).map(({ x, y }) => `${x},${y}`);
    assert.equal(new Set(places).size, 5);
  });

  it('gets nodes with settings, as a text of a lab has them', async () => {
    const addressed = ['--set', 'address=10.0.0.4/24', '--set', 'gateway=10.0.0.254', '--set', 'at=[400, 300]'];
    await on.well('add', 'My', 'simple_pc', 'PC4', ...addressed);
    await on.well('add', 'My', 'VPCS', 'PC5', '--set', 'startup=ip 10.0.0.5/24', '--set', 'symbol=:/symbols/cloud.svg');
    await on.well('add', 'My', 'machine_emulator', 'VM', '--set', 'ram=512', '--set', 'options=-nodefaults');
    const [pc4, pc5, vm] = await Promise.all(
      ['PC4', 'PC5', 'VM'].map(async (name) => (await nodes()).find((one) => one.name === name)),
    );
    assert.deepEqual([pc4?.x, pc4?.y], [400, 300]);
    assert.deepEqual(await Promise.all([startUpOf(pc4), startUpOf(pc5)]), [
      'ip 10.0.0.4/24 10.0.0.254\n',
      'ip 10.0.0.5/24',
    ]);
    assert.equal(pc5?.symbol, ':/symbols/cloud.svg');
    assert.deepEqual([vm?.properties['ram'], vm?.properties['options']], [512, '-nodefaults']);
  });

  it('says what is wrong with a node that was to be added, and adds none', async () => {
    const before = (await nodes()).length;
    await on.allIll([
      [1, /Kind or template simple_pcs does not exist; did you mean simple_pc\?$/m, 'add', 'My', 'simple_pcs'],
      [
        1,
        /Kind or template ethernet switch does not exist; did you mean Ethernet switch/,
        'add',
        'My',
        'ethernet switch',
      ],
      [1, /Project my does not exist; did you mean My lab\?$/m, 'add', 'my', 'simple_pc'],
      [2, /simple_pc has no adress; did you mean address\?$/m, 'add', 'My', 'simple_pc', '--set', 'adress=1'],
      [2, /address must be an address with its prefix/, 'add', 'My', 'simple_pc', '--set', 'address=10.0.0.1'],
      [2, /gateway needs an address/, 'add', 'My', 'simple_pc', '--set', 'gateway=10.0.0.1'],
      [2, /ethernet_hub reads no text at its start/, 'add', 'My', 'ethernet_hub', '--set', 'address=10.0.0.1/24'],
      [2, /--set takes KEY=VALUE, not ram$/m, 'add', 'My', 'machine_emulator', '--set', 'ram'],
      [2, /ram .*not much$/m, 'add', 'My', 'machine_emulator', '--set', 'ram=much'],
      [1, /another node of the project is named PC1$/m, 'add', 'My', 'simple_pc', 'PC1'],
      [1, /Compute lab2 does not exist/, 'add', 'My', 'simple_pc', '--compute', 'lab2'],
      [2, /console_type/, 'add', 'My', 'VPCS', 'PC9', '--set', 'console_type=vnc'],
      [2, /^usage: topolog add PROJECT KIND\|TEMPLATE \[NAME\]/, 'add', 'My'],
    ]);
    assert.equal((await nodes()).length, before);
  });

  it('is linked at the ports that are named, or at the first that are free', async () => {
    assert.match(await on.well('link', 'PC1:0', 'Switch1:3'), /^PC1:e0-Switch1:e3 +linked +ethernet\n$/);
    assert.match(await on.well('link', 'PC2', 'Switch1'), /^PC2:e0-Switch1:e0 +linked +ethernet\n$/);
    assert.match(await on.well('link', 'My lab/SW2', 'Switch1:Ethernet7'), /^SW2:e0-Switch1:e7 +linked/);
    await on.allIll([
      [1, /PC1 has no port that is free$/m, 'link', 'PC1', 'Switch1'],
      [1, /Switch1 has no port 99; its ports: 0, 1, 2/, 'link', 'PC3', 'Switch1:99'],
      [1, /Switch1 has no port Ethernt4; did you mean Ethernet4/, 'link', 'PC3', 'Switch1:Ethernt4'],
      [1, /already used/, 'link', 'PC3', 'Switch1:3'],
      [1, /Node pc3 does not exist; did you mean PC3\?$/m, 'link', 'pc3', 'Switch1'],
      [2, /^usage: topolog link NODE\[:PORT\] NODE\[:PORT\]\n$/, 'link', 'PC3'],
    ]);
  });

  it('has filters from the end that was named first, and keeps those that were not named', async () => {
    const printed = await on.well('filter', 'PC1', 'Switch1', 'delay=50,10', 'packet_loss>=5');
    assert.match(printed, /^PC1:e0-Switch1:e3 +linked +ethernet +\{"delay":\[50,10\],"packet_loss>":\[5\]\}\n$/);
    await on.well('filter', 'Switch1', 'PC1:0', 'corrupt>=2');
    await on.well('filter', 'Switch1-PC1', 'delay<=7');
    await on.well('filter', 'PC1-Switch1', 'duplicate<=1');
    const one = { 'packet_loss>': [5], 'corrupt<': [2], 'delay>': [7], 'duplicate<': [1] };
    assert.deepEqual((await link())?.filters, { delay: [50, 10], ...one });
    assert.match(await on.well('filter', 'PC1', 'Switch1'), /"duplicate<"/);
    await on.well('filter', 'PC1', 'Switch1', 'delay=0', 'delay>=0');
    assert.equal((await link())?.filters['delay'], undefined);
    await on.well('filter', 'PC1', 'Switch1', '--clear', 'rate=1000');
    assert.deepEqual((await link())?.filters, { rate: [1000] });
    await on.well('filter', 'PC1', 'Switch1', '--clear');
    assert.deepEqual((await link())?.filters, {});
  });

  it('says what is wrong with a filter, and changes none', async () => {
    await on.allIll([
      [2, /there is no filter packet_los; did you mean packet_loss\?$/m, 'filter', 'PC1', 'Switch1', 'packet_los=5'],
      [2, /chance must be a number from 0 to 100/, 'filter', 'PC1', 'Switch1', 'delay=5', 'packet_loss=500'],
      [2, /delay says no value: delay=50, or quoted/, 'filter', 'PC1', 'Switch1', 'delay'],
      [2, /5 says no value/, 'filter', 'PC1', 'Switch1', 'delay=5', '5'],
      [1, /PC1 and PC3 are not linked$/m, 'filter', 'PC1', 'PC3', 'delay=5'],
      [1, /PC1 and Switch1 are not linked at these ports$/m, 'filter', 'PC1', 'Switch1:0', 'delay=5'],
      [2, /^usage: topolog filter /, 'filter', 'delay=5'],
    ]);
    assert.deepEqual((await link())?.filters, {});
  });

  it('is unlinked by the ends, or by the name of a link', async () => {
    await on.well('link', 'SW2', 'Switch1');
    await on.ill(
      2,
      /SW2 and Switch1 have several links; say which port: SW2:e0-Switch1:e7, SW2:e1-/,
      'unlink',
      'SW2',
      'Switch1',
    );
    assert.match(await on.well('unlink', 'SW2', 'Switch1:7'), /^SW2:e0-Switch1:e7 +unlinked\n$/);
    assert.match(await on.well('unlink', 'Switch1-PC2'), /^PC2:e0-Switch1:e0 +unlinked\n$/);
    await on.ill(1, /PC2 and Switch1 are not linked$/m, 'unlink', 'PC2', 'Switch1');
    await on.ill(2, /^usage: topolog unlink /, 'unlink');
    assert.equal((await on.well('ls', 'My lab')).match(/linked/g)?.length, 2);
  });

  it('is renamed, and so are its nodes', async () => {
    assert.match(await on.well('rename', 'PC3', 'Host 3'), /^Host 3 +stopped +simple_pc/);
    assert.match(await on.well('rename', 'My lab', 'Lab 1'), /^Lab 1 +opened/);
    assert.match(await on.well('ls'), /^Lab 1 +opened/);
    await on.ill(1, /Project or node Lab 2 does not exist/, 'rename', 'Lab 2', 'x');
    await on.ill(1, /another node of the project is named Host 3$/m, 'rename', 'PC1', 'Host 3');
    await on.ill(2, /^usage: topolog rename PROJECT\|NODE NAME\n$/, 'rename', 'PC1');
  });
});
