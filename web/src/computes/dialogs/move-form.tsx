import { type ReactElement, type SubmitEvent, useState } from 'react';
import { sentenceOf } from '../../store/notices.ts';
import { Button } from '../../ui/button.tsx';
import { FormEnd } from '../../ui/dialog.tsx';
import { t, told } from '../../words/words.ts';
import { AUTO, type Compute, type Moved, type MoveWish } from '../computes.ts';
import { sayNodes } from '../counts.ts';
import { WhereField } from '../where-field.tsx';

interface Props {
  readonly computes: readonly Compute[];
  /** Where they are: not to be chosen. */
  readonly without?: string | undefined;
  readonly count: number;
  /** How many of them run. */
  readonly running: number;
  readonly submit: string;
  readonly move: (wish: MoveWish) => Promise<Moved>;
  readonly onMoved: (moved: Moved) => void;
  readonly onClose: () => void;
}

/** Asks where to, and what becomes of nodes that run; puts them there one after another. */
export const MoveForm = (props: Props): ReactElement => {
  const { computes, without, count, running, submit, move, onMoved, onClose } = props;
  const [to, setTo] = useState(AUTO);
  const [restart, setRestart] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    move({ to, restart }).then(onMoved, (error: unknown) => {
      setProblem(sentenceOf(error));
      setBusy(false);
    });
  };
  return (
    <form className="stack" onSubmit={send}>
      <WhereField label={t('Where to')} computes={computes} value={to} without={without} onChange={setTo} />
      {running > 0 && (
        <label className="row">
          <input type="checkbox" checked={restart} onChange={({ target }) => setRestart(target.checked)} />
          {t(
            '{running, plural, one {Also the one that runs} other {Also the # that run}}: stop, put there and start again',
            { running },
          )}
        </label>
      )}
      <p className="note">
        {t('Files go along.')}{' '}
        {running > 0 &&
          (restart ? t('What nodes that run keep in memory is lost.') : t('Nodes that run stay where they are.'))}
      </p>
      <p role="status">{isBusy ? t('Moving {nodes}, one after another …', { nodes: sayNodes(count) }) : ''}</p>
      <FormEnd problem={problem} submit={submit} disabled={isBusy || count === 0} onClose={onClose} />
    </form>
  );
};

interface MovedListProps {
  readonly result: Moved;
  /** Names of computes by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}

/** Nodes that were moved and nodes that were not, each with its reason. */
export const MovedList = ({ result: { moved, left }, names, onClose }: MovedListProps): ReactElement => (
  <div className="stack">
    <p role="status">
      {left.length === 0
        ? t('{moved, plural, =0 {No node was} one {# node} other {# nodes}} moved.', { moved: moved.length })
        : t(
            '{moved, plural, =0 {No node was} one {# node} other {# nodes}} moved, {left, plural, one {# node} other {# nodes}} stayed.',
            { moved: moved.length, left: left.length },
          )}
    </p>
    {left.length > 0 && (
      <ul className="moved-list" aria-label={t('Stayed where they are')}>
        {left.map(({ node_id, name, reason }) => (
          <li key={node_id} className="wrap">
            <strong>{name}</strong> {t('stayed:')} <span className="problem">{told(reason)}</span>
          </li>
        ))}
      </ul>
    )}
    {moved.length > 0 && (
      <ul className="moved-list" aria-label={t('Moved')}>
        {moved.map(({ node_id, name, compute_id, reason, started }) => (
          <li key={node_id} className="wrap">
            <strong>{name}</strong> {t('is on {place}', { place: names.get(compute_id) ?? compute_id })}
            {started && `, ${t('started')}`}
            <span className="note">: {told(reason)}</span>
          </li>
        ))}
      </ul>
    )}
    <div className="dialog-actions">
      <Button kind="primary" autoFocus onClick={onClose}>
        {t('Close')}
      </Button>
    </div>
  </div>
);
