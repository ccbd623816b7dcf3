import { type Message, t, told, type Values } from '../words/words.ts';
import { createStore } from './store.ts';

/** Refuses what was typed, in a sentence for who has typed it: in the language of the page. */
export class DraftProblem extends Error {
  constructor(message: Message, values?: Values) {
    super(t(message, values));
  }
}

export type NoticeKind = 'info' | 'success' | 'warning' | 'error';
export interface Notice {
  readonly id: number;
  readonly kind: NoticeKind;
  readonly text: string;
}

/** At most as many at once; older ones go first. */
const MOST = 5;
const SHORT_MS = 5_000;
const LONG_MS = 15_000;

export const notices = createStore<readonly Notice[]>([]);
let lastId = 0;

export const dismiss = (id: number): void => notices.update((now) => now.filter((notice) => notice.id !== id));

/** Says something for a while; faults stay longer. */
export const notify = (kind: NoticeKind, text: string): void => {
  const id = ++lastId;
  notices.update((now) => [...now, { id, kind, text }].slice(-MOST));
  setTimeout(() => dismiss(id), kind === 'error' || kind === 'warning' ? LONG_MS : SHORT_MS);
};

/** Ids say nothing to people, and what is gone is not to be seen any more. */
const GONE = /^(?:Node|Link|Drawing) [0-9a-f-]{36} does not exist$/;

/** Turns something thrown into a sentence for people; `name`: of what it was about. */
export const sentenceOf = (problem: unknown, name?: string): string => {
  if (problem instanceof Error && GONE.test(problem.message))
    return name === undefined ? t('It was deleted meanwhile.') : t('{name} was deleted meanwhile.', { name });
  if (problem instanceof DraftProblem) return problem.message;
  if (problem instanceof TypeError) return t('The server does not answer.');
  return problem instanceof Error ? told(problem.message) : String(problem);
};

/** Does something, and says so when it fails; `name`: of what it is about. Answers whether it worked. */
export const attempt = async (work: () => Promise<unknown>, name?: string): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch (problem) {
    if (!(problem instanceof DOMException && problem.name === 'AbortError')) notify('error', sentenceOf(problem, name));
    return false;
  }
};
