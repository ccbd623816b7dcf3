import { messageOf } from '../../common/errors.ts';
import { behindEcho, plainText } from '../../common/forms/console-text.ts';
import { Search } from '../../common/pattern.ts';
import { inSlice } from '../../common/slices.ts';
import type { ConsoleQuestion, FabricEvent } from '../protocol.ts';
import type { ConsoleHandle } from './console.ts';

/** Default silence after which an answer is complete. Milliseconds. */
const SILENCE_MS = 1_500;
/** Characters of an answer that are kept. */
const MOST_TEXT = 64 * 1024;
/** Steps of the pattern search for one answer: a fraction of a second, in slices. */
const MOST_STEPS = 10_000_000;
/** Silence after which a match is reported. Milliseconds. */
const FOUND_MS = 50;

interface QuestionParts {
  /** Throws when there is no such node. */
  consoleOf: (nodeId: string) => ConsoleHandle | null;
  emit: (event: FabricEvent) => void;
}

interface Answer {
  isFound: boolean;
  text: string;
  problem: string | null;
}

/** Types lines at consoles, one after another at each, and emits their output. */
export const createConsoleQuestions = ({ consoleOf, emit }: QuestionParts): ((question: ConsoleQuestion) => void) => {
  const last = new Map<string, Promise<unknown>>();
  return (question) => {
    const { node_id, question_id } = question;
    const console = consoleOf(node_id);
    const before = last.get(node_id) ?? Promise.resolve();
    const done = before
      .then(() => (console === null ? refused('it has no console') : ask(console, question)))
      .catch((error: unknown) => refused(messageOf(error)))
      .then((answer) => emit({ type: 'console.answered', question_id, ...answer }))
      .finally(() => {
        if (last.get(node_id) === done) last.delete(node_id);
      });
    last.set(node_id, done);
  };
};

const refused = (problem: string): Answer => ({ isFound: false, text: '', problem });

const ask = (console: ConsoleHandle, question: ConsoleQuestion): Promise<Answer> => {
  const { type, until, timeout_ms, silence_ms = SILENCE_MS } = question;
  const search = new AnswerSearch(until);
  return new Promise((resolve, reject) => {
    let text = '';
    let isBehindEcho = false;
    let timer: NodeJS.Timeout | undefined;
    const ended = new AbortController();
    const end = async (problem: string | null): Promise<void> => {
      clearTimeout(timer);
      clearTimeout(late);
      ended.abort();
      const shown = type === null || isBehindEcho ? text : '';
      const isFound = problem === null && (await search.settled());
      resolve({ isFound, text: shown, problem: problem ?? search.problem });
    };
    const over = (problem: string | null = null): void => void end(problem).catch(reject);
    const late = setTimeout(over, timeout_ms);
    /** Ends at a match, but not in the middle of an output: what follows may belong to the match. */
    const pause = async (): Promise<void> => {
      timer = setTimeout(over, silence_ms - FOUND_MS);
      const mine = timer;
      if ((await search.settled()) && timer === mine) over();
    };
    const decoder = new TextDecoder();
    const output = (bytes: Uint8Array): void => {
      const piece = plainText(decoder.decode(bytes, { stream: true }));
      text += piece;
      const rest = isBehindEcho ? piece : behindEcho(text);
      if (!isBehindEcho && text.includes('\n')) [text, isBehindEcho] = [rest, true];
      text = text.slice(-MOST_TEXT);
      search.add(rest);
      clearTimeout(timer);
      timer = setTimeout(() => void pause().catch(reject), FOUND_MS);
    };
    const typed = (): void => over('somebody began to type there');
    const session = console.join({ output, typed }, ended.signal);
    if (type === null) {
      text = plainText(Buffer.from(session.last()).toString('utf8'));
      search.add(text);
      over();
    } else if (session.isInUse()) over('somebody types there');
    else session.type(Buffer.from(`${type}\r`));
  });
};

/** Searches the pattern in the output, in slices, so that no pattern delays frames. */
class AnswerSearch {
  readonly #pattern: string;
  #search: Search;
  #unread = '';
  #reading: Promise<void> | null = null;
  problem: string | null = null;

  /** Throws a PatternError. */
  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#search = new Search(pattern);
  }

  add(text: string): void {
    this.#unread += text;
    if (this.#unread.length <= MOST_TEXT) return;
    this.#unread = this.#unread.slice(-MOST_TEXT);
    const { steps } = this.#search;
    this.#search = Object.assign(new Search(this.#pattern), { steps });
  }

  /** Resolves once all added text is searched: whether there is a match. */
  async settled(): Promise<boolean> {
    this.#reading ??= new Promise<void>((resolve) => inSlice(() => this.#read(resolve)));
    await this.#reading;
    return this.problem === null && this.#search.isFound();
  }

  #read(done: () => void): void {
    const at = this.#search.read(this.#unread, 0);
    this.#unread = this.#unread.slice(at);
    if (this.#search.steps > MOST_STEPS) {
      this.problem = 'its pattern is too much work for what the console shows';
      this.#unread = '';
    }
    if (this.#unread !== '') return inSlice(() => this.#read(done));
    this.#reading = null;
    done();
  }
}
