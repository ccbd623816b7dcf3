import type { ReactElement } from 'react';
import { Button } from '../../ui/button.tsx';
import { sayNodes } from '../counts.ts';
import type { Moved } from '../records.ts';

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
      {moved.length === 0 ? 'No node was moved' : `${sayNodes(moved.length)} moved`}
      {left.length === 0 ? '.' : `, ${sayNodes(left.length)} stayed.`}
    </p>
    {left.length > 0 && (
      <ul className="moved-list" aria-label="Stayed where they are">
        {left.map(({ node_id, name, reason }) => (
          <li key={node_id} className="wrap">
            <strong>{name}</strong> stayed: <span className="problem">{reason}</span>
          </li>
        ))}
      </ul>
    )}
    {moved.length > 0 && (
      <ul className="moved-list" aria-label="Moved">
        {moved.map(({ node_id, name, compute_id, reason, started }) => (
          <li key={node_id} className="wrap">
            <strong>{name}</strong> is on {names.get(compute_id) ?? compute_id}
            {started && ', started'}
            <span className="note">: {reason}</span>
          </li>
        ))}
      </ul>
    )}
    <div className="dialog-actions">
      <Button kind="primary" autoFocus onClick={onClose}>
        Close
      </Button>
    </div>
  </div>
);
