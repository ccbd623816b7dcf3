import { type ReactElement, type SubmitEvent, useState } from 'react';
import { sentenceOf } from '../../store/notices.ts';
import { FormEnd } from '../../ui/form-end.tsx';
import type { MoveWish } from '../calls.ts';
import { sayNodes } from '../counts.ts';
import { AUTO, type Compute, type Moved } from '../records.ts';
import { WhereField } from '../where-field.tsx';
import { t } from '../../words/words.ts';

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
