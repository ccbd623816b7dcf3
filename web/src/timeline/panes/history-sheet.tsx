import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { Sheet } from '../../app/sheet.tsx';
import { sentenceOf } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { RestoreButton } from '../../undo/restore-dialog.tsx';
import { t } from '../../words/words.ts';
import { timeLineOf } from '../controller.ts';
import { type Collection, type Entry, entriesOf, nameFor, readHistory } from './history.ts';

import { sayMoment } from '../../words/format.ts';
import '../lists.css';

interface Props {
  readonly collection: Collection;
  readonly id: string;
}

/** Events of one object: who, when, why. */
const HistorySheet = ({ collection, id }: Props): ReactElement => {
  const { lab } = useScope();
  const { records } = useView();
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const timeLine = timeLineOf(lab);
  const cursor = useStore(timeLine.state, (now) => now.cursor);
  // Again with each event.
  const known = useStore(timeLine.state, (now) => now.overview?.of ?? 0);
  useEffect(() => {
    const ending = new AbortController();
    readHistory(lab, collection, id, ending.signal).then(
      (events) => {
        setEntries(entriesOf(events));
        setProblem(null);
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      },
    );
    return () => ending.abort();
  }, [lab, collection, id, known]);
  return (
    <Sheet title={t('History of {name}', { name: nameFor(records, collection, id) })}>
      {problem !== null && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {entries === null && problem === null && <p className="note">{t('Reading …')}</p>}
      <ol className="history" aria-label={t('Newest first')}>
        {entries?.map((entry) => (
          <HistoryEntry
            key={entry.position}
            entry={entry}
            isLater={cursor !== null && entry.at > cursor}
            onGo={() => timeLine.goTo(entry.at)}
          >
            <RestoreButton
              label={t('Restore this …')}
              title={t('Restore {name} as it was at {moment}', {
                name: nameFor(records, collection, id),
                moment: sayMoment(entry.at),
              })}
              wish={{ at: entry.position, objects: [{ type: collection, id }] }}
              onDone={() => timeLine.goTo(null)}
            />
          </HistoryEntry>
        ))}
      </ol>
    </Sheet>
  );
};
export default HistorySheet;

interface EntryProps {
  readonly entry: Entry;
  readonly isLater: boolean;
  readonly onGo: () => void;
  readonly children: ReactNode;
}

const HistoryEntry = ({ entry, isLater, onGo, children }: EntryProps): ReactElement => (
  <li className={isLater ? 'later' : ''}>
    <p>
      <strong>{entry.what}</strong>
      {isLater && <span className="note"> {t('(later than the moment shown)')}</span>}
    </p>
    <p className="note">
      <time dateTime={new Date(entry.at).toISOString()}>{sayMoment(entry.at)}</time>
      {` · ${entry.who}`}
    </p>
    {entry.details !== '' && <p className="wrap">{entry.details}</p>}
    {entry.why !== '' && <p className="note wrap">{t('Because of: {why}', { why: entry.why })}</p>}
    <p className="row">
      <Button onClick={onGo}>{t('Show this moment')}</Button>
      {children}
    </p>
  </li>
);
