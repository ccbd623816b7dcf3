/**
 * Runs work with a signal that is aborted when `left` is, or after `ms` milliseconds (then its reason is a TimeoutError); work that
 * is aborted fails with that reason. The timer is ours: Node 20 loses AbortSignal.timeout behind AbortSignal.any to the garbage
 * collector, and then never fires it.
 */
export const withDeadline = async <T>(
  left: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const abort = new AbortController();
  const leave = (): void => abort.abort(left.reason);
  left.addEventListener('abort', leave, { once: true });
  if (left.aborted) leave();
  const late = (): void => abort.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(late, ms);
  try {
    return await work(abort.signal);
  } catch (error) {
    // What Node's own functions throw says only that they were aborted.
    throw error instanceof Error && error.name === 'AbortError' && abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    clearTimeout(timer);
    left.removeEventListener('abort', leave);
  }
};
