import type { Light } from '../store/lights.ts';
import { t } from '../words/words.ts';
import type { Check } from './checks.ts';

/** `waiting`: nothing was told of it in this run yet; `idle`: nor in an earlier one, and the lab does not run. */
export type Standing = 'met' | 'broken' | 'waiting' | 'idle';

export const standingOf = ({ result: { verdict, running } }: Pick<Check, 'result'>): Standing =>
  verdict !== 'unknown' ? verdict : running ? 'waiting' : 'idle';

export const STANDINGS: readonly Standing[] = ['broken', 'waiting', 'met', 'idle'];

export const sayStanding = (standing: Standing): string =>
  ({ met: t('met'), broken: t('broken'), waiting: t('waiting'), idle: t('not looked at') })[standing];

/** `Broken since 10:41:07`. `sayTime`: a time as people say it. */
export const saySince = (check: Pick<Check, 'result'>, sayTime: (at: number) => string): string => {
  const { running, at } = check.result;
  const standing = standingOf(check);
  if (at === null)
    return standing === 'waiting' ? t('Waiting: it was not decided yet') : t('It is looked at while the lab runs');
  const time = sayTime(Date.parse(at));
  if (!running) return standing === 'met' ? t('Met in the last run') : t('Broken in the last run');
  return standing === 'met' ? t('Met since {time}', { time }) : t('Broken since {time}', { time });
};

/** How many are in each state. */
export const countsOf = (checks: readonly Pick<Check, 'result'>[]): Readonly<Record<Standing, number>> => {
  const counts = { met: 0, broken: 0, waiting: 0, idle: 0 };
  for (const check of checks) counts[standingOf(check)] += 1;
  return counts;
};

/** What a check looks at: nodes and links by id, addresses left out by who draws. */
export const objectsOf = ({ reach, loss, console, state, capture, counter }: Check): readonly string[] => {
  const between = reach ?? loss;
  const ids = [
    ...[between?.from, between?.to, console?.node, state?.node],
    ...[capture?.link, counter?.link, counter?.from],
  ];
  return ids.filter((id): id is string => typeof id === 'string');
};

/** What broken checks of a lab that runs are about. */
export const brokenIn = (checks: readonly Check[]): ReadonlyMap<string, Light> =>
  new Map(
    checks
      .filter((check) => check.result.running && standingOf(check) === 'broken')
      .flatMap((check) => objectsOf(check).map((id) => [id, 'broken' as const])),
  );
