import { invalid } from '../../common/errors.ts';
import type { Distribution } from '../protocol.ts';

/** A generator of numbers in [0, 1). The same seed gives the same numbers. */
export type Random = () => number;

/**
 * xoshiro128** (Blackman and Vigna 2018), its state filled by splitmix32 from `seed` and `stream`, so that each direction and each
 * filter of a cable has a sequence of its own: switching one filter on does not change the decisions of another.
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

/** One deviation in a table of netem(8). */
const DEVIATION = 8_192;
/** Numbers in a table. */
const LONGEST = 16_384;

const NAMES: readonly Distribution[] = ['uniform', 'normal', 'pareto', 'paretonormal'];

/** Parses a name or a table (iproute2, netem/*.dist: whole numbers; # begins a comment). Throws `invalid_request`. */
export const distributionOf = (text: string): Distribution | number[] => {
  const wanted = text.trim().toLowerCase() || 'uniform';
  const name = NAMES.find((one) => one === wanted);
  if (name !== undefined) return name;
  const numbers = wanted.replaceAll(/#.*/g, ' ').trim().split(/\s+/).map(Number);
  const isTable = numbers.length > 1 && numbers.length <= LONGEST && numbers.every((one) => Number.isSafeInteger(one));
  if (isTable) return numbers.map((one) => one / DEVIATION);
  throw invalid(
    `filter jitter: distribution must be ${NAMES.join(', ')}, or a table of 2 to ${LONGEST} whole numbers`,
    {
      field: 'filters.jitter',
    },
  );
};

/** Draws a number of mean 0 and deviation 1; uniform: from -1 to 1, as the jitter of a delay. */
export const draw = (distribution: Distribution | readonly number[], random: Random): number => {
  const u = random();
  if (typeof distribution === 'string') return DRAWS[distribution](u);
  return distribution[Math.floor(u * distribution.length)] ?? 0;
};

/** Inverse of the Pareto distribution of shape 3: mean 3/2, variance 3/4. */
const pareto = (u: number): number => ((1 - u) ** (-1 / 3) - 1.5) / Math.sqrt(0.75);

/** The inverse of the normal distribution; P. J. Acklam's rational approximation, relative error below 1.15e-9. */
const normal = (u: number): number => {
  const p = Math.min(Math.max(u, 1e-12), 1 - 1e-12);
  if (p > 0.5) return -normal(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return ratio(
      [
        -7.784894002430293e-3, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
        2.938163982698783,
      ],
      [7.784695709041462e-3, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
      q,
    );
  }
  const q = p - 0.5;
  return (
    q *
    ratio(
      [
        -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
        2.506628277459239,
      ],
      [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
      q * q,
    )
  );
};

/** Quotient of two polynomials; factors with the highest power first. */
const ratio = (above: readonly number[], below: readonly number[], x: number): number => {
  const at = (factors: readonly number[]): number => factors.reduce((sum, factor) => sum * x + factor, 0);
  return at(above) / at(below);
};

const DRAWS: Readonly<Record<Distribution, (u: number) => number>> = {
  uniform: (u) => u * 2 - 1,
  normal,
  pareto,
  // Mixed as in netem's table.
  paretonormal: (u) => normal(u) / 4 + (pareto(u) * 3) / 4,
};
