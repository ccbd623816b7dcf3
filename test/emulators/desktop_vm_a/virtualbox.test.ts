import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Exit, KindNode } from '../../../src/emulators/kit/contract.ts';
import { cloneName } from '../../../src/emulators/shared/desktop-vm/hypervisor.ts';
import { desktopVmA } from '../../../src/emulators/desktop_vm_a/kind.ts';
import { VIRTUALBOX } from '../../../src/emulators/desktop_vm_a/virtualbox.ts';
import { type FakeVirtualBox, fakeVirtualBox } from '../../fakes/fake-virtualbox.ts';
import { freshNic } from '../../fakes/vboxmanage-state.ts';
import { frameWith } from '../datagrams.ts';
import { type DesktopLab, desktopLab } from '../desktop-vm/lab.ts';

let fake: FakeVirtualBox;
let lab: DesktopLab;
let count = 0;
/** Name of a machine of its own for a test. */
const fresh = (changes?: Parameters<FakeVirtualBox['add']>[1]): string => fake.add(`vm ${(count += 1)}`, changes).name;
const nics = (...attachments: string[]) =>
  Array.from({ length: 8 }, (_, n) => ({ ...freshNic(n), attachment: attachments[n] ?? 'none' }));
const cloneOf = (node: KindNode): string => cloneName(node, lab.context.mark);
const calls = async (): Promise<string[]> => (await fake.calls()).map((argv) => argv.join(' '));

before(async () => {
  fake = await fakeVirtualBox();
  lab = await desktopLab(desktopVmA, VIRTUALBOX);
});
beforeEach(() => fake.forgetCalls());
after(async () => {
  assert.equal(await fake.violations(), '');
  await lab.close();
  await fake.close();
});

describe('a machine of VirtualBox', () => {
  it('passes frames both ways, and its console is what its serial line prints', async () => {
    const node = lab.node({ vmname: fresh(), adapters: 2 });
    const far = await lab.link(node, 1);
    await lab.start(node);
    assert.deepEqual(await far.echo(frameWith('hello', 5)), frameWith('hello', 5));
    assert.match(await lab.console(node, 'whoami\r', /whoami/), /login: [^]*whoami/);
    await lab.stop(node);
  });

  it('has its settings made before it is started, in one call', async () => {
    const node = lab.node({ vmname: fresh(), ram: 512 });
    await lab.start(node);
    const uuid = fake.vm(String(node.properties['vmname']))?.uuid ?? '';
    const made = (await calls()).map((call) => call.replaceAll(uuid, 'UUID').replace(/port=\d+/g, 'port=N'));
    const modify = made.filter((call) => call.startsWith('modifyvm'));
    assert.equal(modify.length, 1);
    assert.match(
      modify[0] ?? '',
      /^modifyvm UUID --memory 512 --nic1 generic --nicgenericdrv1 UDPTunnel .* sport=N .* dport=N .* --uart1 0x3F8 4 --uartmode1 server \S+$/,
    );
    assert.ok(made.indexOf(modify[0] ?? '') < made.indexOf('startvm UUID --type headless'));
    await lab.stop(node);
  });

  it('leaves the machine of the user as it can be started by hand: no tunnels, no serial line, nobody’s', async () => {
    const vmname = fresh();
    const node = lab.node({ vmname });
    await lab.start(node);
    assert.equal(fake.vm(vmname)?.nics[0]?.attachment, 'generic');
    await lab.stop(node);
    const left = fake.vm(vmname);
    assert.deepEqual([left?.nics[0]?.attachment, left?.uart, left?.extra], ['null', null, {}]);
    await lab.remove(node);
    assert.ok(fake.vm(vmname));
  });

  it('sees its cable pulled as long as no link is there', async () => {
    const node = lab.node({ vmname: fresh() });
    await lab.start(node);
    const cable = (): boolean | undefined => fake.vm(String(node.properties['vmname']))?.nics[0]?.cable;
    assert.equal(cable(), false);
    const far = await lab.link(node);
    await far.echo(frameWith('there is a cable'));
    assert.equal(cable(), true);
    await far.unlink();
    while (cable() !== false) await new Promise(setImmediate);
    await lab.stop(node);
  });

  it('stands still while it is suspended', async () => {
    const node = lab.node({ vmname: fresh() });
    const far = await lab.link(node);
    await lab.start(node);
    await far.echo(frameWith('first'));
    await lab.engine.suspend?.(node, new AbortController().signal);
    assert.equal(await lab.state(node), 'suspended');
    await lab.engine.resume?.(node, new AbortController().signal);
    assert.deepEqual(await far.echo(frameWith('first')), frameWith('first'));
    await lab.engine.reload?.(node, new AbortController().signal);
    assert.equal(await lab.state(node), 'started');
    await lab.stop(node);
  });

  it('goes on while the server is gone, and is found again with its tunnels', async () => {
    const node = lab.node({ vmname: fresh(), adapters: 2 });
    const { pid } = await lab.start(node);
    await lab.restart();
    const adopted = await lab.engine.adopt(node, new AbortController().signal);
    assert.equal(adopted?.started.pid, pid);
    const far = await lab.link(node, 1);
    assert.deepEqual(await far.echo(frameWith('still here')), frameWith('still here'));
    await lab.stop(node);
  });

  it('tells the end of its log when it crashes', async () => {
    const node = lab.node({ vmname: fresh() });
    const exited = new Promise<Exit>((resolve) => lab.engine.onExit(resolve));
    await lab.start(node);
    const crashed = lab.console(node, 'crash\r', /never/);
    const { node_id, output } = await exited;
    assert.equal(node_id, node.node_id);
    assert.match(output, /VERR_INTERNAL_ERROR/);
    await crashed;
    assert.equal(await lab.state(node), null);
  });
});

