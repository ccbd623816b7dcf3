import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { clonePath, VMWARE } from '../../src/emulators/desktop_vm_b/vmware.ts';
import { desktopVmB } from '../../src/emulators/desktop_vm_b/kind.ts';
import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { findMachineProcess } from '../../src/emulators/shared/desktop-vm/machine-process.ts';
import { processesOf } from '../../src/processes/end.ts';
import { fakeVmware, type FakeVmwareDesktop } from '../fakes/fake-vmware.ts';
import { makePairs, pairsLack, type VmnetPairs } from '../fakes/vmnet-pairs.ts';
import { engineContract } from './engine-contract.ts';

const lacks = await pairsLack();
/** Without interfaces there are no adapters, and all else is the same. */
const adapters = lacks === null ? 2 : 0;

/** VMware cannot be installed here: these run against a fake of vmrun. */
describe(`vmware keeps the contract of engines (adapters: ${lacks ?? adapters})`, () => {
  let fake: FakeVmwareDesktop;
  let pairs: VmnetPairs | null = null;
  const given = { adapters, headless: true, linked_clone: true, vmx_path: '' };
  before(async () => {
    fake = await fakeVmware();
    if (lacks === null) pairs = await makePairs(2 * adapters);
    given.vmx_path = await fake.add('debian');
  });
  after(async () => {
    await pairs?.close();
    await fake.close();
  });

  /** The process of the node's machine, relays, attached ports and the console. */
  const outside = async (node: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
    const { node_id } = node;
    const { attachments = [], consoles = [] } = await fabric.inventory();
    const vmx = await realpath(clonePath(node)).catch(() => clonePath(node));
    const process = await findMachineProcess((argv) => argv[0] === 'vmware-vmx' && argv.at(-1) === vmx);
    return [
      ...(process === null ? [] : [`${process.pid} of ${process.started}`]),
      ...(await processesOf(node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
      ...attachments.filter(({ port }) => port.node_id === node_id).map(({ to }) => JSON.stringify(to)),
      ...consoles.filter((console) => console.node_id === node_id).map(({ to }) => JSON.stringify(to)),
    ];
  };

  engineContract('vmware', {
    kind: desktopVmB,
    factory: VMWARE,
    given,
    outside,
    dies: {
      async how(node, _engine, { fabric }) {
        const console = await fabric.console(node.node_id);
        console.on('error', () => undefined);
        console.on('data', () => console.write('poweroff\r'));
      },
    },
  });

  it('used nothing that vmrun does not have', async () => {
    assert.equal(await fake.violations(), '');
  });
});
