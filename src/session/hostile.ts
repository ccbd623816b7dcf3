/** More than any event or record has; a parser that is given more may run out of stack or memory. */
const MAX_DEPTH = 200;
const MAX_VALUES = 4_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a JSON text can be parsed without harm: how deep it nests and how many values it holds. Its grammar is not looked at. */
export const isHarmless = (text: string): boolean => {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH || ++values > MAX_VALUES) return false;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        if (++values > MAX_VALUES) return false;
        break;
      default:
    }
  }
  return true;
};

const endOfString = (text: string, start: number): number => {
  for (let i = text.indexOf('"', start); i !== -1; i = text.indexOf('"', i + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(i - 1 - backslashes) === BACKSLASH && i - 1 - backslashes >= start) backslashes++;
    if (backslashes % 2 === 0) return i;
  }
  return text.length;
};
