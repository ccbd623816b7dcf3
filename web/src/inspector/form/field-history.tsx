import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import { readHistory } from '../../timeline/panes/history.ts';
import { personName } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { isSame, sayValue } from './values.ts';
import { type Place, recordOf, type Target, valueIn } from '../edit/targets.ts';

/** An event of an object's history, as far as fields have one. */
interface HistoryEvent {
  readonly position: number;
  readonly at: string;
  readonly by: { readonly principal: string };
  readonly data: unknown;
}

/** A value that a field has had. */
interface Past {
  readonly position: number;
  /** ISO time. */
  readonly at: string;
  readonly by: string;
  readonly value: unknown;
}

type Bag = Readonly<Record<string, unknown>>;

const isIn = ({ spec, isOfKind }: Place, change: Bag): boolean =>
  isOfKind ? Object.hasOwn(change['properties'] ?? {}, spec.key) : Object.hasOwn(change, spec.key);

/** The values that a field has had, newest first: the first is what it has now. `events`: oldest first. */
export const fieldHistory = (place: Place, events: readonly HistoryEvent[]): readonly Past[] => {
  const pasts: Past[] = [];
  for (const { position, at, by, data } of events) {
    const told = (data ?? {}) as Bag;
    const change = (told['changes'] ?? told) as Bag;
    if (!isIn(place, change)) continue;
    const value = valueIn(place, change);
    if (pasts.length > 0 && isSame(pasts.at(-1)?.value, value)) continue;
    pasts.push({ position, at, by: by.principal, value });
  }
  return pasts.reverse();
};

interface Props {
  readonly place: Place;
  readonly target: Target;
  readonly isReadOnly: boolean;
  readonly onRestore: (value: unknown) => void;
}

/** Earlier values of a field, when and by whom they were set; each can be set again. */
export const FieldHistory = ({ place, target, isReadOnly, onRestore }: Props): ReactElement => {
  const { lab } = useScope();
  const { records } = useView();
  const [pasts, setPasts] = useState<readonly Past[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { collection, id } = target;
  const { spec, isOfKind } = place;
  const now = JSON.stringify(valueIn(place, recordOf(records, target)) ?? null);
  useEffect(() => {
    if (collection === 'project') return undefined;
    const ending = new AbortController();
    readHistory(lab, collection, id, ending.signal).then(
      (events) => setPasts(fieldHistory({ spec, isOfKind }, events)),
      (error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      },
    );
    return () => ending.abort();
    // Again when it has another value.
  }, [lab, collection, id, spec, isOfKind, now]);
  return (
    <div className="field-history">
      {problem !== null && (
        <p role="alert" className="problem wrap">
          {problem}
        </p>
      )}
      {pasts === null && problem === null && <p className="note">{t('Loading …')}</p>}
      <ol>
        {pasts?.map((past, index) => (
          <li key={past.position}>
            <span className="wrap">
              <strong>{sayValue(spec, past.value)}</strong>{' '}
              <span className="note">{t('{who}, {when}', { who: personName(past.by), when: sayWhen(past.at) })}</span>
            </span>
            {index > 0 && (
              <Button disabled={isReadOnly} onClick={() => onRestore(past.value)}>
                {t('Set back')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
};

const sayWhen = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' });
