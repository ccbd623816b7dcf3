import type { ReactElement } from 'react';
import { Button } from '../../ui/button.tsx';
import type { Moved } from '../records.ts';
import { t, told } from '../../words/words.ts';

interface Props {
  readonly result: Moved;
  /** Of computes, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}

/** What became of nodes that were to be put elsewhere, each with its reason. */
export const MovedList = ({ result: { moved, left }, names, onClose }: Props): ReactElement => (
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
