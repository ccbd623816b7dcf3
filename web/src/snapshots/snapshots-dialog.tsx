import { type ReactElement, type SubmitEvent, useCallback, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import type { Lab } from '../store/lab.ts';
import { attempt, sentenceOf } from '../store/notices.ts';
import { withTask } from '../store/tasks.ts';
import { useRead } from '../store/use-read.ts';
import { useStore } from '../store/use-store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { t } from '../words/words.ts';
import './snapshots.css';
import { readSnapshots, removeSnapshot, restoreSnapshot, sayFieldSince, saySince, type Taken } from './snapshots.ts';

/** Snapshots of a lab: made, compared with now, restored, deleted. */
const SnapshotsDialog = ({ onClose }: { onClose: () => void }): ReactElement => {
  const { lab } = useScope();
  const isOpen = useStore(lab.state, (now) => now.records.project?.status === 'opened');
  const read = useCallback((signal: AbortSignal) => readSnapshots(lab, signal), [lab]);
  const { value: snapshots, problem, again } = useRead(read);
  return (
    <Dialog title={t('Snapshots')} onClose={onClose} wide>
      <div className="stack">
        <p className="note">
          {t('A snapshot keeps the lab as it is, with all its files. Its nodes have to be stopped.')}
        </p>
        {isOpen ? <NewSnapshot onMade={again} /> : <p className="note">{t('Open the project to make one.')}</p>}
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        {snapshots === null && problem === null && <p className="note">{t('Loading …')}</p>}
        {snapshots?.length === 0 && <p className="note">{t('No snapshots yet.')}</p>}
        <ul className="snapshot-list">
          {(snapshots ?? []).map((snapshot) => (
            <SnapshotRow
              key={snapshot.snapshot_id}
              {...{ lab, snapshot, isOpen }}
              onChange={again}
              onRestored={onClose}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  );
};
export default SnapshotsDialog;

const NewSnapshot = ({ onMade }: { onMade: () => void }): ReactElement => {
  const { lab } = useScope();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const runs = useStore(lab.state, (now) => [...now.records.nodes.values()].some(({ status }) => status !== 'stopped'));
  const make = (event: SubmitEvent): void => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const given = name.trim();
    withTask(t('Making the snapshot {name}', { name: given }), () =>
      lab.client.post('/v2/projects/{project_id}/snapshots', { ...pathOf(lab), body: { name: given } }),
    )
      .then(
        () => {
          setName('');
          onMade();
        },
        (error: unknown) => setProblem(sentenceOf(error)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <form className="snapshot-new" onSubmit={make}>
      <TextField label={t('Name of the snapshot')} value={name} onChange={setName} required autoComplete="off" />
      <Button kind="primary" icon="camera" type="submit" disabled={isBusy || name.trim() === ''}>
        {t('Make a snapshot')}
      </Button>
      {problem !== null && runs && (
        <Button icon="stop" onClick={() => void stopAll(lab).then((worked) => worked && setProblem(null))}>
          {t('Stop all nodes')}
        </Button>
      )}
      {problem !== null && (
        <p role="alert" className="problem wrap">
          {problem}
        </p>
      )}
    </form>
  );
};

const pathOf = ({ projectId }: Lab) => ({ path: { project_id: projectId } });

const stopAll = (lab: Lab): Promise<boolean> =>
  attempt(() =>
    withTask(t('Stopping all nodes'), () => lab.client.post('/v2/projects/{project_id}/nodes/stop', pathOf(lab))),
  );

interface RowProps {
  readonly lab: Lab;
  readonly snapshot: Taken;
  readonly isOpen: boolean;
  readonly onChange: () => void;
  readonly onRestored: () => void;
}

const SnapshotRow = ({ lab, snapshot, isOpen, onChange, onRestored }: RowProps): ReactElement => {
  const { name, by, created_at: at, position } = snapshot;
  const [isCompared, setCompared] = useState(false);
  const when = new Date(at * 1000).toLocaleString();
  return (
    <li>
      <div className="row">
        <div className="snapshot-name">
          <strong className="wrap">{name}</strong>
          <span className="note wrap">{by === null ? when : t('{when} by {name}', { when, name: by })}</span>
        </div>
        {position !== null && (
          <Button icon="compare" aria-expanded={isCompared} disabled={!isOpen} onClick={() => setCompared(!isCompared)}>
            {t('Compare with now')}
            <span className="visually-hidden"> {name}</span>
          </Button>
        )}
        <Button
          icon="undo"
          disabled={!isOpen}
          onClick={() => void restoreSnapshot(lab, snapshot).then((worked) => worked && onRestored())}
        >
          {t('Restore')}
          <span className="visually-hidden"> {name}</span>
        </Button>
        <IconButton
          icon="delete"
          label={t('Delete the snapshot {name}', { name })}
          disabled={!isOpen}
          onClick={() => void removeSnapshot(lab, snapshot).then((worked) => worked && onChange())}
        />
      </div>
      {isCompared && position !== null && <Since lab={lab} position={position} />}
    </li>
  );
};

/** Entries listed at most. */
const FIRST = 200;

/** Objects added, changed and deleted since a moment. */
const Since = ({ lab, position }: { lab: Lab; position: number }): ReactElement => {
  const read = useCallback(
    (signal: AbortSignal) =>
      lab.client.post('/v2/projects/{project_id}/restore', {
        path: { project_id: lab.projectId },
        body: { at: String(position), plan: true },
        signal,
      }),
    [lab, position],
  );
  const { value, problem } = useRead(read);
  const changes = value?.changes ?? [];
  if (problem !== null)
    return (
      <p role="alert" className="problem wrap">
        {problem}
      </p>
    );
  if (value === null) return <p className="note">{t('Comparing with now …')}</p>;
  return (
    <div role="status">
      <p className="note">
        {t(
          '{count, plural, =0 {Nothing has changed since.} one {One object has changed since:} other {# objects have changed since:}}',
          {
            count: changes.length,
          },
        )}
      </p>
      <ul className="since" tabIndex={changes.length > 5 ? 0 : undefined}>
        {changes.slice(0, FIRST).map((change) => (
          <li key={change.id} className={change.action}>
            {saySince(change)}
            {change.fields.length > 0 && (
              <span className="note wrap"> {change.fields.map(sayFieldSince).join(', ')}</span>
            )}
          </li>
        ))}
        {changes.length > FIRST && <li>{t('and {count} more', { count: changes.length - FIRST })}</li>}
      </ul>
    </div>
  );
};
