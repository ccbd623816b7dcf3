import type { Lab } from '../../store/lab.ts';
import { attempt, notify } from '../../store/notices.ts';
import { openBeside, type WorkbenchStore } from '../../store/workbench.ts';
import { t } from '../../words/words.ts';
import { readChoices } from './choices.ts';

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
