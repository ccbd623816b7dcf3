/**
 * Does only the newest of what is wanted, one at a time: while one is under way, later wishes replace each other. So dragging shows
 * what it can, and always ends with the last.
 */
export const latestOnly = <T>(work: (wanted: T) => Promise<void>): ((wanted: T) => void) => {
  let waiting: { readonly wanted: T } | null = null;
  let isBusy = false;
  const run = async (first: T): Promise<void> => {
    isBusy = true;
    try {
      await work(first);
      for (let next = waiting; next !== null; next = waiting) {
        waiting = null;
        await work(next.wanted);
      }
    } finally {
      isBusy = false;
    }
  };
  return (wanted) => {
    if (isBusy) waiting = { wanted };
    else void run(wanted);
  };
};

/** Keeps the last few answers. */
export const remembering = <K, V>(ask: (key: K) => Promise<V>, most: number): ((key: K) => Promise<V>) => {
  const known = new Map<K, V>();
  return async (key) => {
    const old = known.get(key);
    const value = old ?? (await ask(key));
    known.delete(key);
    known.set(key, value);
    for (const oldest of known.keys()) {
      if (known.size <= most) break;
      known.delete(oldest);
    }
    return value;
  };
};
