import { behindEcho, plainText } from '../../common/forms/console-text.ts';
import { messageOf } from '../../common/errors.ts';
import type { ConsoleQuestion } from '../questions.ts';
import type { FabricEvent } from '../protocol.ts';
import type { ConsoleHandle } from './console.ts';

/** Nothing comes any more: the answer is complete. Milliseconds. */
const SILENCE_MS = 1_500;
/** Characters of an answer that are kept. */
const MOST_TEXT = 64 * 1024;
const TOLD_TEXT = 4096;

interface Parts {
  /** Throws where there is no such node. */
  consoleOf: (nodeId: string) => ConsoleHandle | null;
  emit: (event: FabricEvent) => void;
}

interface Answer {
  isFound: boolean;
  text: string;
  problem: string | null;
}

/** Types lines at consoles, one after another at each, and tells what they show. */
export const createAsking = ({ consoleOf, emit }: Parts): ((question: ConsoleQuestion) => void) => {
  const last = new Map<string, Promise<unknown>>();
  return (question) => {
    const { node_id, question_id } = question;
    const console = consoleOf(node_id);
    const before = last.get(node_id) ?? Promise.resolve();
    const done = before
      .then(() => (console === null ? refused('it has no console') : ask(console, question)))
      .catch((error: unknown) => refused(messageOf(error)))
      .then((answer) => emit({ type: 'console.answered', question_id, ...answer, text: answer.text.slice(-TOLD_TEXT) }))
      .finally(() => {
        if (last.get(node_id) === done) last.delete(node_id);
      });
    last.set(node_id, done);
  };
};

const refused = (problem: string): Answer => ({ isFound: false, text: '', problem });

const ask = (console: ConsoleHandle, question: ConsoleQuestion): Promise<Answer> => {
  const { type, until, timeout_ms, silence_ms = SILENCE_MS } = question;
  const pattern = new RegExp(until, 'm');
  return new Promise((resolve) => {
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    const answer = (shown: string, problem: string | null): void => {
      clearTimeout(timer);
      clearTimeout(late);
      seat.leave();
      resolve({ isFound: problem === null && pattern.test(shown), text: shown, problem });
    };
    const end = (problem: string | null): void => answer(behindEcho(text), problem);
    const late = setTimeout(() => end(null), timeout_ms);
    const decoder = new TextDecoder();
    const seat = console.join({
      output(bytes) {
        text = (text + plainText(decoder.decode(bytes, { stream: true }))).slice(-MOST_TEXT);
        clearTimeout(timer);
        // Not in the middle of an output: what follows may belong to the match.
        timer = setTimeout(() => end(null), pattern.test(behindEcho(text)) ? FOUND_MS : silence_ms);
      },
      typed: () => end('somebody began to type there'),
    });
    if (type === null) answer(plainText(Buffer.from(seat.last()).toString('utf8')), null);
    else if (seat.isInUse()) end('somebody types there');
    else seat.type(Buffer.from(`${type}\r`));
  });
};

/** What is found is told as soon as nothing more comes for this long. Milliseconds. */
const FOUND_MS = 50;
