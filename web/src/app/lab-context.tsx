import { createContext, useContext } from 'react';
import type { Lab, Mark, Past } from '../store/lab.ts';
import type { PageLayout } from '../store/page-layout.ts';
import type { Records } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Together } from '../together/together.ts';
import { useStore } from '../store/use-store.ts';
import type { WorkbenchStore } from '../store/workbench.ts';

/** The parts of a project's page share these. */
export interface LabScope {
  readonly lab: Lab;
  readonly workbench: WorkbenchStore;
  readonly frame: Store<PageLayout>;
  /** The other people at the lab, and what they show. */
  readonly together: Together;
  /** It is a window of panels that were taken out of the lab’s page. */
  readonly isDetached: boolean;
}

export const LabContext = createContext<LabScope | null>(null);

export const useScope = (): LabScope => {
  const scope = useContext(LabContext);
  if (scope === null) throw new Error('outside of a project');
  return scope;
};

export interface View {
  readonly records: Records;
  readonly past: Past | null;
  readonly marks: ReadonlyMap<string, Mark>;
  /** Nothing can be changed: it is the past, the project is closed, or nothing was read yet. */
  readonly isReadOnly: boolean;
}

const NO_MARKS: ReadonlyMap<string, Mark> = new Map();

/** The records to show: the present, or the moment of the past that was chosen. */
export const useView = (): View => {
  const { lab } = useScope();
  const present = useStore(lab.state, (now) => now.records);
  const past = useStore(lab.past);
  const isReadOnly = past !== null || present.project?.status !== 'opened';
  return { records: past?.records ?? present, past, marks: past?.marks ?? NO_MARKS, isReadOnly };
};
