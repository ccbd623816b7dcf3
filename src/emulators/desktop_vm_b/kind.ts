import { defineKind } from '../kit/define-kind.ts';
import { hostPaths } from '../kit/host-uses.ts';
import { acpiDerived, acpiInput, settleOnClose } from '../kit/on-close.ts';
import { leaving, withLinkedClone } from '../kit/old-nodes.ts';
import { adapterPorts } from '../ports/port-names.ts';
import { listVms } from './list-vms.ts';
import { fields } from './schema.ts';
import { allocateVmnet } from './vmnet.ts';
import { VMWARE } from './vmware-engine.ts';

export const desktopVmB = defineKind({
  name: 'desktop_vm_b',
  alias: 'vmware',
  directory: 'vmware',
  capabilities: {
    suspend: true,
    duplicate: false,
    portable: false,
    adapter_only: true,
    console_types: ['telnet', 'none'],
  },
  look: { symbol: ':/symbols/vmware_guest.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'VM{0}' },
  template: { category: 'guest', nameFormat: '{name}-{0}', ports: 'named' },
  fields,
  inputs: acpiInput,
  derived: acpiDerived,
  shown: ['console', 'node_directory'],
  hot: ['on_close'],
  file: { needs: ['linked_clone'] },
  settle: settleOnClose,
  hostUses: (properties) => hostPaths(properties, ['vmx_path'], 'it is a file of the server’s machine'),
  ports: (properties, naming) =>
    adapterPorts(naming, {
      adapters: Number(properties['adapters']),
      adapterType: String(properties['adapter_type']),
    }),
  old: {
    types: ['VMwareVM'],
    convert: (node) => ({ properties: leaving(withLinkedClone(node), ['enable_remote_console']) }),
  },
  operations: [listVms],
  nodeOperations: [allocateVmnet],
  engines: [VMWARE],
});
