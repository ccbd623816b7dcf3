import type { Schemas } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import { attempt, notify } from '../../store/notices.ts';
import type { Project } from '../../store/records.ts';
import { openBeside, type WorkbenchStore } from '../../store/workbench.ts';
import { t } from '../../words/words.ts';

/** A project that can stand on a side. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  /** It is this one, a fork of it, or what it is a fork of. */
  readonly isNear: boolean;
}

type Overview = Pick<Schemas['ProjectOverview'], 'project_id' | 'forked_from' | 'changed_at'>;

/** This one first, then its relatives, those that were changed last first; the others by name. */
export const choicesOf = (
  projectId: string,
  projects: readonly Pick<Project, 'project_id' | 'name'>[],
  overviews: readonly Overview[],
): Choice[] => {
  const known = new Map(overviews.map((one) => [one.project_id, one]));
  const origin = known.get(projectId)?.forked_from ?? null;
  const isNear = (id: string): boolean => {
    const from = known.get(id)?.forked_from ?? null;
    return id === projectId || id === origin || (from !== null && (from === projectId || from === origin));
  };
  const all = projects.map(({ project_id: id, name }) => ({ id, name: name ?? id, isNear: isNear(id) }));
  const changed = ({ id }: Choice): string => (id === projectId ? '~' : (known.get(id)?.changed_at ?? ''));
  const near = all.filter((one) => one.isNear).sort((a, b) => (changed(a) < changed(b) ? 1 : -1));
  const others = all
    .filter((one) => !one.isNear)
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  return [...near, ...others];
};

export const readChoices = async ({ client, projectId }: Lab, signal?: AbortSignal): Promise<readonly Choice[]> => {
  const [projects, overviews] = await Promise.all([
    client.get('/v2/projects', { signal }),
    client.get('/v2/projects/overview', { signal }),
  ]);
  return choicesOf(projectId, projects, overviews);
};

interface On {
  readonly lab: Lab;
  readonly workbench: WorkbenchStore;
}

/** Two moments of the lab beside each other; null: now. */
export const openMoments = ({ lab, workbench }: On, left: number | null, right: number | null): void => {
  const at = (time: number | null) => ({ projectId: lab.projectId, at: time });
  workbench.update(openBeside({ left: at(left), right: at(right) }));
};

/** The lab beside another project: its fork that was changed last, what it is a fork of, or any other one. */
export const openOther = async ({ lab, workbench }: On, at: number | null): Promise<void> => {
  await attempt(async () => {
    const other = (await readChoices(lab)).find(({ id }) => id !== lab.projectId);
    if (other === undefined) notify('info', t('There is no other project. Fork this one first.'));
    else
      workbench.update(
        openBeside({ left: { projectId: lab.projectId, at }, right: { projectId: other.id, at: null } }),
      );
  });
};
