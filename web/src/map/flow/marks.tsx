import type { ReactElement } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import type { Node } from '../../store/records.ts';
import { useStore } from '../../store/use-store.ts';
import { highlightClasses } from '../../store/workbench.ts';

/** Classes of what is marked on a node or a link. */
export const useHighlights = (id: string): string => {
  const { workbench } = useScope();
  return useStore(workbench, (now) => highlightClasses(now, id));
};

type State = Node['status'] | 'failed';

/** Shapes tell states as well as colours do. */
const PATHS: Readonly<Record<State, string>> = {
  started: 'M5 3l9 5-9 5z',
  stopped: 'M4 4h8v8H4z',
  suspended: 'M4 3h3v10H4zM9 3h3v10H9z',
  failed: 'M8 1 15 14H1zM7.2 5h1.6v4.5H7.2zM7.2 10.8h1.6v1.6H7.2z',
};

export const StateMark = ({ state }: { state: State }): ReactElement => (
  <svg className={`state ${state}`} viewBox="0 0 16 16" aria-hidden="true">
    <path fillRule="evenodd" d={PATHS[state]} />
  </svg>
);
