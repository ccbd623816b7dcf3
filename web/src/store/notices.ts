import { createStore } from './store.ts';

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

/** What to tell people of something thrown. */
export const sentenceOf = (problem: unknown): string => {
  if (problem instanceof TypeError) return 'The server does not answer.';
  return problem instanceof Error ? problem.message : String(problem);
};

/** Does something, and says so when it fails. Answers whether it worked. */
export const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch (problem) {
    if (!(problem instanceof DOMException && problem.name === 'AbortError')) notify('error', sentenceOf(problem));
    return false;
  }
};
