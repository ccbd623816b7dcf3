/** Text of a console as people read it, for checks in the fabric and for the command line. */

/** Escape sequences of ECMA-48, and control characters but tab and line feed. */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[@-_])|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
export const plainText = (text: string): string => text.replace(SEQUENCES, '');

/**
 * Text behind the echo of the typed line, which is the first line. Shells break a long line where the terminal ends, so with `typed` the
 * echo ends only behind all of it. Empty while the line is still being echoed.
 */
export const behindEcho = (text: string, typed = ''): string => {
  const echoed = lengthOfEcho(text, typed.replace(/\s/g, ''));
  const end = echoed === null ? -1 : text.indexOf('\n', echoed);
  return end < 0 ? '' : text.slice(end + 1);
};

/** Length of the beginning of a text that shows these characters, ignoring space; 0 if it shows others, null while some are missing. */
const lengthOfEcho = (text: string, characters: string): number | null => {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (found === characters.length) return at;
    if (text[at] === characters[found]) found += 1;
    else if (!/\s/.test(text[at] ?? '')) return 0;
  }
  return found === characters.length ? text.length : null;
};

/** Text behind the last line feed. */
export const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);

/** Prompt of a shell, VPCS or a router: `PC1> `, `/ # `, `root@web:~# `, `R1(config)#`. */
const PROMPT = /^(?:\S.{0,120})?[>#$%] ?$/;
export const isPrompt = (line: string): boolean => PROMPT.test(line);

/** Pager of a router, which waits for a key. The router clears the line with spaces afterwards. */
const PAGER = /^ *-- ?More ?-- */gim;
export const isPager = (line: string): boolean => withoutPagers(line) === '' && line !== '';
export const withoutPagers = (text: string): string => text.replace(PAGER, '');
export const pagersIn = (text: string): number => text.match(PAGER)?.length ?? 0;
