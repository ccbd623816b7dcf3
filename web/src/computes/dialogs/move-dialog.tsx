import { type ReactElement, useState } from 'react';
import type { Lab } from '../../store/lab.ts';
import { notify } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import { useStore } from '../../store/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../words/words.ts';
import { apart, type Moved, moveNodes, unreachableOf } from '../computes.ts';
import { sayNodes } from '../counts.ts';
import { useComputes } from '../follow.ts';
import './computes.css';
import { MovedList, MoveForm } from './move-form.tsx';

interface Props {
  readonly lab: Lab;
  readonly nodes: readonly Node[];
  readonly onComputes: () => void;
  readonly onClose: () => void;
}

/** Puts nodes of a lab on another compute. */
const MoveDialog = ({ lab, nodes, onComputes, onClose }: Props): ReactElement => {
  const { computes, names, isLoaded } = useStore(useComputes(lab.client));
  const [result, setResult] = useState<Moved | null>(null);
  const [first] = nodes;
  const what = nodes.length === 1 ? (first?.name ?? '') : sayNodes(nodes.length);
  const { movable, away } = apart(nodes, names);
  const from = nodes.every(({ compute_id }) => compute_id === first?.compute_id) ? first?.compute_id : undefined;
  const take = (moved: Moved): void => {
    const [one, ...more] = moved.moved;
    if (moved.left.length > 0 || one === undefined) setResult(moved);
    else {
      const place = names.get(one.compute_id) ?? one.compute_id;
      notify(
        'success',
        more.length > 0
          ? t('{nodes} moved.', { nodes: sayNodes(moved.moved.length) })
          : t('{name} is on {place} now.', { name: one.name, place }),
      );
      onClose();
    }
  };
  return (
    <Dialog title={t('Put {what} on another machine', { what })} onClose={onClose} wide={result !== null}>
      {result !== null ? (
        <MovedList result={result} names={names} onClose={onClose} />
      ) : !isLoaded ? (
        <p className="note">{t('Reading the computes …')}</p>
      ) : computes.length < 2 && nodes.every(({ compute_id }) => names.has(compute_id)) ? (
        <NoOther onComputes={onComputes} />
      ) : (
        <>
          {away.length > 0 && <AwayList nodes={away} />}
          {from !== undefined && <p className="wrap">{t('Now on: {place}.', { place: names.get(from) ?? from })}</p>}
          <MoveForm
            computes={computes}
            without={from}
            count={movable.length}
            running={movable.filter(({ status }) => status !== 'stopped').length}
            submit={t('Put there')}
            move={(wish) =>
              moveNodes(
                lab.client,
                lab.projectId,
                movable.map(({ node_id }) => node_id),
                wish,
              )
            }
            onMoved={take}
            onClose={onClose}
          />
        </>
      )}
    </Dialog>
  );
};
export default MoveDialog;

const AwayList = ({ nodes }: { nodes: readonly Node[] }): ReactElement => (
  <div>
    <p>{t('These cannot be moved before their compute is back:')}</p>
    <ul className="moved-list">
      {nodes.map((node) => (
        <li key={node.node_id} className="wrap">
          <strong>{node.name}</strong>: <span className="problem">{unreachableOf(node)}</span>
        </li>
      ))}
    </ul>
  </div>
);

const NoOther = ({ onComputes }: { onComputes: () => void }): ReactElement => (
  <div className="stack">
    <p>{t('This server knows no other compute.')}</p>
    <div className="dialog-actions">
      <Button kind="primary" onClick={onComputes} data-first>
        {t('Computes')}
      </Button>
    </div>
  </div>
);
