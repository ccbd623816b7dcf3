import { useEffect } from 'react';
import { closeProject, downloadProject, openProject } from '../projects/actions.ts';
import { type Command, offer } from '../store/commands.ts';
import { useStore } from '../store/use-store.ts';
import { openPanel, showOnMap } from '../store/workbench.ts';
import { t } from '../words/words.ts';
import { type LabScope, useScope, useView } from './lab-context.tsx';
import { goTo } from './router.ts';

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
