import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useView } from '../../app/lab-context.tsx';
import type { ComputeLooks } from '../../computes/compute-look.ts';
import { isHere, unreachableOf } from '../../computes/records.ts';
import { useMapTools } from '../map-tools.ts';
import type { Node } from '../../store/records.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { short } from '../flow/flow.ts';
import type { Failure } from '../actions/node-actions.ts';

interface FailuresProps {
  readonly failed: readonly Failure[];
  readonly onShow: (nodeId: string) => void;
  readonly onClose: () => void;
}

/** Nodes that could not be started or stopped, each with its reason and what is to be done. */
export const FailuresDialog = ({ failed, onShow, onClose }: FailuresProps): ReactElement => (
  <Dialog title={failed.length === 1 ? 'One node failed' : `${failed.length} nodes failed`} onClose={onClose} wide>
    <p className="note">Fix the cause and try again: nothing was left behind. All others are done.</p>
    <ul className="failure-list">
      {failed.map(({ nodeId, name, message }) => (
        <li key={nodeId}>
          <div>
            <strong className="wrap">{short(name)}</strong>
            <p className="wrap failure-text">{message}</p>
          </div>
          <Button
            onClick={() => {
              onClose();
              onShow(nodeId);
            }}
          >
            Show<span className="visually-hidden"> {short(name)}</span>
          </Button>
        </li>
      ))}
    </ul>
  </Dialog>
);

const MOST_SHOWN = 50;

/** Goes to a node by its name. */
export const FindDialog = ({
  onShow,
  onClose,
}: {
  onShow: (id: string) => void;
  onClose: () => void;
}): ReactElement => {
  const { records } = useView();
  const { looks } = useMapTools();
  const [sought, setSought] = useState('');
  const words = sought.trim().toLowerCase();
  const found = [...records.nodes.values()]
    .filter(({ name }) => name.toLowerCase().includes(words))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const go = (id: string | undefined): void => {
    if (id === undefined) return;
    onClose();
    onShow(id);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    go(found[0]?.node_id);
  };
  return (
    <Dialog title="Find a node" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          type="search"
          value={sought}
          onChange={setSought}
          note={`${found.length} of ${records.nodes.size}`}
        />
      </form>
      <ul className="find-list">
        {found.slice(0, MOST_SHOWN).map((node) => (
          <li key={node.node_id}>
            <button type="button" className="menu-item" onClick={() => go(node.node_id)}>
              {short(node.name)} <span className="note">{stateOf(node, looks)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
};

const stateOf = (node: Node, looks: ComputeLooks): string => {
  const place = isHere(node.compute_id) ? undefined : looks.get(node.compute_id);
  return [
    node.status,
    ...(unreachableOf(node) === null ? [] : ['unreachable']),
    ...(place === undefined ? [] : [`on ${short(place.name)}`]),
  ].join(', ');
};

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Tab', 'next node or link'],
  ['Space', 'choose it, or no longer'],
  ['Enter or the menu key', 'what can be done with what is chosen'],
  ['Arrows', 'move what is chosen; with Shift further; the map when nothing is chosen'],
  ['Delete', 'delete what is chosen'],
  ['Ctrl+A, Escape', 'choose everything, nothing'],
  ['Ctrl+Z', 'undo your last edit'],
  ['Ctrl+Y', 'redo it'],
  ['A', 'add a node'],
  ['D', 'add a drawing'],
  ['E', 'edit the chosen drawing'],
  ['L', 'new link'],
  ['C', 'console of the chosen node'],
  ['S, X', 'start, stop the chosen nodes'],
  ['/', 'find a node'],
  ['+, -, 0', 'larger, smaller, everything'],
  ['Shift and drag', 'choose what is in a frame'],
  ['Ctrl and click', 'choose one more'],
];

export const HelpDialog = ({ onClose }: { onClose: () => void }): ReactElement => (
  <Dialog title="Keys on the map" onClose={onClose}>
    <dl className="keys">
      {KEYS.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