describe('adapters that lead elsewhere', () => {
  it('stay as they are, and take no link', async () => {
    const vmname = fresh({ nics: nics('nat', 'null') });
    const node = lab.node({ vmname, adapters: 2 });
    await lab.start(node);
    assert.deepEqual(
      fake
        .vm(vmname)
        ?.nics.slice(0, 2)
        .map(({ attachment }) => attachment),
      ['nat', 'generic'],
    );
    await lab.stop(node);
    await lab.link(node, 0);
    await assert.rejects(lab.start(node), {
      status: 409,
      message: /adapter 0 of .* is connected to nat .* use_any_adapter/,
    });
    assert.equal(await lab.state(node), null);
  });

  it('are taken with use_any_adapter', async () => {
    const vmname = fresh({ nics: nics('nat') });
    const node = lab.node({ vmname, use_any_adapter: true });
    const far = await lab.link(node);
    await lab.start(node);
    assert.deepEqual(await far.echo(frameWith('taken')), frameWith('taken'));
    await lab.stop(node);
  });

  it('are not more than the chipset has', async () => {
    const node = lab.node({ vmname: fresh(), adapters: 9 });
    await assert.rejects(lab.start(node), { status: 409, message: /has a chipset with 8 adapters.*--chipset ich9/ });
    const wide = lab.node({ vmname: fresh({ chipset: 'ich9' }), adapters: 9 });
    await lab.start(wide);
    await lab.stop(wide);
  });
});

