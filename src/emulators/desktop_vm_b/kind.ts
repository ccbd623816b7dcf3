import { z } from 'zod';
import { conflict } from '../../common/errors.ts';
import type { NodeOperation } from '../kit/contract.ts';
import { defineKind } from '../kit/define-kind.ts';
import { hostPaths } from '../kit/host-uses.ts';
import { desktopKind } from '../shared/desktop-vm/desktop-kind.ts';
import { listVms } from './list-vms.ts';
import { fields } from './schema.ts';
import { texts } from './texts.ts';
import { VMWARE } from './vmware.ts';

/** A network of the program that no other node has, for those who attach adapters themselves. */
const allocateVmnet: NodeOperation = {
  method: 'POST',
  path: 'interfaces/vmnet',
  summary: 'Give a free vmnet interface to a machine',
  code: 201,
  output: z.strictObject({ vmnet: z.string() }),
  run: (node, args, { engine }, signal) => {
    if (engine?.operate === undefined)
      throw conflict(
        `${node.name} has no vmnet interface to give: its links attach the adapters of a running machine by themselves`,
      );
    return engine.operate('interfaces/vmnet', node, args, signal);
  },
};

export const desktopVmB = defineKind({
  ...desktopKind('VMwareVM'),
  name: 'desktop_vm_b',
  titles: { de: 'Desktop-VM B' },
  alias: 'vmware',
  directory: 'vmware',
  look: { symbol: ':/symbols/vmware_guest.svg', name: 'VM{0}' },
  fields,
  texts,
  file: { needs: ['linked_clone'] },
  hostUses: (properties) => hostPaths(properties, ['vmx_path'], 'it is a file of the server’s machine'),
  operations: [listVms],
  nodeOperations: [allocateVmnet],
  engines: [VMWARE],
});
