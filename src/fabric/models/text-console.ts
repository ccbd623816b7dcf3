import type { ConsoleSink } from '../console/console.ts';

interface TextConsoleOptions {
  /** Shown before the prompt to each new client. */
  greeting: string;
  prompt: () => string;
  /** Runs a line and returns its output, with `\n` line ends. */
  run: (line: string) => string;
}

const LONGEST_LINE = 256;
const INTERRUPT = 0x03;
const BACKSPACE = 0x08;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ERASE_LINE = 0x15;
const ESCAPE = 0x1b;
const DELETE = 0x7f;

/** A simple console of single-line commands, with echo. */
export function createTextConsole(options: TextConsoleOptions): ConsoleSink {
  let line = '';
  let previous = 0;
  /** 0: plain; 1: after ESC; 2: within an escape sequence, until its letter. */
  let escape = 0;

  const sink: ConsoleSink = {
    input: (bytes) => {
      for (const byte of bytes) type(byte);
    },
    output: () => undefined,
    attached: () => print(`${options.greeting}\n${options.prompt()}`),
  };
  const print = (text: string): void => sink.output(Buffer.from(text.replaceAll('\n', '\r\n'), 'utf8'));

  function type(byte: number): void {
    const before = previous;
    previous = byte;
    if (escape > 0 || byte === ESCAPE) skipEscape(byte);
    else if (byte === RETURN || (byte === NEWLINE && before !== RETURN)) enter();
    else if (byte === BACKSPACE || byte === DELETE) erase(1);
    else if (byte === ERASE_LINE) erase(line.length);
    else if (byte === INTERRUPT) interrupt();
    else if (byte >= 0x20 && byte < DELETE && line.length < LONGEST_LINE) append(String.fromCharCode(byte));
  }

  function skipEscape(byte: number): void {
    if (byte === ESCAPE) escape = 1;
    else if (escape === 1) escape = byte === 0x5b || byte === 0x4f ? 2 : 0;
    else if (byte >= 0x40) escape = 0;
  }

  function enter(): void {
    const command = line.trim();
    line = '';
    print(`\n${command === '' ? '' : options.run(command)}${options.prompt()}`);
  }

  function append(character: string): void {
    line += character;
    print(character);
  }

  function erase(count: number): void {
    const gone = Math.min(count, line.length);
    line = line.slice(0, line.length - gone);
    print('\b \b'.repeat(gone));
  }

  function interrupt(): void {
    line = '';
    print(`^C\n${options.prompt()}`);
  }

  return sink;
}
