import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { cloneName } from '../../src/emulators/shared/desktop-vm/hypervisor.ts';
import { findMachineProcess } from '../../src/emulators/shared/desktop-vm/machine-process.ts';
import { desktopVmA } from '../../src/emulators/desktop_vm_a/kind.ts';
import { VIRTUALBOX } from '../../src/emulators/desktop_vm_a/virtualbox.ts';
import { type FakeVirtualBox, fakeVirtualBox } from '../fakes/fake-virtualbox.ts';
import { engineContract } from './engine-contract.ts';

/** VirtualBox cannot be installed here: these run against a fake of VBoxManage. */
describe('virtualbox keeps the contract of engines', () => {
  let fake: FakeVirtualBox;
  before(async () => {
    fake = await fakeVirtualBox();
    fake.add('debian');
  });
  after(() => fake.close());

  /** The process of the node's machine, attached ports and the console. */
  const outside = async (node: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
    const { node_id } = node;
    const { attachments = [], consoles = [] } = await fabric.inventory();
    const machine = fake.vm(cloneName(node, mark));
    const process = await findMachineProcess(
      (argv) => argv.includes('--startvm') && argv.includes(machine?.uuid ?? ''),
    );
    return [
      ...(process === null ? [] : [`${process.pid} of ${process.started}`]),
      ...attachments.filter(({ port }) => port.node_id === node_id).map(({ to }) => JSON.stringify(to)),
      ...consoles.filter((console) => console.node_id === node_id).map(({ to }) => JSON.stringify(to)),
    ];
  };

  engineContract('virtualbox', {
    kind: desktopVmA,
    factory: VIRTUALBOX,
    given: { vmname: 'debian', adapters: 2, headless: true, linked_clone: true },
    outside,
    dies: {
      async how(node, _engine, { fabric }) {
        const console = await fabric.console(node.node_id);
        console.on('error', () => undefined);
        console.on('data', () => console.write('poweroff\r'));
      },
    },
  });

  it('used nothing that VBoxManage does not have', async () => {
    assert.equal(await fake.violations(), '');
  });
});