describe('linked clones', () => {
  it('share one snapshot of the original, which stays as it was', async () => {
    const vmname = fresh();
    const before = structuredClone(fake.vm(vmname));
    const nodes = [lab.node({ vmname, linked_clone: true }), lab.node({ vmname, linked_clone: true })];
    await Promise.all(nodes.map((node) => lab.start(node)));
    const original = fake.vm(vmname);
    assert.equal(original?.snapshots.length, 1);
    assert.deepEqual({ ...original, snapshots: [] }, before);
    for (const node of nodes) assert.equal(fake.vm(cloneOf(node))?.parent, original?.snapshots[0]?.uuid);
    for (const node of nodes) await lab.stop(node);
  });

  it('are made once for a node, in its directory, and go with it', async () => {
    const node = lab.node({ vmname: fresh(), linked_clone: true });
    await lab.start(node);
    await lab.stop(node);
    const first = fake.vm(cloneOf(node));
    await lab.start(node);
    assert.equal(fake.vm(cloneOf(node))?.uuid, first?.uuid);
    assert.ok(first?.folder.startsWith(node.node_directory ?? '?'));
    await lab.remove(node);
    assert.equal(fake.vm(cloneOf(node)), undefined);
    await assert.rejects(access(first?.folder ?? ''));
  });

  it('are not made of another machine than the node names now', async () => {
    const node = lab.node({ vmname: fresh(), linked_clone: true });
    await lab.start(node);
    await lab.stop(node);
    const changed = { ...node, properties: { ...node.properties, vmname: fresh() } };
    await assert.rejects(lab.start(changed), { status: 409, message: /made of another machine.*unregistervm/ });
    await lab.remove(node);
  });

  it('need the original to be off for the first of them', async () => {
    const vmname = fresh();
    const direct = lab.node({ vmname });
    await lab.start(direct);
    await assert.rejects(lab.start(lab.node({ vmname, linked_clone: true })), { status: 409, message: /shut it down/ });
    await lab.stop(direct);
  });

  it('tell why one could not be made, and leave nothing of it', async () => {
    const node = lab.node({ vmname: fresh(), linked_clone: true });
    await fake.fail('clonevm', 'disk');
    await assert.rejects(lab.start(node), { code: 'engine_failed', message: /VERR_DISK_FULL/ });
    assert.equal(fake.vm(cloneOf(node)), undefined);
  });
});

describe('a machine that is used directly', () => {
  it('has one node at a time', async () => {
    const vmname = fresh();
    const [one, other] = [lab.node({ vmname }), lab.node({ vmname })];
    await lab.start(one);
    await assert.rejects(lab.start(other), { status: 409, message: /is used by another node/ });
    assert.equal(await lab.state(one), 'started');
    await lab.stop(one);
    await lab.start(other);
    await lab.stop(other);
  });

  it('is not taken from who has started it by hand', async () => {
    const vmname = fresh();
    const node = lab.node({ vmname });
    await lab.start(node);
    const vm = fake.vm(vmname);
    if (vm !== undefined) vm.extra = {};
    await lab.restart();
    await assert.rejects(lab.start(lab.node({ vmname })), {
      status: 409,
      message: /runs already, started by somebody else/,
    });
    if (vm !== undefined) vm.extra = { 'topolog/node': `${lab.context.mark}/${node.project_id}/${node.node_id}` };
    await lab.stop(node);
  });
});

describe('a stop', () => {
  it('switches the machine off', async () => {
    const node = lab.node({ vmname: fresh() });
    await lab.start(node);
    await lab.stop(node);
    assert.ok((await calls()).some((call) => / poweroff$/.test(call)));
    assert.ok(!(await calls()).some((call) => /acpipowerbutton|savestate/.test(call)));
  });

  it('presses the power button and waits for the guest, also when it was suspended', async () => {
    const node = lab.node({ vmname: fresh(), on_close: 'shutdown_signal' });
    await lab.start(node);
    await lab.engine.suspend?.(node, new AbortController().signal);
    await lab.stop(node);
    const made = (await calls()).filter((call) => call.startsWith('controlvm')).map((call) => call.split(' ').at(-1));
    assert.deepEqual(made, ['pause', 'resume', 'acpipowerbutton']);
    assert.equal(await lab.state(node), null);
  });

  it('switches a guest off that does not listen, when nobody waits', async () => {
    const node = lab.node({ vmname: fresh({ obeysButton: false }), on_close: 'shutdown_signal' });
    await lab.start(node);
    await lab.engine.stop(node, AbortSignal.abort(new Error('the server is shutting down')));
    assert.equal(await lab.state(node), null);
    assert.ok((await calls()).some((call) => / poweroff$/.test(call)));
  });

  it('saves the machine, and the next start goes on from there over other ports', async () => {
    const vmname = fresh();
    const node = lab.node({ vmname, on_close: 'save_vm_state' });
    const far = await lab.link(node);
    await lab.start(node);
    await far.echo(frameWith('before'));
    await lab.stop(node);
    assert.equal(await lab.state(node), null);
    const ports = { ...fake.vm(vmname)?.nics[0]?.properties };
    await assert.rejects(lab.start(lab.node({ vmname })), { status: 409, message: /used by another node/ });
    await lab.start(node);
    assert.notDeepEqual(fake.vm(vmname)?.nics[0]?.properties, ports);
    while ((await far.echo(frameWith('after'))).equals(frameWith('before')));
    assert.match(await lab.console(node, 'again\r', /again/), /login/);
    await lab.remove(node);
    assert.deepEqual(fake.vm(vmname)?.extra, {});
  });

  it('does not start a saved machine with other adapters than it was saved with', async () => {
    const node = lab.node({ vmname: fresh(), on_close: 'save_vm_state' });
    await lab.start(node);
    await lab.stop(node);
    const wider = lab.node({ ...node.properties, adapters: 2 }, { node_id: node.node_id });
    await assert.rejects(lab.start(wider), { status: 409, message: /saved state .* discardstate/ });
    await lab.start(node);
    await lab.remove(node);
  });

  it('switches a machine off that cannot be saved', async () => {
    const node = lab.node({ vmname: fresh(), on_close: 'save_vm_state' });
    await lab.start(node);
    await fake.fail('savestate', 'disk');
    await lab.stop(node);
    assert.ok((await calls()).some((call) => / poweroff$/.test(call)));
  });
});

