import { type ComponentProps, lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { ComputesSlot } from '../computes/slots.tsx';
import { closeProject, downloadProject, forkProject, nameOf, openProject } from '../projects/actions.ts';
import { NameDialog } from '../projects/name-dialog.tsx';
import { type Command, offer } from '../store/commands.ts';
import { useStore } from '../store/use-store.ts';
import { openPanel, openSheet, showOnMap } from '../store/workbench.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { t } from '../words/words.ts';
import { type LabScope, useScope, useView } from './lab-context.tsx';
import { goTo } from './router.ts';

/** Loaded when it is asked for. */
const Snapshots = lazy(() => import('../snapshots/snapshots-dialog.tsx'));

const SnapshotsSlot = (props: ComponentProps<typeof Snapshots>): ReactElement => (
  <Suspense fallback={null}>
    <Snapshots {...props} />
  </Suspense>
);

type Asked = 'fork' | 'computes' | 'snapshots';

/** Menu of the project that is shown. */
export const ProjectMenu = (): ReactElement | null => {
  const { lab, workbench } = useScope();
  const project = useStore(lab.state, (now) => now.records.project);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const [asked, ask] = useState<Asked | null>(null);
  useCommands(ask);
  const isRunning = useIsRunning(at !== null);
  if (project === null) return null;
  const isOpen = project.status === 'opened';
  const items: MenuItem[] = [
    { text: t('Settings'), icon: 'edit', onChoose: () => workbench.update(openSheet({ kind: 'project' })) },
    { text: t('Notes'), icon: 'notes', onChoose: () => workbench.update(openPanel({ kind: 'notes' })) },
    { text: t('Checks'), icon: 'checks', onChoose: () => workbench.update(openPanel({ kind: 'checks' })) },
    { text: t('Weather'), icon: 'weather', onChoose: () => workbench.update(openPanel({ kind: 'weather' })) },
    { text: t('Fork'), icon: 'fork', onChoose: () => ask('fork') },
    {
      text: t('Download'),
      icon: 'download',
      onChoose: () => void downloadProject(lab.client, project),
      // Actions that need the files of all nodes at rest say so, instead of being refused.
      ...(isRunning ? { isDisabled: true, note: t('Stop its nodes first') } : {}),
    },
    { text: t('Snapshots'), icon: 'camera', onChoose: () => ask('snapshots') },
    { text: t('Catalogue'), icon: 'catalogue', onChoose: () => goTo({ view: 'catalogue', section: 'images' }) },
    { text: t('Computes'), icon: 'computes', onChoose: () => ask('computes') },
    {
      text: isOpen ? t('Close project') : t('Open project'),
      icon: isOpen ? 'close' : 'open',
      startsGroup: true,
      onChoose: () => void (isOpen ? closeProject : openProject)(lab.client, project),
    },
  ];
  return (
    <>
      <IconButton
        icon="more"
        label={t('Project')}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => setAt(below(currentTarget))}
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

/** Offers the project's actions to the search, beside the commands of the lab. */
const useCommands = (ask: (asked: Asked) => void): void => {
  const { workbench } = useScope();
  useEffect(
    () =>
      offer([
        {
          id: 'settings',
          text: t('Settings'),
          icon: 'edit',
          note: t('Project'),
          run: () => workbench.update(openSheet({ kind: 'project' })),
        },
        { id: 'snapshots', text: t('Snapshots'), icon: 'camera', run: () => ask('snapshots') },
        { id: 'fork', text: t('Fork'), icon: 'fork', note: t('Project'), run: () => ask('fork') },
        { id: 'computes', text: t('Computes'), icon: 'computes', run: () => ask('computes') },
      ]),
    [workbench, ask],
  );
};

/** Whether nodes of the project run that can be stopped; asked of the server while that matters. */
const useIsRunning = (matters: boolean): boolean => {
  const { lab } = useScope();
  const [isRunning, setRunning] = useState(false);
  useEffect(() => {
    if (!matters) return undefined;
    const ending = new AbortController();
    lab.client.get('/v2/projects/overview', { signal: ending.signal }).then(
      (all) => setRunning(all.some(({ project_id, busy }) => project_id === lab.projectId && busy > 0)),
      () => undefined,
    );
    return () => ending.abort();
  }, [matters, lab]);
  return isRunning;
};

const below = (button: Element): { x: number; y: number } => {
  const { left, bottom } = button.getBoundingClientRect();
  return { x: left, y: bottom };
};

/** Offers to the search what can be done with the lab, and its nodes. */
export const useLabCommands = (): void => {
  const scope = useScope();
  const { records } = useView();
  const project = useStore(scope.lab.state, (now) => now.records.project);
  useEffect(() => offer(projectCommands(scope, project)), [scope, project]);
  useEffect(() => offer(() => nodeCommands(scope, records.nodes.values())), [scope, records.nodes]);
};

const projectCommands = (
  { lab, workbench }: LabScope,
  project: Parameters<typeof openProject>[1] | null,
): readonly Command[] => {
  if (project === null) return [];
  const isOpen = project.status === 'opened';
  return [
    { id: 'projects', text: t('All projects'), icon: 'back', run: () => goTo({ view: 'projects' }) },
    {
      id: 'download',
      text: t('Download this project'),
      icon: 'download',
      run: () => void downloadProject(lab.client, project),
    },
    { id: 'notes', text: t('Notes'), icon: 'notes', run: () => workbench.update(openPanel({ kind: 'notes' })) },
    { id: 'checks', text: t('Checks'), icon: 'checks', run: () => workbench.update(openPanel({ kind: 'checks' })) },
    { id: 'weather', text: t('Weather'), icon: 'weather', run: () => workbench.update(openPanel({ kind: 'weather' })) },
    {
      id: 'captures',
      text: t('Search all captures'),
      icon: 'capture',
      run: () => workbench.update(openPanel({ kind: 'captures' })),
    },
    isOpen
      ? { id: 'close', text: t('Close project'), icon: 'close', run: () => void closeProject(lab.client, project) }
      : { id: 'open', text: t('Open project'), icon: 'open', run: () => void openProject(lab.client, project) },
  ];
};

const nodeCommands = (
  { workbench, lab }: LabScope,
  nodes: Iterable<{
    node_id: string;
    name: string;
    status: 'started' | 'stopped' | 'suspended';
    console_type: string | null;
  }>,
): readonly Command[] =>
  [...nodes].flatMap(({ node_id: id, name, status, console_type }): Command[] => [
    { id, text: name, note: t(status), icon: 'eye', run: () => workbench.update(showOnMap(id)) },
    ...(console_type === 'none' || lab.past.get() !== null
      ? []
      : [
          {
            id: `console ${id}`,
            text: t('Console of {name}', { name }),
            icon: 'console',
            run: () => workbench.update(openPanel({ kind: 'console', nodeId: id })),
          } as const,
        ]),
  ]);
