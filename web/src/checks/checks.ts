import type { Schemas } from '../store/api.ts';
import { followedOf } from '../store/following/followed.ts';
import type { Lab } from '../store/lab.ts';
import { zipOf } from '../store/zip.ts';

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
export const checksOf = followedOf<ChecksNow>({
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

/** What the last verdict was found by; null: it is not on record any more. */
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