describe('what VirtualBox refuses', () => {
  it('a machine that it does not have: the answer names those it has', async () => {
    const vmname = fresh();
    await assert.rejects(lab.start(lab.node({ vmname: 'nowhere' })), (error: Error) => {
      assert.match(error.message, /vmname: VirtualBox has no machine nowhere; it has /);
      return error.message.includes(vmname);
    });
  });

  it('a start, with its own words', async () => {
    const node = lab.node({ vmname: fresh() });
    const reasons = {
      'no-vtx': /VERR_VMX_MSR_ALL_VMX_DISABLED/,
      terminated: /terminated unexpectedly during startup/,
      denied: /functionality is limited/,
      ends: /ended at once: .*VERR_INTERNAL_ERROR/s,
    };
    for (const [failure, message] of Object.entries(reasons)) {
      await fake.fail('startvm', failure);
      await assert.rejects(lab.start(node), { code: 'engine_failed', status: 409, message });
      assert.equal(fake.vm(String(node.properties['vmname']))?.nics[0]?.attachment, 'null');
    }
    await lab.start(node);
    await lab.stop(node);
  });

  it('a change while the machine is still locked: it is asked again', async () => {
    const node = lab.node({ vmname: fresh() });
    await fake.fail('modifyvm', 'locked');
    await lab.start(node);
    assert.equal((await calls()).filter((call) => call.startsWith('modifyvm')).length, 2);
    await lab.stop(node);
  });

  it('everything without its kernel module, and says how to load it', async () => {
    fake.state.noDriver = true;
    const missing = await lab.engine.missing(lab.node({ vmname: 'x' }));
    fake.state.noDriver = false;
    assert.match(missing?.needs ?? '', /vboxdrv/);
    assert.match(missing?.install ?? '', /vboxconfig/);
    assert.equal(await lab.engine.missing(lab.node({ vmname: 'x' })), null);
  });

  it('a window where there is no screen', async () => {
    const screens = ['DISPLAY', 'WAYLAND_DISPLAY'].map((name) => [name, process.env[name]] as const);
    for (const [name] of screens) process.env[name] = '';
    const node = lab.node({ vmname: fresh(), headless: false });
    if (process.platform === 'linux')
      await assert.rejects(lab.start(node), { status: 409, message: /set headless to true/ });
    process.env['DISPLAY'] = ':0';
    await lab.start(node);
    assert.ok((await calls()).some((call) => call.endsWith('--type gui')));
    await lab.stop(node);
    for (const [name, value] of screens) process.env[name] = value ?? '';
  });
});

describe('without VirtualBox', () => {
  it('a start names what to install, and stops and removals are fine', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    try {
      const node = lab.node({ vmname: 'x' });
      assert.equal((await lab.engine.missing(null))?.needs, 'VBoxManage');
      await assert.rejects(lab.start(node), { code: 'engine_missing', message: /VBoxManage: install VirtualBox/ });
      await lab.stop(node);
      await lab.remove(node);
      assert.equal(await lab.state(node), null);
    } finally {
      process.env['PATH'] = path;
    }
  });
});
