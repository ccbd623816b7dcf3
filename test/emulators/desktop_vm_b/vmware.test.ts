import assert from 'node:assert/strict';
import { access, readFile, realpath, writeFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'node:test';
import { clonePath, VMWARE } from '../../../src/emulators/desktop_vm_b/vmware.ts';
import { desktopVmB } from '../../../src/emulators/desktop_vm_b/kind.ts';
import { readVmx } from '../../../src/emulators/desktop_vm_b/vmx-file.ts';
import type { Exit } from '../../../src/emulators/kit/contract.ts';
import { fakeVmware, type FakeVmwareDesktop } from '../../fakes/fake-vmware.ts';
import { makePairs, pairsLack, type VmnetPairs } from '../../fakes/vmnet-pairs.ts';
import { frameWith } from '../datagrams.ts';
import { type DesktopLab, desktopLab } from '../desktop-vm/lab.ts';

const skip = (await pairsLack()) ?? false;
let fake: FakeVmwareDesktop;
let lab: DesktopLab;
let count = 0;
/** Path of a machine of its own for a test. */
const fresh = (lines: readonly string[] = [], tools = true): Promise<string> =>
  fake.add(`vm ${(count += 1)}`, lines, tools);
const calls = async (): Promise<string[]> => (await fake.calls()).map((argv) => argv.join(' '));
const never = (): AbortSignal => new AbortController().signal;

before(async () => {
  fake = await fakeVmware();
  lab = await desktopLab(desktopVmB, VMWARE, { adapters: 0 });
});
beforeEach(() => fake.forgetCalls());
after(async () => {
  assert.equal(await fake.violations(), '');
  await lab.close();
  await fake.close();
});

describe('a machine of VMware', () => {
  it('has a console that is what its serial line prints', async () => {
    const node = lab.node({ vmx_path: await fresh() });
    await lab.start(node);
    assert.match(await lab.console(node, 'whoami\r', /whoami/), /login: [^]*whoami/);
    await lab.stop(node);
  });

  it('is started and ended by vmrun as its documentation says', async () => {
    const vmx_path = await fresh();
    const node = lab.node({ vmx_path });
    const started = await lab.start(node);
    assert.equal(started.command_line, `vmrun start '${vmx_path}' nogui`);
    await lab.stop(node);
    const made = (await calls()).filter((call) => !call.endsWith(' list'));
    assert.deepEqual(made, [`-T ws start ${vmx_path} nogui`, `-T ws stop ${vmx_path} hard`]);
  });

  it('is left as it can be started by hand', async () => {
    const vmx_path = await fresh(['serial1.present = "TRUE"', 'my.setting = "kept"']);
    const node = lab.node({ vmx_path });
    await lab.start(node);
    await lab.stop(node);
    const text = await readFile(vmx_path, 'utf8');
    assert.match(text, /my\.setting = "kept"/);
    assert.match(text, /serial0\.present = "FALSE"/);
    assert.doesNotMatch(text, /^topolog/m);
    await lab.remove(node);
    await access(vmx_path);
  });

  it('stays suspended while the server is gone', async () => {
    const node = lab.node({ vmx_path: await fresh() });
    await lab.start(node);
    await lab.engine.suspend?.(node, never());
    await lab.restart();
    assert.equal(await lab.state(node), 'suspended');
    await lab.engine.resume?.(node, never());
    assert.equal(await lab.state(node), 'started');
    await lab.engine.reload?.(node, never());
    await lab.stop(node);
  });

  it('tells the end of its log when it crashes', async () => {
    const node = lab.node({ vmx_path: await fresh() });
    const exited = new Promise<Exit>((resolve) => lab.engine.onExit(resolve));
    await lab.start(node);
    const crashed = lab.console(node, 'crash\r', /never/);
    assert.match((await exited).output, /VERR_INTERNAL_ERROR/);
    await crashed;
    assert.equal(await lab.state(node), null);
  });
});

describe('adapters of VMware machines', { skip }, () => {
  let pairs: VmnetPairs;
  before(async () => (pairs = await makePairs(3)));
  after(() => pairs.close());

  it('pass frames both ways over a network each, also after the server was killed', async () => {
    const vmx_path = await fresh();
    const node = lab.node({ vmx_path, adapters: 2 });
    const [first, second] = [await lab.link(node, 0), await lab.link(node, 1)];
    await lab.start(node);
    assert.deepEqual(await first.echo(frameWith('one')), frameWith('one'));
    assert.deepEqual(await second.echo(frameWith('two')), frameWith('two'));
    const vmx = await readVmx(vmx_path);
    assert.deepEqual(
      ['ethernet0.vnet', 'ethernet1.vnet', 'ethernet1.connectionType'].map((key) => vmx.get(key)),
      [`/dev/${pairs.names[0] ?? ''}`, `/dev/${pairs.names[1] ?? ''}`, 'custom'],
    );
    await lab.restart();
    assert.equal(await lab.state(node), 'started');
    while (!(await second.echo(frameWith('three'))).equals(frameWith('three')));
    await lab.stop(node);
  });

  it('are refused when there are not networks enough, with what makes more; those of a stopped node are free', async () => {
    const [one, other] = [
      lab.node({ vmx_path: await fresh(), adapters: 2 }),
      lab.node({ vmx_path: await fresh(), adapters: 2 }),
    ];
    await lab.start(one);
    await assert.rejects(lab.start(other), {
      status: 409,
      message: /needs 2 interfaces of vmnet10 to vmnet255 .* 1 are free.*vmware-netcfg/,
    });
    await lab.stop(one);
    await lab.start(other);
    await lab.stop(other);
  });

  it('lead where they led, unless all may be taken', async () => {
    const nat = ['ethernet0.present = "TRUE"', 'ethernet0.connectionType = "nat"'];
    const vmx_path = await fresh(nat);
    const node = lab.node({ vmx_path, adapters: 1 });
    await lab.start(node);
    assert.equal((await readVmx(vmx_path)).get('ethernet0.connectionType'), 'nat');
    await lab.stop(node);
    const far = await lab.link(node);
    await assert.rejects(lab.start(node), {
      status: 409,
      message: /adapter 0 of .* is connected to nat .*use_any_adapter/,
    });
    const any = { ...node, properties: { ...node.properties, use_any_adapter: true } };
    await lab.start(any);
    assert.deepEqual(await far.echo(frameWith('taken')), frameWith('taken'));
    await lab.stop(any);
    assert.equal((await readVmx(vmx_path)).get('ethernet0.startConnected'), 'FALSE');
  });

  it('are on the same networks when a saved machine goes on', async () => {
    const vmx_path = await fresh();
    const node = lab.node({ vmx_path, adapters: 1, on_close: 'save_vm_state' });
    const far = await lab.link(node);
    await lab.start(node);
    await lab.stop(node);
    const network = (await readVmx(vmx_path)).get('ethernet0.vnet');
    await lab.start(node);
    assert.equal((await readVmx(vmx_path)).get('ethernet0.vnet'), network);
    assert.deepEqual(await far.echo(frameWith('again')), frameWith('again'));
    await lab.remove(node);
  });
});

describe('linked clones of VMware machines', () => {
  it('share one snapshot, are in the directory of their node, and go with it', async () => {
    const vmx_path = await fresh();
    const nodes = [lab.node({ vmx_path, linked_clone: true }), lab.node({ vmx_path, linked_clone: true })];
    await Promise.all(nodes.map((node) => lab.start(node)));
    assert.equal(fake.state.vms[vmx_path]?.snapshots.length, 1);
    assert.doesNotMatch(await readFile(vmx_path, 'utf8'), /^topolog/m);
    for (const node of nodes) {
      await access(clonePath(node));
      await lab.remove(node);
      await assert.rejects(access(clonePath(node)));
    }
    assert.ok((await calls()).some((call) => /^-T ws clone .* linked -snapshot=.* -cloneName=topolog-/.test(call)));
  });

  it('are not made of another machine than the node names now', async () => {
    const node = lab.node({ vmx_path: await fresh(), linked_clone: true });
    await lab.start(node);
    await lab.stop(node);
    const changed = { ...node, properties: { ...node.properties, vmx_path: await fresh() } };
    await assert.rejects(lab.start(changed), { status: 409, message: /clone was made of .* set vmx_path back/ });
    await lab.remove(node);
  });
});

describe('a stop of a VMware machine', () => {
  const stopped = async (given: object, tools: boolean, signal = never()): Promise<string[]> => {
    const node = lab.node({ vmx_path: await fresh([], tools), ...given });
    await lab.start(node);
    await lab.engine.stop(node, signal);
    assert.equal(await lab.state(node), null);
    const made = (await calls()).filter((call) => /^-T ws (?:stop|suspend) /.test(call));
    return made.map((call) => `${call.split(' ')[2] ?? ''} ${call.split(' ').at(-1) ?? ''}`);
  };

  it('asks the guest where VMware Tools run', async () => {
    assert.deepEqual(await stopped({ on_close: 'shutdown_signal' }, true), ['stop soft']);
  });

  it('switches the machine off where they do not', async () => {
    assert.deepEqual(await stopped({ on_close: 'shutdown_signal' }, false), ['stop soft', 'stop hard']);
  });

  it('saves it', async () => {
    assert.deepEqual(await stopped({ on_close: 'save_vm_state' }, true), ['suspend hard']);
  });

  it('switches it off when it cannot be saved', async () => {
    await fake.fail('suspend-hard', 'disk');
    assert.deepEqual(await stopped({ on_close: 'save_vm_state' }, true), ['suspend hard', 'stop hard']);
  });

  it('saves one that was suspended too', async () => {
    const node = lab.node({ vmx_path: await fresh(), on_close: 'save_vm_state' });
    await lab.start(node);
    await lab.engine.suspend?.(node, never());
    await lab.stop(node);
    assert.match(await readFile(String(node.properties['vmx_path']), 'utf8'), /checkpoint\.vmState = "\S+\.vmss"/);
    await lab.start(node);
    assert.equal(await lab.state(node), 'started');
    await lab.remove(node);
  });
});

describe('what VMware refuses', () => {
  it('files that are not there, not of this kind, or encrypted', async () => {
    const refused = (vmx_path: string, message: RegExp) =>
      assert.rejects(lab.start(lab.node({ vmx_path })), { status: 409, message });
    await refused('/nowhere/one.vmx', /vmx_path: there is no file \/nowhere\/one\.vmx/);
    await refused('one.vmx', /must be the absolute path/);
    await refused('/etc/passwd', /ends with \.vmx/);
    await refused(await fresh(['encryption.keySafe = "vmware:key/list"']), /is encrypted/);
    const broken = await fresh();
    await writeFile(broken, 'displayName = "x"\n');
    await refused(broken, /Cannot read the virtual machine configuration file/);
  });

  it('a start, with its own words', async () => {
    const node = lab.node({ vmx_path: await fresh() });
    await fake.fail('start', 'This host does not support Intel VT-x');
    await assert.rejects(lab.start(node), {
      code: 'engine_failed',
      message: 'N1: This host does not support Intel VT-x',
    });
    await fake.fail('start', 'Insufficient permissions in the host operating system');
    await assert.rejects(lab.start(node), { code: 'engine_failed', message: /Insufficient permissions/ });
    assert.equal(await lab.state(node), null);
    await lab.start(node);
    await lab.stop(node);
  });

  it('a machine that another node uses, or that somebody has started', async () => {
    const vmx_path = await fresh();
    const [one, other] = [lab.node({ vmx_path }), lab.node({ vmx_path })];
    await lab.start(one);
    await assert.rejects(lab.start(other), { status: 409, message: /is used by another node/ });
    await lab.restart();
    await assert.rejects(lab.start(other), { status: 409, message: /is used by another node/ });
    assert.equal(await lab.state(one), 'started');
    await lab.stop(one);
  });
});

describe('VMware Player', () => {
  it('starts and stops machines, and says what it cannot do', async () => {
    const player = await fakeVmware('vmplayer');
    const before = process.env['PATH'];
    // The other fake has Workstation.
    process.env['PATH'] = (before ?? '')
      .replace(`:${await realpath(fake.home)}/bin`, '')
      .replace(`:${fake.home}/bin`, '');
    try {
      const vmx_path = await player.add('one');
      const node = lab.node({ vmx_path });
      await lab.start(node);
      await assert.rejects(async () => lab.engine.suspend?.(node, never()), {
        status: 409,
        message: /Player cannot suspend/,
      });
      await lab.stop(node);
      const clone = lab.node({ vmx_path, linked_clone: true });
      await assert.rejects(lab.start(clone), { status: 409, message: /Player makes no linked clones/ });
      assert.match((await player.calls())[0]?.join(' ') ?? '', /^-T player /);
      assert.equal(await player.violations(), '');
    } finally {
      process.env['PATH'] = before;
      await player.close();
    }
  });
});

describe('without VMware', () => {
  it('a start names what to install, and stops and removals are fine', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    try {
      const node = lab.node({ vmx_path: '/vms/x.vmx' });
      assert.equal((await lab.engine.missing(null))?.needs, 'vmrun');
      await assert.rejects(lab.start(node), { code: 'engine_missing', message: /vmrun: install VMware Workstation/ });
      await lab.stop(node);
      await lab.remove(node);
      assert.equal(await lab.state(node), null);
    } finally {
      process.env['PATH'] = path;
    }
  });
});
