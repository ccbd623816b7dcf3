import type { Node } from '../../store/records.ts';

/** How programs outside of the browser get to a console. */
export interface Native {
  /** What the browser hands to the program that is registered for it. */
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
