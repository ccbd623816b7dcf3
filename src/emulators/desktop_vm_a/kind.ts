import { defineKind } from '../kit/define-kind.ts';
import { desktopKind } from '../shared/desktop-vm/desktop-kind.ts';
import { listVms } from './list-vms.ts';
import { fields } from './schema.ts';
import { texts } from './texts.ts';
import { VIRTUALBOX } from './virtualbox.ts';

export const desktopVmA = defineKind({
  ...desktopKind('VirtualBoxVM'),
  name: 'desktop_vm_a',
  titles: { de: 'Desktop-VM A' },
  alias: 'virtualbox',
  directory: 'virtualbox',
  look: { symbol: ':/symbols/vbox_guest.svg', name: 'VM{0}' },
  fields,
  texts,
  operations: [listVms],
  engines: [VIRTUALBOX],
});
