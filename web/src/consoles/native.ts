import type { Node } from '../store/records.ts';
import { copyText } from '../ui/copy.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { t } from '../words/words.ts';

/** How programs outside of the browser get to a console. */
export interface Native {
  /** Address that the browser hands to the program registered for it. */
  readonly url: string;
  /** For a shell. */
  readonly command: string;
}

/** Addresses that mean every one of the server's: the page came from one of them. */
const ANY = new Set(['0.0.0.0', '::', '']);

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** `pageHost`: where the page comes from. Null: there is no such console. */
export const nativeOf = (
  { console_type, console_host, console: port }: Pick<Node, 'console_type' | 'console_host' | 'console'>,
  pageHost: string,
): Native | null => {
  if (port === null || port === undefined) return null;
  const host = ANY.has(console_host ?? '') ? pageHost.replace(/^\[|\]$/g, '') : (console_host ?? '');
  const at = `${bracketed(host)}:${port}`;
  switch (console_type) {
    case 'telnet':
      return { url: `telnet://${at}`, command: `telnet ${host} ${port}` };
    case 'vnc':
      return { url: `vnc://${at}`, command: `vncviewer ${bracketed(host)}::${port}` };
    case 'spice':
    case 'spice+agent':
      return { url: `spice://${at}`, command: `remote-viewer spice://${at}` };
    default:
      return null;
  }
};

/** Hands an address to the program of the system. */
export const openNative = (url: string): void => {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.click();
};

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
