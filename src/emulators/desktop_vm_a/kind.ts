import { defineKind } from '../kit/define-kind.ts';
import { acpiDerived, acpiInput, settleOnClose } from '../kit/on-close.ts';
import { leaving, withLinkedClone } from '../kit/old-nodes.ts';
import { adapterPorts } from '../ports/port-names.ts';
import { listVms } from './list-vms.ts';
import { fields } from './schema.ts';
import { VIRTUALBOX } from './virtualbox-engine.ts';

export const desktopVmA = defineKind({
  name: 'desktop_vm_a',
  alias: 'virtualbox',
  directory: 'virtualbox',
  capabilities: {
    suspend: true,
    duplicate: false,
    portable: false,
    adapter_only: true,
    console_types: ['telnet', 'none'],
  },
  look: { symbol: ':/symbols/vbox_guest.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'VM{0}' },
  template: { category: 'guest', nameFormat: '{name}-{0}', ports: 'named' },
  fields,
  inputs: acpiInput,
  derived: acpiDerived,
  shown: ['console', 'node_directory'],
  hot: ['on_close'],
  settle: settleOnClose,
  ports: (properties, naming) =>
    adapterPorts(naming, {
      adapters: Number(properties['adapters']),
      adapterType: String(properties['adapter_type']),
    }),
  old: {
    types: ['VirtualBoxVM'],
    convert: (node) => ({ properties: leaving(withLinkedClone(node), ['enable_remote_console']) }),
  },
  operations: [listVms],
  engines: [VIRTUALBOX],
});
