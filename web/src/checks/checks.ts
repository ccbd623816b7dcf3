import { useEffect } from 'react';
import type { Schemas } from 'topolog/client';
import { useScope } from '../app/lab-context.tsx';
import { followedOf, type FollowedState } from '../store/following/followed.ts';
import type { Lab } from '../store/lab.ts';
import { useStore } from '../store/use-store.ts';
import { type Highlight, highlight } from '../store/workbench.ts';
import { zipOf } from '../store/zip.ts';
import { t } from '../words/words.ts';

export type Check = Schemas['Check'];
export type CheckBody = Schemas['CheckCreate'];
export type Stage = Schemas['Stage'];
export type Finding = Schemas['Finding'];
export type Evidence = Finding['evidence'];

export interface ChecksNow {
  readonly checks: readonly Check[];
  readonly stages: readonly Stage[];
}

const readChecks = async ({ client, projectId }: Lab, at: string | null): Promise<ChecksNow> => {
  const call = { path: { project_id: projectId }, ...(at === null ? {} : { query: { at } }) };
  const [checks, stages] = await Promise.all([
    client.get('/v2/projects/{project_id}/checks', call),
    client.get('/v2/projects/{project_id}/stages', call),
  ]);
  return { checks, stages };
};

/** The checks of a lab, as they are at the moment that is shown. */
const checksOf = followedOf<ChecksNow>({
  none: { checks: [], stages: [] },
  read: readChecks,
  told: new Set(['run.begun', 'run.ended', 'check.met', 'check.broken', 'project.updated']),
});

const pathOf = ({ projectId }: Lab, { check_id }: Check) => ({ project_id: projectId, check_id });

/** Makes a check, or says another one in its place. Throws what the server says. */
export const saveCheck = (lab: Lab, check: Check | null, body: CheckBody): Promise<Check> =>
  check === null
    ? lab.client.post('/v2/projects/{project_id}/checks', { path: { project_id: lab.projectId }, body })
    : lab.client.put('/v2/projects/{project_id}/checks/{check_id}', { path: pathOf(lab, check), body });

export const deleteCheck = (lab: Lab, check: Check): Promise<unknown> =>
  lab.client.delete('/v2/projects/{project_id}/checks/{check_id}', { path: pathOf(lab, check) });

/** Looks now, whenever it is looked at next. */
export const lookAt = (lab: Lab, check: Check): Promise<Finding> =>
  lab.client.post('/v2/projects/{project_id}/checks/{check_id}/look', { path: pathOf(lab, check), body: {} });

/** The text of the last look, as of now; null: there is none, or it is what decided. */
export const readLastText = async (
  { client, projectId }: Lab,
  { check_id }: Check,
  signal: AbortSignal,
): Promise<string | null> => {
  const path = { project_id: projectId, check_id };
  const { result } = await client.get('/v2/projects/{project_id}/checks/{check_id}', { path, signal });
  return result.last === null || result.last.text === result.text ? null : result.last.text;
};

/** Evidence of the last verdict; null: it is not on record any more. */
export const readEvidence = async (
  { client, projectId }: Lab,
  position: number,
  signal: AbortSignal,
): Promise<Evidence | null> => {
  const path = { project_id: projectId };
  const query = { from: String(position), limit: '1' };
  const { events } = await client.get('/v2/projects/{project_id}/events', { path, query, signal });
  const [event] = events;
  return event?.position === position ? ((event.data as { evidence?: Evidence }).evidence ?? null) : null;
};

/** The sheet with the results of the lab and its forks, beside its signature, as `topolog results --verify` wants them; a zip. */
export const readSheet = async ({ client, projectId }: Lab): Promise<Blob> => {
  const at = { path: { project_id: projectId } };
  const { sheet, ...signed } = await client.get('/v2/projects/{project_id}/results', at);
  return zipOf([
    { path: 'results.csv', content: new Blob([sheet]) },
    { path: 'results.csv.signature', content: new Blob([`${JSON.stringify(signed)}\n`]) },
  ]);
};

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

/** Nodes and links that a check looks at, by id; the map leaves out ids that are addresses. */
export const objectsOf = ({ reach, loss, console, state, capture, counter }: Check): readonly string[] => {
  const between = reach ?? loss;
  const ids = [between?.from, between?.to, console?.node, state?.node, capture?.link, counter?.link, counter?.from];
  return ids.filter((id): id is string => typeof id === 'string');
};

/** Objects of the broken checks of a lab that runs. */
export const brokenIn = (checks: readonly Check[]): ReadonlyMap<string, Highlight> =>
  new Map(
    checks
      .filter((check) => check.result.running && standingOf(check) === 'broken')
      .flatMap((check) => objectsOf(check).map((id) => [id, 'broken' as const])),
  );

/** The checks of the lab that is shown, followed as long as they are wanted. */
export const useChecks = (isWanted = true): FollowedState<ChecksNow> => {
  const { lab } = useScope();
  const checks = checksOf(lab);
  useEffect(() => (isWanted ? checks.follow() : undefined), [checks, isWanted]);
  return useStore(checks.state);
};

/** Marks the objects of broken checks with a badge on the map. */
export const useBrokenLights = (checks: readonly Check[]): void => {
  const { workbench } = useScope();
  useEffect(() => workbench.update(highlight('checks', brokenIn(checks))), [workbench, checks]);
};

/** Highlights the objects of a check on the map; null: none. */
export const useCheckLight = (check: Check | null): void => {
  const { workbench } = useScope();
  useEffect(() => {
    if (check === null) return undefined;
    const lights = new Map(objectsOf(check).map((id): [string, Highlight] => [id, 'shown']));
    workbench.update(highlight('check', lights));
    return () => workbench.update(highlight('check', new Map()));
  }, [workbench, check]);
};
