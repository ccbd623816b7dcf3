/**
 * Microseconds since 1970, running with the monotonic clock: a wall clock that is set meanwhile does not turn captures back.
 * `set` reads the wall clock again; done when no capture runs, so that captures of one lab stay comparable.
 */
export interface WallClock {
  now(): number;
  set(): void;
}

export function createWallClock(monotonic: () => number, wall: () => number = Date.now): WallClock {
  let offset = wall() - monotonic();
  return {
    now: () => Math.floor((monotonic() + offset) * 1000),
    set: () => (offset = wall() - monotonic()),
  };
}
