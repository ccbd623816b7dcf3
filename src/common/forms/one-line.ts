/** Names are one line, as they are printed in lists, consoles, files of emulators and on terminals. */

/** Message behind the name of a field. */
export const ONE_LINE = 'must be one line without control characters';

const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

export const isOneLine = (text: string): boolean => text.search(CONTROL) < 0;

/** Makes a name of a foreign file one line. */
export const asOneLine = (text: string): string => (isOneLine(text) ? text : text.replace(CONTROL, ' ').trim() || '_');
