import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ReadStream } from 'node:tty';
import { isPrompt, plainText } from '../../common/forms/console-text.ts';
import { invalid, messageOf } from '../../common/errors.ts';
import { printable } from '../printable.ts';
import { COMMON, command, parse } from '../command.ts';
import { consoleOf, type OpenedConsole, PATIENCE, SETTLED_MS, Shown, timeoutOf, untilQuiet } from './stream.ts';

const HELP = `topolog console NODE [--timeout TIME] [--data-dir DIR]

The console of a running node at this terminal; Ctrl+] leaves it, and the node goes on. When standard input is no terminal, its lines are
typed, and after its end the console is left once its prompt is there again: all that the lines led to is printed, as plain lines, and nothing of
what the console had shown before. Where no prompt is known, it
is left after 3 s in which nothing was shown. NODE is a name, PROJECT/NODE, a beginning that no other has, or an id.

  --timeout TIME   how long the prompt is waited for after the end of the input: 500ms, 10s, 2m (${PATIENCE})

Exit code 1 if it is not there by then, or if the console was closed. topolog exec types one command and prints its output alone.
`;

/** `topolog console` */
export const consoleCommand = command(HELP, async (args) => {
  const options = { ...COMMON, timeout: { type: 'string' } } as const;
  const { values, positionals } = parse({ args, options, allowPositionals: true });
  const [wanted, more] = positionals;
  if (wanted === undefined || more !== undefined) throw invalid('topolog console needs one node: its name or id');
  const { timeout = PATIENCE } = values;
  const timeoutMs = timeoutOf(timeout);
  const console = await consoleOf(values['data-dir'], wanted);
  const { name, stream } = console;
  if (process.stdin.isTTY) process.stderr.write(`${name}: Ctrl+] leaves\n`);
  const { stdin } = process;
  const left = await (stdin.isTTY ? atTerminal(stream, stdin) : fromInput(console, timeoutMs));
  if (left === 'left') return 0;
  const busy = `${name} was still busy ${timeout} after the end of the input; what was typed goes on there`;
  process.stderr.write(`topolog: ${left === 'busy' ? busy : `the console of ${name} was closed`}\n`);
  return 1;
});

/** How a console was left. `closed`: by the server; `busy`: while a command still ran. */
type Left = 'left' | 'closed' | 'busy';

/** Ctrl+], as in telnet. */
const LEAVE = 0x1d;

const atTerminal = (stream: Duplex, terminal: ReadStream): Promise<Left> => {
  let left = false;
  const typed = (bytes: Buffer): void => {
    const end = bytes.indexOf(LEAVE);
    const before = end < 0 ? bytes : bytes.subarray(0, end);
    if (before.length > 0) stream.write(before);
    if (end < 0) return;
    left = true;
    stream.end();
  };
  terminal.setRawMode(true).on('data', typed).resume();
  return shownAll(stream).then(() => {
    terminal.off('data', typed).setRawMode(false).pause();
    process.stderr.write('\n');
    return left ? 'left' : 'closed';
  });
};

/** Silence after which a console without a prompt is left. Milliseconds. */
const SILENCE_MS = 3_000;
/** Longest wait for the last output of a console, with its prompt. Milliseconds. */
const FIRST_MS = 300;

/** Types the lines of a file or a program. */
const fromInput = async ({ stream }: OpenedConsole, timeoutMs: number): Promise<Left> => {
  const shown = new Shown(stream);
  await untilQuiet(stream, timeoutMs, () => (isPrompt(shown.lastLine) ? SETTLED_MS.same : FIRST_MS));
  const prompt = isPrompt(shown.lastLine) ? shown.lastLine : null;
  // Drops earlier output, which is no answer to the input.
  shown.text = prompt ?? '';
  const showing = linesOf(stream, shown.text);
  const typed = await typeInput(stream);
  const ended = typed === null ? 'closed' : await untilQuiet(stream, timeoutMs, () => quietFor(shown, prompt, typed));
  stream.end();
  await showing;
  process.stdin.pause();
  return ended === 'quiet' ? 'left' : ended === 'late' ? 'busy' : 'closed';
};

/** Silence after which all input counts as answered; null if it does not yet. Milliseconds. */
const quietFor = (shown: Shown, prompt: string | null, { lines, isWhole }: Typed): number | null => {
  const { text, lastLine } = shown;
  if (lines === 0 && isWhole) return SETTLED_MS.same;
  // The console echoes every line.
  const isAnswered = isWhole && text.split('\n').length > lines;
  if (isAnswered && lastLine === prompt) return SETTLED_MS.same;
  if (isAnswered && isPrompt(lastLine)) return SETTLED_MS.alike;
  return prompt === null || !isWhole ? SILENCE_MS : null;
};

/** Number of typed lines, and whether the last one is ended. */
interface Typed {
  lines: number;
  isWhole: boolean;
}

/** Types the standard input with CR for line ends; resolves at its end, with null if the console was closed before. */
const typeInput = (stream: Duplex): Promise<Typed | null> =>
  new Promise((resolve) => {
    const typed: Typed = { lines: 0, isWhole: true };
    process.stdin.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1').replaceAll('\n', '\r');
      typed.lines += text.split('\r').length - 1;
      typed.isWhole = /[\r\u0003\u0004]$/.test(text);
      if (!stream.writableEnded) stream.write(Buffer.from(text, 'latin1'));
    });
    process.stdin.once('end', () => resolve(typed));
    stream.once('end', () => resolve(null)).once('close', () => resolve(null));
  });

/** Prints the output as plain text whose last line is ended. `begun`: beginning of the first line. */
const linesOf = async (stream: Duplex, begun: string): Promise<void> => {
  const decoder = new TextDecoder();
  let last = '';
  const show = (text: string): void => {
    if (text === '') return;
    last = text;
    process.stdout.write(text);
  };
  show(begun);
  stream.on('data', (bytes: Buffer) => show(plainText(decoder.decode(bytes, { stream: true }))));
  await untilEnd(stream);
  if (!last.endsWith('\n')) show('\n');
};

/** Prints the output until the stream is closed. */
const shownAll = async (stream: Duplex): Promise<void> => {
  stream.pipe(process.stdout, { end: false });
  await untilEnd(stream);
};

const untilEnd = async (stream: Duplex): Promise<void> => {
  await finished(stream, { writable: false }).catch((error: unknown) =>
    process.stderr.write(`topolog: ${printable(messageOf(error))}\n`),
  );
};
