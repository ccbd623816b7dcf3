/** What a console shows, as people read it. Asked by checks in the fabric, and by the command line. */

/** Without sequences of ECMA-48 and other control characters, and with plain line ends. */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[@-_])|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
export const plainText = (text: string): string => text.replace(SEQUENCES, '');

/** The line that was typed is shown first. */
export const behindEcho = (text: string): string => {
  const end = text.indexOf('\n');
  return end < 0 ? '' : text.slice(end + 1);
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
