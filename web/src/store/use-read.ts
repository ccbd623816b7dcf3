import { useCallback, useEffect, useState } from 'react';
import { sentenceOf } from './notices.ts';

interface ReadState<T> {
  /** Null: nothing was read yet. */
  readonly value: T | null;
  readonly problem: string | null;
  /** Reads it again. */
  readonly again: () => void;
}

/** Reads a value of the server, again when it is asked. `work`: the same function for as long as it reads the same. */
export const useRead = <T>(work: (signal: AbortSignal) => Promise<T>): ReadState<T> => {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    work(ending.signal).then(
      (found) => {
        if (ending.signal.aborted) return;
        setValue(found);
        setProblem(null);
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      },
    );
    return () => ending.abort();
  }, [work, turn]);
  return { value, problem, again: useCallback(() => setTurn((before) => before + 1), []) };
};
