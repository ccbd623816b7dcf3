import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { coloursOf, contrast, css, lightOf, times, type Triple } from './colours.ts';

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

/** Texts on the grounds that they stand on, by their tokens. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  text: ['ground', 'surface', 'raised', 'sunken', 'accent-soft', 'past-soft', 'warning-soft'],
  muted: ['ground', 'surface', 'raised', 'sunken'],
  accent: ['ground', 'surface', 'raised', 'accent-soft'],
  danger: ['ground', 'surface', 'raised', 'danger-soft'],
  success: ['surface', 'raised', 'success-soft'],
  warning: ['surface', 'raised', 'warning-soft'],
  started: ['ground', 'surface', 'raised'],
  stopped: ['ground', 'surface', 'raised'],
  suspended: ['ground', 'surface', 'raised'],
  failed: ['ground', 'surface', 'raised'],
  past: ['surface', 'raised', 'past-soft'],
  'on-accent': ['accent'],
  'on-danger': ['danger'],
};

describe('the look', () => {
  for (const theme of ['light', 'dark']) {
    const colours = coloursOf(theme);
    const colour = (token: string): string => colours.get(token) ?? assert.fail(`no colour ${token}`);

    it(`has texts that can be read, ${theme}`, () => {
      for (const [text, grounds] of Object.entries(TEXTS))
        for (const ground of grounds)
          assert.ok(
            contrast(colour(text), colour(ground)) >= 4.5,
            `${text} on ${ground}: ${contrast(colour(text), colour(ground)).toFixed(2)}`,
          );
    });

    it(`has controls whose borders can be seen, ${theme}`, () => {
      for (const ground of ['ground', 'surface', 'raised'])
        assert.ok(contrast(colour('control-line'), colour(ground)) >= 3, `control-line on ${ground}`);
    });
  }

  it('is what its page says', () => {
    const page = readFileSync(`${process.cwd()}/docs/reference/look.md`, 'utf8');
    const rows = [...page.matchAll(/^\| `(size-\d)` +\| ([\d.]+rem)/gm)];
    assert.equal(rows.length, 7);
    for (const [, token, value] of rows) assert.ok(css.includes(`--${token}: ${value};`), token);
    const words = new Set([...page.matchAll(/`([a-z]+(?:-\w+)?)`/g)].map(([, word]) => word));
    for (const name of coloursOf('light').keys())
      if (!name.startsWith('compute-')) assert.ok(words.has(name), `${name} is not on the page`);
  });
});
