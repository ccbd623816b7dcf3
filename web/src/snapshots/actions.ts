import type { Lab } from '../store/lab.ts';
import { attempt, notify } from '../store/notices.ts';
import { withTask } from '../store/tasks.ts';
import { confirm } from '../ui/confirm.tsx';
import { t } from '../words/words.ts';

interface Known {
  readonly snapshot_id: string;
  readonly name: string;
}

const at = ({ projectId }: Lab, { snapshot_id }: Known) => ({ path: { project_id: projectId, snapshot_id } });

/** Asks, and answers whether it worked. */
export const restoreSnapshot = async (lab: Lab, snapshot: Known): Promise<boolean> => {
  const { name } = snapshot;
  const isSure = await confirm({
    title: t('Restore {name}?', { name }),
    text: t(
      'All nodes stop. The lab and its files become what they were; what came since is lost, but for the history.',
    ),
    action: t('Restore'),
  });
  if (!isSure) return false;
  return attempt(async () => {
    await withTask(t('Restoring {name}', { name }), async (task) => {
      task.report(t('The server stops the nodes and puts the files back'), null);
      await lab.client.post('/v2/projects/{project_id}/snapshots/{snapshot_id}/restore', at(lab, snapshot));
    });
    notify('success', t('The lab is as it was in {name}.', { name }));
  });
};

/** The same. */
export const removeSnapshot = async (lab: Lab, snapshot: Known): Promise<boolean> => {
  const { name } = snapshot;
  const isSure = await confirm({
    title: t('Delete {name}?', { name }),
    text: t('Its files are gone then. This cannot be undone.'),
    action: t('Delete it'),
  });
  return (
    isSure && attempt(() => lab.client.delete('/v2/projects/{project_id}/snapshots/{snapshot_id}', at(lab, snapshot)))
  );
};
