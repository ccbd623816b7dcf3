import { behindEcho, isPager, isPrompt, lastLine, pagersIn, withoutPagers } from '../../common/forms/console-text.ts';
import { conflict, invalid, messageOf } from '../../common/errors.ts';
import { printable } from '../printable.ts';
import { COMMON, command, parse } from '../command.ts';
import { consoleOf, type OpenedConsole, PATIENCE, SETTLED_MS, Shown, timeoutOf, untilQuiet } from './stream.ts';

const HELP = `topolog exec NODE COMMAND [--timeout TIME] [--data-dir DIR]

Types a command at the console of a running node, waits until the prompt is there again, and prints what came between:

  topolog exec PC1 'ping 10.0.0.2 -c 3'

Options of the command are in its quotes, or all of it is behind -- (topolog exec PC1 -- ping 10.0.0.2 -c 3).
It works with whatever shows a prompt that ends with >, #, $ or %: PCs, shells of containers, routers. Nothing is typed where the console is at
no prompt, because a program runs there or somebody is typing. Pages of a router (--More--) are turned. NODE is a name, PROJECT/NODE, a
beginning that no other has, or an id.

  --timeout TIME   how long the prompt is waited for, before and behind the command: 500ms, 10s, 2m (${PATIENCE})

Exit codes: 0 answered, whatever the answer says; 1 the node is not started, has no text console, or its console was closed; 2 the command
line is not right; 3 no prompt in time, and what was shown until then is printed.
`;

const LATE = 3;
/** Silence after which Return is pressed, as the console may wait for it. Milliseconds. */
const WAKE_MS = 500;

/** `topolog exec` */
export const execCommand = command(HELP, async (args) => {
  const options = { ...COMMON, timeout: { type: 'string' } } as const;
  const { values, positionals } = parseQuoted({ args, options, allowPositionals: true } as const);
  const [wanted, ...words] = positionals;
  const line = words.join(' ');
  if (wanted === undefined || line === '') throw invalid('usage: topolog exec NODE COMMAND');
  if (printable(line) !== line) throw invalid('the command must be one line, without control characters');
  const timeout = values.timeout ?? PATIENCE;
  const timeoutMs = timeoutOf(timeout);
  const console = await consoleOf(values['data-dir'], wanted);
  const shown = new Shown(console.stream);
  try {
    if (!(await foundPrompt(console, shown, timeoutMs))) return refused(console, shown, timeout);
    return await typed(console, shown, { line, timeout, timeoutMs });
  } finally {
    console.stream.destroy();
  }
});

/** Explains an unknown option, which belongs to a command without quotes. */
const parseQuoted: typeof parse = (config) => {
  try {
    return parse(config);
  } catch (error) {
    const unquoted = /^The request is not valid: (Unknown option '[^']+')/.exec(messageOf(error));
    if (unquoted === null) throw error;
    throw invalid(
      `${unquoted[1] ?? ''}; options of the command are in its quotes, or behind --: topolog exec PC1 'ping 10.0.0.2 -c 3', topolog exec PC1 -- ping 10.0.0.2 -c 3`,
    );
  }
};

/** Waits for a prompt, and presses Return once if the last line is empty. */
const foundPrompt = async ({ name, stream }: OpenedConsole, shown: Shown, timeoutMs: number): Promise<boolean> => {
  const atPrompt = (): number | null => (isPrompt(shown.lastLine) ? SETTLED_MS.same : null);
  const first = await untilQuiet(stream, timeoutMs, () => (isPrompt(shown.lastLine) ? SETTLED_MS.same : WAKE_MS));
  if (first === 'closed') throw conflict(`the console of ${name} was closed`);
  if (isPrompt(shown.lastLine)) return true;
  if (shown.lastLine === '') stream.write('\r');
  if ((await untilQuiet(stream, timeoutMs, atPrompt)) === 'closed') throw conflict(`the console of ${name} was closed`);
  return isPrompt(shown.lastLine);
};

const refused = ({ name }: OpenedConsole, { lastLine: line }: Shown, timeout: string): number => {
  const what = line === '' ? 'it shows none' : `it shows ${JSON.stringify(printable(line.slice(-80)))}`;
  process.stderr.write(`topolog: ${name} is at no prompt, also after ${timeout}: ${what}; nothing was typed\n`);
  return LATE;
};

const typed = async (
  { name, stream }: OpenedConsole,
  shown: Shown,
  { line, timeout, timeoutMs }: { line: string; timeout: string; timeoutMs: number },
): Promise<number> => {
  const prompt = shown.lastLine;
  shown.text = '';
  let pages = 0;
  stream.write(`${line}\r`);
  const ended = await untilQuiet(stream, timeoutMs, () => {
    const answer = behindEcho(shown.text, line);
    if (answer === '') return null;
    const last = lastLine(answer);
    if (isPager(last) && pages !== (pages = pagersIn(answer))) stream.write(' ');
    return last === prompt ? SETTLED_MS.same : isPrompt(last) ? SETTLED_MS.alike : null;
  });
  const answer = withoutPagers(behindEcho(shown.text, line));
  const output = ended === 'quiet' ? answer.slice(0, answer.lastIndexOf('\n') + 1) : answer;
  // A PC prints an empty line before its prompt.
  process.stdout.write(output.trim() === '' ? '' : `${output.trimEnd()}\n`);
  if (ended === 'quiet') return 0;
  if (ended === 'closed') throw conflict(`the console of ${name} was closed`);
  process.stderr.write(
    `topolog: ${name} did not come back to its prompt within ${timeout}; what was typed goes on there\n`,
  );
  return LATE;
};
