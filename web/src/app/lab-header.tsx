import type { ReactElement } from 'react';
import { useStore } from '../store/use-store.ts';
import { Icon } from '../ui/icon.tsx';
import { ConnectionNote } from './connection-note.tsx';
import { useScope, useView } from './lab-context.tsx';
import { hashOf } from './router.ts';
import { ThemeButton } from './theme-button.tsx';

/** The bar over a lab: where one is, and how the connection is. */
export const LabHeader = (): ReactElement => {
  const { lab } = useScope();
  const { records, past } = useView();
  const connection = useStore(lab.state, (now) => now.connection);
  return (
    <header className="lab-header">
      <a className="icon-button" href={hashOf({ view: 'projects' })} aria-label="All projects" title="All projects">
        <Icon name="back" />
      </a>
      <h1 className="lab-name" title={records.project?.name ?? ''}>
        {records.project?.name}
      </h1>
      {past !== null && <strong className="past-badge">The past: {new Date(past.moment.time).toLocaleString()}</strong>}
      <span className="spring" />
      <ConnectionNote connection={connection} />
      <ThemeButton />
    </header>
  );
};
