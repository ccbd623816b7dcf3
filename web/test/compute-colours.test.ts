import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

type Triple = readonly [number, number, number];

const css = readFileSync(`${process.cwd()}/web/src/ui/base.css`, 'utf8');
/** The colours of a theme by their names. */
const coloursOf = (theme: string): ReadonlyMap<string, string> => {
  const block = css.slice(css.indexOf(`[data-theme='${theme}'] {`));
  return new Map(
    [...block.slice(0, block.indexOf('}')).matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(
      ([, name = '', colour = '']) => [name, colour],
    ),
  );
};

/** Linear light, 0 to 1. */
const lightOf = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
const times = (rows: readonly Triple[], [a, b, c]: Triple): Triple =>
  rows.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Triple;

/** WCAG 2: relative luminance, contrast. */
const luminance = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (one: string, other: string): number => {
  const [bright = 0, dark = 0] = [one, other].map((hex) => luminance(lightOf(hex))).sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
};

/** Machado, Oliveira and Fernandes 2009: how colours are seen without one sort of cones. */
const EYES: Readonly<Record<string, readonly Triple[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  noRed: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  noGreen: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  noBlue: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIE 1976 L*a*b*, in which distances are as far as they look. */
const labOf = (light: Triple): Triple => {
  const xyz = times(
    [
      [0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047],
      [0.2126, 0.7152, 0.0722],
      [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883],
    ],
    light.map((part) => Math.min(1, Math.max(0, part))) as unknown as Triple,
  );
  const [x = 0, y = 0, z = 0] = xyz.map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
};
const distance = (one: string, other: string, eye: readonly Triple[]): number => {
  const [a, b] = [labOf(times(eye, lightOf(one))), labOf(times(eye, lightOf(other)))];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
};

describe('colours of computes', () => {
  for (const theme of ['light', 'dark']) {
    const colours = coloursOf(theme);
    const own = [1, 2, 3, 4, 5, 6].map((index) => colours.get(`compute-${index}`) ?? assert.fail(`no colour ${index}`));

    it(`stand out from the map and its boxes, ${theme}`, () => {
      for (const ground of ['ground', 'surface'])
        for (const colour of own) assert.ok(contrast(colour, colours.get(ground) ?? '') >= 3, `${colour} on ${ground}`);
    });

    it(`differ for everybody, whatever colours they see, ${theme}`, () => {
      for (const [index, one] of own.entries())
        for (const other of own.slice(index + 1))
          for (const [eye, rows] of Object.entries(EYES))
            assert.ok(distance(one, other, rows) > 20, `${one} and ${other}, ${eye}`);
    });
  }
});
