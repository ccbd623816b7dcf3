import type { Lab } from '../store/lab.ts';
import { sentenceOf } from '../store/notices.ts';
import type { Verdict, Verifying, TimeLineParts, TimeLine } from './time-line-state.ts';
import { t } from '../words/words.ts';

/** A check that says nothing for so long will never end: the server says several times a second how far it is. Milliseconds. */
const SILENT_MS = 30_000;

type Progress = Omit<Verifying, 'begin' | 'isAsked'>;
type Line = { readonly progress: Progress } | { readonly verdict: Verdict };

/** Has the server check the stream of the project; how far it is, and what became of it, are shown. */
export const createVerifier = (
  { lab, state, change }: TimeLineParts,
  silentMs = SILENT_MS,
): Pick<TimeLine, 'verify' | 'cancelVerify'> => {
  let ending: AbortController | null = null;
  const verify = async (isAsked: boolean): Promise<void> => {
    if (state.get().verifying !== null) return;
    const own = new AbortController();
    ending = own;
    const of = state.get().overview?.of ?? 0;
    const begin = Date.now();
    change({ verifying: { part: 'events', done: 0, of, begin, isAsked }, verdict: null });
    try {
      const answer = await check(lab, own, silentMs, (progress) =>
        change({ verifying: { ...progress, begin, isAsked } }),
      );
      change({ verdict: { of, took: Date.now() - begin, answer } });
    } catch (problem) {
      const isCancelled = own.signal.aborted && own.signal.reason === CANCELLED;
      change({ verdict: isCancelled ? { cancelled: true } : { problem: sentenceOf(problem) } });
    } finally {
      change({ verifying: null });
    }
  };
  return { verify, cancelVerify: () => ending?.abort(CANCELLED) };
};

const CANCELLED = 'cancelled';

const check = async (
  { client, projectId }: Lab,
  ending: AbortController,
  silentMs: number,
  tell: (progress: Progress) => void,
): Promise<Verdict> => {
  const query = { project_id: projectId };
  const silence = (): ReturnType<typeof setTimeout> =>
    setTimeout(() => ending.abort(new Error(t('The server does not answer.'))), silentMs);
  let timer = silence();
  let verdict: Verdict | null = null;
  try {
    for await (const text of client.lines('/v2/verify', { query, signal: ending.signal })) {
      clearTimeout(timer);
      timer = silence();
      const line = JSON.parse(text) as Line;
      if ('verdict' in line) verdict = line.verdict;
      else tell(line.progress);
    }
  } finally {
    clearTimeout(timer);
  }
  if (verdict === null) throw new TypeError('the answer ends early');
  return verdict;
};
