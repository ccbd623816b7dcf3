import type { ApplianceForm } from '../kit/contract.ts';
import { defineKind } from '../kit/define-kind.ts';
import { acpiDerived, acpiInput, settleOnClose } from '../kit/fields.ts';
import { withImageNames, withLinkedClone } from '../kit/old-nodes.ts';
import { adapterPorts } from '../ports/ports.ts';
import { IOS_PING } from '../shared/ios-ping.ts';
import { LINUX_PING } from '../shared/linux-ping.ts';
import { hostUses, programHere } from './host-uses.ts';
import { operations, resizeDisk } from './operations.ts';
import { QEMU } from './qemu-engine.ts';
import { DISKS, fields, IMAGES } from './schema.ts';
import { texts } from './texts.ts';

/** Option for an appliance that must not be accelerated: https://www.qemu.org/docs/master/system/invocation.html */
const WITHOUT_KVM = '-machine accel=tcg';

/** The section of appliance files: https://github.com/GNS3/gns3-registry, schemas */
const appliance: ApplianceForm = {
  slots: Object.fromEntries(IMAGES.map((image) => [image, image])),
  settings({ arch, kvm, options, ...section }) {
    const given = typeof options === 'string' ? options.trim() : '';
    const all = kvm === 'disable' ? `${given} ${WITHOUT_KVM}`.trim() : given;
    return { ...(arch === undefined ? {} : { platform: arch }), ...section, ...(all === '' ? {} : { options: all }) };
  },
};

export const machineEmulator = defineKind({
  name: 'machine_emulator',
  titles: { de: 'Emulierte Maschine' },
  ping: [LINUX_PING, IOS_PING],
  alias: 'qemu',
  directory: 'qemu',
  capabilities: {
    suspend: true,
    adapter_only: true,
    console_types: ['telnet', 'vnc', 'spice', 'spice+agent', 'none'],
    start_answers_record: true,
  },
  look: { symbol: ':/symbols/qemu_guest.svg', name: 'VM{0}' },
  template: { category: 'guest', nameFormat: '{name}-{0}', ports: 'named', shared: ['mac_address'] },
  fields,
  texts,
  inputs: acpiInput,
  derived: acpiDerived,
  shown: ['console', 'node_directory', 'command_line'],
  hot: ['on_close', 'replicate_network_connection_state'],
  unique: ['mac_address'],
  file: { filled: ['qemu_path', 'adapter_type', 'mac_address'] },
  images: { folder: 'QEMU', fields: IMAGES },
  appliance,
  operations,
  nodeOperations: [resizeDisk],
  old: {
    types: ['QemuVM'],
    convert: (node) => ({ properties: withImageNames(withLinkedClone(node), IMAGES) }),
  },
  settle: settleOnClose,
  hostUses,
  asExisting: {
    defaults: () => Object.fromEntries(DISKS.map((disk) => [`${disk}_disk_interface`, 'none'])),
    here: programHere,
  },
  ports: (properties, naming) =>
    adapterPorts(naming, {
      adapters: Number(properties['adapters']),
      adapterType: String(properties['adapter_type']),
      mac: String(properties['mac_address']),
    }),
  engines: [QEMU],
});
