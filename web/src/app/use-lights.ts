import { useScope } from './lab-context.tsx';
import { highlightClasses } from '../store/workbench.ts';
import { useStore } from '../store/use-store.ts';

/** What is on a node or a link beside what it is, as classes. */
export const useLights = (id: string): string => {
  const { workbench } = useScope();
  return useStore(workbench, (now) => highlightClasses(now, id));
};
