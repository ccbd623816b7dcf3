import { type ReactElement, type SubmitEvent, useId, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { keep } from '../projects/transfer.ts';
import { attempt, sentenceOf } from '../store/notices.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { sayDuration } from '../words/format.ts';
import { t } from '../words/words.ts';
import { CheckDialog } from './check-dialog.tsx';
import { checkOfSentence } from './check-draft.ts';
import { CheckRow } from './check-row.tsx';
import './checks.css';
import {
  type Check,
  countsOf,
  readSheet,
  saveCheck,
  sayStanding,
  type Stage,
  STANDINGS,
  useCheckLight,
  useChecks,
} from './checks.ts';

/** Checks: what must hold in the lab, and whether it does. */
const ChecksPanel = (): ReactElement => {
  const { lab } = useScope();
  const { isReadOnly, records } = useView();
  const { value, isLoaded, problem } = useChecks();
  const { checks, stages } = value;
  const [edited, edit] = useState<Check | 'new' | null>(null);
  return (
    <div className="checks">
      <div className="checks-head">
        <p className="note" role="status">
          {isLoaded ? sayCounts(checks) : t('Loading …')}
        </p>
        <SentenceField isReadOnly={isReadOnly} />
        <Button icon="add" disabled={isReadOnly} onClick={() => edit('new')}>
          {t('New check …')}
        </Button>
        {stages.length > 0 && (
          <Button
            icon="download"
            onClick={() =>
              void attempt(async () => keep(await readSheet(lab), `${records.project?.name ?? 'lab'}-results.zip`))
            }
          >
            {t('Result sheet')}
          </Button>
        )}
      </div>
      <div className="checks-body">
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        {isLoaded && checks.length === 0 && <Empty />}
        <CheckList checks={checks} onEdit={edit} />
        {stages.length > 0 && <StageList stages={stages} />}
      </div>
      {edited !== null && <CheckDialog check={edited === 'new' ? null : edited} onClose={() => edit(null)} />}
    </div>
  );
};
export default ChecksPanel;

const sayCounts = (checks: readonly Check[]): string => {
  const counts = countsOf(checks);
  const said = STANDINGS.filter((standing) => counts[standing] > 0);
  return said.map((standing) => `${counts[standing]} ${sayStanding(standing)}`).join(' · ');
};

const Empty = (): ReactElement => (
  <div className="panel-empty">
    <p>{t('Nothing is checked here yet.')}</p>
    <p className="note">
      {t('Say what must hold, such as: PC1 reaches PC2 within 10s. It is looked at as long as the lab runs.')}
    </p>
  </div>
);

const CheckList = ({ checks, onEdit }: { checks: readonly Check[]; onEdit: (check: Check) => void }): ReactElement => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [pointed, point] = useState<string | null>(null);
  useCheckLight(checks.find(({ check_id }) => check_id === pointed) ?? null);
  return (
    <ul className="check-list" aria-label={t('Checks')}>
      {checks.map((check) => {
        const { check_id: id } = check;
        return (
          <CheckRow
            key={id}
            check={check}
            isOpen={open.has(id)}
            onOpen={(isOpen) => setOpen(new Set(isOpen ? [...open, id] : [...open].filter((one) => one !== id)))}
            onPoint={(isPointed) => point(isPointed ? id : null)}
            onEdit={() => onEdit(check)}
          />
        );
      })}
    </ul>
  );
};

/** A check in one line. */
const SentenceField = ({ isReadOnly }: { isReadOnly: boolean }): ReactElement => {
  const { lab } = useScope();
  const id = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    try {
      await saveCheck(lab, null, checkOfSentence(text));
      setText('');
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <form
      className="check-sentence"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <input
        type="text"
        aria-label={t('A check as a sentence')}
        placeholder={t('PC1 reaches PC2 within 10s')}
        value={text}
        disabled={isReadOnly}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-problem`}
        aria-invalid={problem !== null}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value.trim() === '') setProblem(null);
        }}
      />
      <Button type="submit" disabled={isReadOnly || text.trim() === ''}>
        {t('Add')}
      </Button>
      <p id={`${id}-problem`} role="alert" className="problem wrap">
        {problem}
      </p>
    </form>
  );
};

/** How far somebody is with a lab that teaches: stages with their points, those that are locked among them. */
const StageList = ({ stages }: { stages: readonly Stage[] }): ReactElement => (
  <ol className="stages" aria-label={t('Stages')}>
    {stages.map((stage) => (
      <li key={stage.name} className={stage.is_unlocked ? '' : 'locked'}>
        <p className="stage-head">
          <Icon name={!stage.is_unlocked ? 'lock' : stage.is_passed ? 'check' : 'more'} />
          <strong className="wrap">{stage.name}</strong>
          <span className="note">
            {stage.is_unlocked
              ? t('{points} of {of, plural, one {# point} other {# points}}', { points: stage.points, of: stage.of })
              : t('locked')}
            {stage.deadline !== null && ` · ${t('until {time} from the start', { time: sayDuration(stage.deadline) })}`}
          </span>
        </p>
        <progress
          aria-label={t('Points of {name}', { name: stage.name })}
          max={Math.max(1, stage.of)}
          value={stage.points}
        />
        <ul>
          {stage.checks.map(({ name, points, position, check_id: id }) => (
            <li key={name} className={position === null ? '' : 'passed'}>
              <Icon name={position === null ? 'minus' : 'check'} />
              <span className="wrap">{name}</span>
              <span className="note">
                {id === null
                  ? t('there is no such check')
                  : t('{points, plural, one {# point} other {# points}}', { points })}
              </span>
            </li>
          ))}
        </ul>
      </li>
    ))}
  </ol>
);
