import type { Node } from '../../store/records.ts';
import { copyText } from '../../ui/copy.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { nativeOf, openNative } from './native.ts';

/** Ways to a console with a program of one's own. */
export const nativeItems = (node: Node): MenuItem[] => {
  const native = nativeOf(node, location.hostname);
  if (native === null) return [];
  const { url, command } = native;
  return [
    {
      text: t('Open in a program of your own'),
      note: url,
      icon: 'open',
      startsGroup: true,
      onChoose: () => openNative(url),
    },
    { text: t('Copy the command'), note: command, icon: 'copy', onChoose: () => void copyText(command, t('Command')) },
  ];
};
