import { DraftProblem } from '../words/draft-problem.ts';
import type { CheckBody } from './checks.ts';

const SENTENCE = /^(.+?) (reaches|does not reach) (.+?)((?: (?:first|every|for|within|before|during) \S+)*)$/;

/** The check that a sentence says: `PC1 reaches PC2 within 10s`. Throws a sentence for who has typed it. */
export const checkOfSentence = (sentence: string): CheckBody => {
  const [, from, verb, to, times = ''] = SENTENCE.exec(sentence.trim().replace(/\s+/g, ' ')) ?? [];
  if (from === undefined || to === undefined)
    throw new DraftProblem('Say something like: PC1 reaches PC2 within 10s, or: PC1 does not reach 10.0.9.1');
  const pairs = [...times.matchAll(/(?<!\w)(\w+) (\S+)/g)].map(([, key = '', value = '']) => [key, value] as const);
  return { reach: { from, to, ...(verb === 'reaches' ? {} : { not: true }) }, ...Object.fromEntries(pairs) };
};
