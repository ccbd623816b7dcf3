/** How many ports were looked at. */
let looked = Math.floor(Math.random() * 65_536);

/**
 * Every port of a range once, from where the last look by anyone ended: where another server has a thousand ports, each of a
 * thousand nodes would else go past most of them. From a random place on at first, so that servers started together do not all try
 * the same.
 */
export function* portsInRound([first, last]: readonly [number, number]): Generator<number> {
  const count = Math.max(0, last - first + 1);
  for (let n = 0; n < count; n += 1) yield first + (looked++ % count);
}
