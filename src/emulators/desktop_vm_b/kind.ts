import { defineKind } from '../kit/define-kind.ts';
import { hostPaths } from '../kit/host-uses.ts';
import { desktopKind } from '../shared/desktop-vm/desktop-kind.ts';
import { listVms } from './list-vms.ts';
import { fields } from './schema.ts';
import { allocateVmnet } from './vmnet.ts';
import { VMWARE } from './vmware-engine.ts';

export const desktopVmB = defineKind({
  ...desktopKind('VMwareVM'),
  name: 'desktop_vm_b',
  alias: 'vmware',
  directory: 'vmware',
  look: { symbol: ':/symbols/vmware_guest.svg', name: 'VM{0}' },
  fields,
  file: { needs: ['linked_clone'] },
  hostUses: (properties) => hostPaths(properties, ['vmx_path'], 'it is a file of the server’s machine'),
  operations: [listVms],
  nodeOperations: [allocateVmnet],
  engines: [VMWARE],
});
