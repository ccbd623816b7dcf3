import { useEffect, useState } from 'react';

export interface Player {
  /** Seconds. */
  readonly at: number;
  readonly isPlaying: boolean;
  readonly seek: (at: number) => void;
  readonly toggle: () => void;
  readonly play: () => void;
}

interface Options {
  readonly seconds: number;
  readonly speed: number;
  /** Where to go on from a time at which nothing happens for long. */
  readonly skip: (at: number) => number;
}

const TICK_MS = 50;

/** Plays from 0 to `seconds`; from the end it starts over. */
export const usePlayer = ({ seconds, speed, skip }: Options): Player => {
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return undefined;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const step = ((now - last) / 1000) * speed;
      last = now;
      setAt((before) => Math.min(seconds, skip(before + step)));
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, seconds, skip]);
  const isAtEnd = at >= seconds;
  useEffect(() => {
    // Who then goes back is not to be played to at once.
    if (isAtEnd) setPlaying(false);
  }, [isAtEnd]);
  const plays = isPlaying && !isAtEnd;
  const play = (): void => {
    if (isAtEnd) setAt(0);
    setPlaying(true);
  };
  return {
    at,
    isPlaying: plays,
    seek: (to) => setAt(Math.max(0, Math.min(seconds, to))),
    toggle: () => (plays ? setPlaying(false) : play()),
    play,
  };
};
