export type KeyName =
  | 'enter'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'interrupt'
  | 'end_of_input'
  | 'erase_to_start'
  | 'erase_to_end'
  | 'erase_word'
  | 'redraw';

/** One key: a printable character (one code point), or a key with a name. */
export type Key = { text: string } | { name: KeyName };

const ESC = 0x1b;
const CR = 0x0d;
const LF = 0x0a;

/** Control characters as Emacs and readline users know them. */
const CONTROL = new Map<number, KeyName>([
  [0x01, 'home'],
  [0x02, 'left'],
  [0x03, 'interrupt'],
  [0x04, 'end_of_input'],
  [0x05, 'end'],
  [0x06, 'right'],
  [0x08, 'backspace'],
  [0x09, 'tab'],
  [LF, 'enter'],
  [0x0b, 'erase_to_end'],
  [0x0c, 'redraw'],
  [CR, 'enter'],
  [0x0e, 'down'],
  [0x10, 'up'],
  [0x15, 'erase_to_start'],
  [0x17, 'erase_word'],
  [0x7f, 'backspace'],
]);

/** Final letters of `ESC [ x` and `ESC O x` (ECMA-48, xterm). */
const CURSOR_KEYS = new Map<string, KeyName>([
  ['A', 'up'],
  ['B', 'down'],
  ['C', 'right'],
  ['D', 'left'],
  ['H', 'home'],
  ['F', 'end'],
]);

/** Parameters of `ESC [ n ~` (VT220, rxvt). */
const EDIT_KEYS = new Map<string, KeyName>([
  ['1', 'home'],
  ['3', 'delete'],
  ['4', 'end'],
  ['7', 'home'],
  ['8', 'end'],
]);

/** Longest escape sequence that is waited for; xterm's longest key has 8 bytes. */
const MAX_SEQUENCE = 16;

/** Makes keys of bytes, one byte at a time; escape sequences and UTF-8 characters may be split between calls. */
export class KeyDecoder {
  #mode: 'text' | 'escape' | 'csi' | 'ss3' = 'text';
  #parameters = '';
  #afterCr = false;
  #utf8: number[] = [];
  #utf8Length = 0;

  push(byte: number): Key | null {
    switch (this.#mode) {
      case 'text':
        return this.#text(byte);
      case 'escape':
        this.#parameters = '';
        this.#mode = byte === 0x5b ? 'csi' : byte === 0x4f ? 'ss3' : 'text';
        // Another ESC starts a new sequence; Alt with a key is not a key of this editor.
        if (byte === ESC) this.#mode = 'escape';
        return null;
      case 'ss3':
        this.#mode = 'text';
        return named(CURSOR_KEYS.get(String.fromCharCode(byte)));
      case 'csi':
        return this.#csi(byte);
    }
  }

  #csi(byte: number): Key | null {
    // Parameter and intermediate bytes; the final byte is 0x40..0x7e.
    if (byte >= 0x20 && byte < 0x40 && this.#parameters.length < MAX_SEQUENCE) {
      this.#parameters += String.fromCharCode(byte);
      return null;
    }
    this.#mode = 'text';
    const final = String.fromCharCode(byte);
    if (final === '~') return named(EDIT_KEYS.get(this.#parameters));
    return named(CURSOR_KEYS.get(final));
  }

  #text(byte: number): Key | null {
    const secondOfLineEnd = this.#afterCr && (byte === LF || byte === 0);
    this.#afterCr = byte === CR;
    if (secondOfLineEnd) return null;
    if (byte >= 0x80) return this.#multibyte(byte);
    this.#utf8Length = 0;
    if (byte === ESC) {
      this.#mode = 'escape';
      return null;
    }
    if (byte < 0x20 || byte === 0x7f) return named(CONTROL.get(byte));
    return { text: String.fromCharCode(byte) };
  }

  /** Invalid sequences are dropped, as there is nothing sensible to show for them. */
  #multibyte(byte: number): Key | null {
    if (byte >= 0xc0) {
      this.#utf8 = [byte];
      this.#utf8Length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return null;
    }
    if (this.#utf8Length === 0) return null;
    this.#utf8.push(byte);
    if (this.#utf8.length < this.#utf8Length) return null;
    this.#utf8Length = 0;
    const text = Buffer.from(this.#utf8).toString('utf8');
    // Control characters of the C1 set would act on the terminal.
    return text.includes('\ufffd') || /\p{Cc}/u.test(text) ? null : { text };
  }
}

const named = (name: KeyName | undefined): Key | null => (name === undefined ? null : { name });
