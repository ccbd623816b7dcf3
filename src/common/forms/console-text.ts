/** Text of a console as people read it, for checks in the fabric and for the command line. */

/** Without sequences of ECMA-48 and other control characters, and with plain line ends. */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[@-_])|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
export const plainText = (text: string): string => text.replace(SEQUENCES, '');

/**
 * Without the line that was typed, which is shown first: up to the end of the line. Shells break a long one where the terminal ends, so where
 * `typed` is given, the line ends behind all of it. Empty while the line is still being shown.
 */
export const behindEcho = (text: string, typed = ''): string => {
  const echoed = lengthOfEcho(text, typed.replace(/\s/g, ''));
  const end = echoed === null ? -1 : text.indexOf('\n', echoed);
  return end < 0 ? '' : text.slice(end + 1);
};

/** Length of the text's beginning that shows these characters, ignoring space; 0: it shows others. null: more is to come. */
const lengthOfEcho = (text: string, characters: string): number | null => {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (found === characters.length) return at;
    if (text[at] === characters[found]) found += 1;
    else if (!/\s/.test(text[at] ?? '')) return 0;
  }
  return found === characters.length ? text.length : null;
};

/** The line that is not ended. */
export const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);

/** As shells, VPCS and routers have it: `PC1> `, `/ # `, `root@web:~# `, `R1(config)#`. */
const PROMPT = /^(?:\S.{0,120})?[>#$%] ?$/;
export const isPrompt = (line: string): boolean => PROMPT.test(line);

/** A router waits for a key before it shows more; what it clears the line with are spaces. */
const PAGER = /^ *-- ?More ?-- */gim;
export const isPager = (line: string): boolean => withoutPagers(line) === '' && line !== '';
export const withoutPagers = (text: string): string => text.replace(PAGER, '');
export const pagersIn = (text: string): number => text.match(PAGER)?.length ?? 0;
