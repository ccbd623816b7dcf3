import type { TimeLine } from '../time-line-state.ts';
import { type ReactElement, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { useStore } from '../../store/use-store.ts';
import { openSheet } from '../../store/workbench.ts';
import { Button } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { openMoments } from '../beside/open-beside.ts';
import { changeWord, collectionWord, countChanges, nameOfDiff, type ObjectDiff, sayField, SIGNS } from './compare.ts';
import { sayMoment } from '../../words/format.ts';

/** Differences listed unless all are asked for. */
const FIRST = 200;

/** List of the differences between two moments. */
export const ComparePane = ({ timeLine }: { timeLine: TimeLine }): ReactElement | null => {
  const comparison = useStore(timeLine.state, (now) => now.comparison);
  const [isWhole, setWhole] = useState(false);
  if (comparison === null) return null;
  const { from, to, diffs } = comparison;
  if (diffs === null) return <p className="note">{t('Comparing …')}</p>;
  const { added, removed, changed } = countChanges(diffs);
  return (
    <div className="compare-pane">
      <p className="row">
        <span>{t('From {from} to {to}:', { from: sayMoment(from), to: sayMoment(to) })}</span>
        <strong role="status" data-testid="differences">
          {t('{added} added, {removed} removed, {changed} changed', { added, removed, changed })}
        </strong>
        <Button onClick={() => timeLine.compare({ from: to, to: from })}>{t('Swap')}</Button>
        <BesideButton from={from} to={to} />
      </p>
      <ul className="differences">
        {(isWhole ? diffs : diffs.slice(0, FIRST)).map((diff) => (
          <Difference key={`${diff.collection} ${diff.id}`} diff={diff} />
        ))}
      </ul>
      {!isWhole && diffs.length > FIRST && (
        <Button onClick={() => setWhole(true)}>{t('Show the other {count}', { count: diffs.length - FIRST })}</Button>
      )}
    </div>
  );
};

const BesideButton = ({ from, to }: { from: number; to: number }): ReactElement => {
  const scope = useScope();
  return (
    <Button icon="split" onClick={() => openMoments(scope, from, to)}>
      {t('Side by side')}
    </Button>
  );
};

const Difference = ({ diff }: { diff: ObjectDiff }): ReactElement => {
  const { workbench } = useScope();
  const { records } = useView();
  const { collection, id, change, fields } = diff;
  const name = nameOfDiff(diff, records);
  const hasHistory = collection === 'node' || collection === 'link' || collection === 'drawing';
  return (
    <li className={`difference ${change}`}>
      <span className="sign" aria-hidden="true">
        {SIGNS[change]}
      </span>
      <div className="wrap">
        <p>
          <strong>{name}</strong> <span className="note">({collectionWord(collection)})</span> {changeWord(change)}
        </p>
        {fields.length > 0 && (
          <ul className="fields">
            {fields.map((field) => (
              <li key={field.field}>{sayField(field)}</li>
            ))}
          </ul>
        )}
      </div>
      {hasHistory && (
        <Button icon="history" onClick={() => workbench.update(openSheet({ kind: 'history', collection, id }))}>
          <span className="visually-hidden">{t('History of {name}', { name })}</span>
        </Button>
      )}
    </li>
  );
};
