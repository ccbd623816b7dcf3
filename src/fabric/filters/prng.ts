/** Numbers in [0, 1), the same for the same seed. */
export type Random = () => number;

/**
 * xoshiro128** (Blackman and Vigna 2018), its state filled by splitmix32 from `seed` and `stream`, so that each direction and each
 * filter of a cable has a sequence of its own: switching one filter on does not change what another one decides.
 */
export function createRandom(seed: number, stream = 0): Random {
  const fill = splitmix32((Math.trunc(seed) ^ Math.imul(stream + 1, 0x9e3779b1)) >>> 0);
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result / 0x1_0000_0000;
  };
}

const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

const splitmix32 = (seed: number) => (): number => {
  seed = (seed + 0x9e3779b9) | 0;
  let z = seed ^ (seed >>> 16);
  z = Math.imul(z, 0x21f0aaad);
  z ^= z >>> 15;
  z = Math.imul(z, 0x735a2d97);
  return z ^ (z >>> 15);
};
