/** Names are one line: they stand in lists, in consoles, in files of emulators and on terminals. */

/** Goes after the name of a field. */
export const ONE_LINE = 'must be one line without control characters';

const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

export const isOneLine = (text: string): boolean => text.search(CONTROL) < 0;

/** Makes one line of a name in a file that somebody else made. */
export const asOneLine = (text: string): string => (isOneLine(text) ? text : text.replace(CONTROL, ' ').trim() || '_');
