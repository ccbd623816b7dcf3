import type { Texts } from '../kit/texts.ts';
import { desktopTexts } from '../shared/desktop-vm/desktop-kind.ts';

export const texts: Texts = {
  vmx_path: { title: 'Definition file', help: 'Path of the machine’s definition on its compute.' },
  ...desktopTexts(),
};
