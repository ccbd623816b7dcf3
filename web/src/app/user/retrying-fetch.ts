/** Before a read that got no answer is asked for once more. Milliseconds. */
const RETRY_MS = 250;

/**
 * Asks once more for a read whose connection broke: a browser drops all of them when a network of its machine comes or goes. What may
 * have changed something is not sent twice.
 */
export const retryingReads =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
    return fetch(input, init).catch(async (error: unknown) => {
      if (method.toUpperCase() !== 'GET' || !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      signal?.throwIfAborted();
      return fetch(input, init);
    });
  };
