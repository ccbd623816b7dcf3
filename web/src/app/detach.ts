import { notify } from '../store/notices.ts';
import { closePanel, keyOf, openPanel, panelOf, type WorkbenchStore } from '../store/workbench.ts';
import { t } from '../words/words.ts';
import type { LabScope } from './lab-context.tsx';
import { newUuid } from '../store/new-uuid.ts';
import { goTo, hashOf } from './router.ts';

const TYPE = 'topolog.panels';

interface Returned {
  readonly type: typeof TYPE;
  readonly projectId: string;
  readonly keys: readonly string[];
}

const isReturned = (data: unknown): data is Returned =>
  typeof data === 'object' &&
  data !== null &&
  'type' in data &&
  data.type === TYPE &&
  'keys' in data &&
  Array.isArray(data.keys);

const SEAT = 'topolog.seat';

/** The same in this window and in those that it opens, which get a copy of what it keeps. */
export const seatOfWindows = (): string => {
  const kept = sessionStorage.getItem(SEAT);
  if (kept !== null) return kept;
  const made = newUuid();
  sessionStorage.setItem(SEAT, made);
  return made;
};

/** Shows panels in a window of their own, and no longer here. */
export const detach = ({ lab, workbench }: LabScope, keys: readonly string[]): void => {
  const url = hashOf({ view: 'panels', projectId: lab.projectId, keys });
  const opened = window.open(`${location.pathname}${location.search}${url}`, '_blank', 'popup,width=960,height=600');
  if (opened === null) {
    notify('warning', t('The browser does not let the page open a window. Allow pop-up windows for it.'));
    return;
  }
  for (const key of keys) workbench.update(closePanel(key));
};

/** Gives the panels of this window back to the page that they came from; where that is gone, this window becomes it. */
export const giveBack = ({ lab, workbench }: LabScope): void => {
  const keys = workbench.get().panels.map(keyOf);
  const opener = window.opener as Window | null;
  if (opener === null || opener.closed) {
    goTo({ view: 'lab', projectId: lab.projectId });
    return;
  }
  const returned: Returned = { type: TYPE, projectId: lab.projectId, keys };
  opener.postMessage(returned, location.origin);
  window.close();
};

/** Opens what comes back out of windows; answers what ends it. */
export const takeBackPanels = (projectId: string, workbench: WorkbenchStore): (() => void) => {
  const hear = ({ data, origin }: MessageEvent): void => {
    if (origin !== location.origin || !isReturned(data) || data.projectId !== projectId) return;
    for (const key of data.keys) {
      const panel = panelOf(key);
      if (panel !== null) workbench.update(openPanel(panel));
    }
  };
  addEventListener('message', hear);
  return () => removeEventListener('message', hear);
};
