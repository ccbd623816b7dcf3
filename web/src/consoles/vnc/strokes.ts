/** A key of X11, and whether it goes down. */
export type Stroke = readonly [keysym: number, isDown: boolean];

const SHIFT = 0xffe1;
const CONTROLS: Readonly<Record<string, number>> = { '\n': 0xff0d, '\t': 0xff09 };
/** Machines know keys, not letters: what stands on the upper half of a key of an American keyboard, which is theirs at first. */
const SHIFTED = /^[A-Z~!@#$%^&*()_+{}|:"<>?]$/;

/** Letters have their number of Latin 1, all others that of Unicode. */
const keysymOf = (letter: string): number => {
  const code = letter.codePointAt(0) ?? 0;
  return CONTROLS[letter] ?? (code < 0x100 ? code : 0x0100_0000 + code);
};

/** The strokes that type a text; other control characters are no keys. */
export const strokesOf = (text: string): Stroke[] =>
  Array.from(text.replaceAll(/\r\n?/g, '\n')).flatMap((letter): Stroke[] => {
    if (/\p{Cc}/u.test(letter) && !(letter in CONTROLS)) return [];
    const keysym = keysymOf(letter);
    const stroke: Stroke[] = [
      [keysym, true],
      [keysym, false],
    ];
    return SHIFTED.test(letter) ? [[SHIFT, true], ...stroke, [SHIFT, false]] : stroke;
  });
