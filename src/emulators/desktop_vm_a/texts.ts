import { RAM, type Texts } from '../kit/texts.ts';
import { desktopTexts } from '../shared/desktop-vm/desktop-kind.ts';

export const texts: Texts = {
  vmname: { title: 'Machine', help: 'Its name inside the hypervisor.' },
  ...desktopTexts({ ram: { ...RAM, help: 'Memory of the machine. 0: as the hypervisor has it.' } }),
};
