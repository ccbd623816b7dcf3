import { type ReactElement, useState } from 'react';
import { ComputesSlot } from '../computes/slots.tsx';
import { closeProject, downloadProject, forkProject, nameOf, openProject } from '../projects/actions.ts';
import { NameDialog } from '../projects/name-dialog.tsx';
import { SnapshotsSlot } from '../snapshots/slot.tsx';
import { useStore } from '../store/use-store.ts';
import { openSheet } from '../store/workbench.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { useScope } from './lab-context.tsx';
import { goTo } from './router.ts';
import { t } from '../words/words.ts';

/** What can be done with the project that is shown. */
export const ProjectMenu = (): ReactElement | null => {
  const { lab, workbench } = useScope();
  const project = useStore(lab.state, (now) => now.records.project);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const [asked, ask] = useState<'fork' | 'computes' | 'snapshots' | null>(null);
  if (project === null) return null;
  const isOpen = project.status === 'opened';
  const items: MenuItem[] = [
    { text: t('Settings'), icon: 'edit', onChoose: () => workbench.update(openSheet({ kind: 'project' })) },
    { text: t('Fork'), icon: 'fork', onChoose: () => ask('fork') },
    { text: t('Download'), icon: 'download', onChoose: () => void downloadProject(lab.client, project) },
    { text: t('Snapshots'), icon: 'camera', onChoose: () => ask('snapshots') },
    { text: t('Catalogue'), icon: 'catalogue', onChoose: () => goTo({ view: 'catalogue', section: 'images' }) },
    { text: t('Computes'), icon: 'computes', onChoose: () => ask('computes') },
    isOpen
      ? {
          text: t('Close project'),
          icon: 'close',
          startsGroup: true,
          onChoose: () => void closeProject(lab.client, project),
        }
      : {
          text: t('Open project'),
          icon: 'open',
          startsGroup: true,
          onChoose: () => void openProject(lab.client, project),
        },
  ];
  return (
    <>
      <IconButton
        icon="more"
        label={t('Project')}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      {at !== null && <Menu label={t('Project')} at={at} items={items} onClose={() => setAt(null)} />}
      {asked === 'computes' && <ComputesSlot client={lab.client} onClose={() => ask(null)} />}
      {asked === 'snapshots' && <SnapshotsSlot onClose={() => ask(null)} />}
      {asked === 'fork' && (
        <NameDialog
          title={t('Fork {name}', { name: nameOf(project) })}
          text={t('The fork begins as the lab was at a moment, and goes its own way.')}
          action={t('Fork')}
          name={t('{name} fork', { name: nameOf(project) })}
          withMoment
          onSubmit={async (name, moment) =>
            goTo({ view: 'lab', projectId: await forkProject(lab.client, project, name, moment) })
          }
          onClose={() => ask(null)}
        />
      )}
    </>
  );
};
