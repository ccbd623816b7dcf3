import { type ReactElement, useEffect, useState } from 'react';
import { goTo } from '../app/router.ts';
import { session } from '../app/user/session.ts';
import { notify, sentenceOf } from '../store/notices.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { type Message, t } from '../words/words.ts';
import { applyLab, type Change, type Offered, type Plan, planOf } from './lab-text.ts';
import './lab-text.css';

interface Props {
  readonly offer: Offered;
  readonly onClose: () => void;
}

/** What a lab’s text would add, change, remove and restart; then it does. */
const PlanDialog = ({ offer, onClose }: Props): ReactElement => {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { client } = session.get();
  useEffect(() => {
    planOf(client, offer).then(setPlan, (error: unknown) => setProblem(sentenceOf(error)));
  }, [client, offer]);
  const apply = async (): Promise<void> => {
    setBusy(true);
    try {
      const { project_id, failed, name } = await applyLab(client, offer);
      for (const one of failed) notify('error', `${one.name}: ${one.message}`);
      notify('success', t('{name} is as its text says.', { name }));
      onClose();
      goTo({ view: 'lab', projectId: project_id });
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  const hasWork = plan !== null && (plan.changes.length > 0 || plan.project_id === null);
  return (
    <Dialog title={t('Apply {name}', { name: offer.lab.title })} onClose={onClose} wide>
      <div className="stack">
        {problem !== null && (
          <p role="alert" className="problem wrap plan-problem">
            {problem}
          </p>
        )}
        {plan === null && problem === null && <p role="status">{t('Comparing it with the lab …')}</p>}
        {plan !== null && <PlanView plan={plan} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{hasWork ? t('Cancel') : t('Close')}</Button>
          {hasWork && (
            <Button kind="primary" disabled={isBusy} onClick={() => void apply()} data-first>
              {t('Apply')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
};
export default PlanDialog;

const SIGNS: Readonly<Record<Change['action'], { icon: IconName; name: Message }>> = {
  add: { icon: 'add', name: 'added' },
  change: { icon: 'edit', name: 'changed' },
  remove: { icon: 'delete', name: 'removed' },
};
const SORTS: Readonly<Record<Change['type'], Message>> = {
  project: 'Project',
  node: 'Node',
  link: 'Link',
  drawing: 'Drawing',
};

const PlanView = ({ plan: { name, project_id, changes, notes } }: { plan: Plan }): ReactElement => {
  const counted = (action: Change['action']): number => changes.filter((change) => change.action === action).length;
  const restarted = changes.filter(({ restart }) => restart).length;
  return (
    <>
      <p role="status">
        {project_id === null
          ? t('A new lab, {name}', { name })
          : changes.length === 0
            ? t('{name} is so already: nothing is to be done.', { name })
            : t('{name} becomes what the text says', { name })}
        {changes.length > 0 &&
          `: ${t('{added} added, {changed} changed, {removed} removed, {restarted} restarted', {
            ...{ added: counted('add'), changed: counted('change'), removed: counted('remove') },
            restarted,
          })}`}
      </p>
      {notes.length > 0 && (
        <ul className="plan-notes">
          {notes.map((note) => (
            <li key={note} className="wrap">
              {note}
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <ul className="plan-changes" aria-label={t('What is done')} tabIndex={0}>
          {changes.map((change, index) => (
            <ChangeLine key={index} change={change} />
          ))}
        </ul>
      )}
    </>
  );
};

const MOST_SHOWN = 60;
const sayValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};

const ChangeLine = ({ change }: { change: Change }): ReactElement => {
  const { action, type, name, restart, fields, compute_id } = change;
  const { icon, name: done } = SIGNS[action];
  return (
    <li className={action}>
      <Icon name={icon} />
      <span className="wrap">
        <strong>{`${t(SORTS[type])} ${name}`}</strong>
        {` ${t(done)}`}
        {compute_id !== null && compute_id !== 'local' && ` ${t('on {compute}', { compute: compute_id })}`}
        {restart && <em className="plan-restart">{t('restarted')}</em>}
        {action === 'change' && (
          <span className="note">
            {fields.map(({ field, from, to }) => `${field}: ${sayValue(from)} → ${sayValue(to)}`).join('; ')}
          </span>
        )}
      </span>
    </li>
  );
};
