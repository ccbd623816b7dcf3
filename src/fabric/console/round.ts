interface Round {
  /** How many ports were looked at. */
  looked: number;
  /** How many of them in a row were not had, by anyone, since the searches that run now began. */
  missed: number;
  searches: number;
}

const rounds = new Map<string, Round>();

/** From a random place on at first, so that servers started together do not all try the same. */
const roundOf = (key: string): Round => {
  const round = rounds.get(key) ?? { looked: Math.floor(Math.random() * 65_536), missed: 0, searches: 0 };
  rounds.set(key, round);
  return round;
};

/**
 * Ports of a range to be tried, until the caller leaves the loop with one. Searches at the same time share the round: it goes on from where
 * the last look by anyone ended, and it ends for all of them once every port was looked at and none was had. Where another server has a
 * thousand ports, each of a thousand nodes would else go past most of them.
 */
export function* portsInRound([first, last]: readonly [number, number]): Generator<number> {
  const count = Math.max(0, last - first + 1);
  const round = roundOf(`${first}-${last}`);
  if (round.searches === 0) round.missed = 0;
  round.searches += 1;
  let found = true;
  try {
    while (round.missed < count) {
      round.missed += 1;
      yield first + (round.looked++ % count);
    }
    found = false;
  } finally {
    round.searches -= 1;
    if (found) round.missed = 0;
  }
}
