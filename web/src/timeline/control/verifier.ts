import type { Inner, TimeLine } from './controller.ts';

/** Has the server check the stream of the project; the answer, and how long it took, stay. */
export const createVerifier = ({ lab, state, change, fail }: Inner): Pick<TimeLine, 'verify' | 'cancelVerify'> => {
  let ending: AbortController | null = null;
  const verify = async (): Promise<void> => {
    if (state.get().isVerifying) return;
    const own = new AbortController();
    ending = own;
    change({ isVerifying: true });
    const of = state.get().overview?.of ?? 0;
    const begin = performance.now();
    try {
      const answer = await lab.client.get('/v2/verify', { query: { project_id: lab.projectId }, signal: own.signal });
      change({ verdict: { of, took: performance.now() - begin, answer } });
    } catch (problem) {
      if (!own.signal.aborted) fail(problem);
    } finally {
      change({ isVerifying: false });
    }
  };
  return { verify, cancelVerify: () => ending?.abort() };
};
