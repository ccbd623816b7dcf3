import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import type { ComputeLooks } from '../../computes/compute-look.ts';
import { isHere, unreachableOf } from '../../computes/computes.ts';
import { useMapTools } from '../map-tools.ts';
import type { Node } from '../../store/records.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { type Message, t } from '../../words/words.ts';
import { short } from '../flow/flow.ts';
import { MendOffer } from '../actions/mend-offer.tsx';
import type { Failure } from '../actions/node-actions.ts';

interface FailuresProps {
  readonly failed: readonly Failure[];
  readonly onShow: (nodeId: string) => void;
  readonly onClose: () => void;
}

/** Nodes that could not be started or stopped, each with its reason and what is to be done. */
export const FailuresDialog = ({ failed, onShow, onClose }: FailuresProps): ReactElement => (
  <Dialog
    title={t('{count, plural, one {# node failed} other {# nodes failed}}', { count: failed.length })}
    onClose={onClose}
    wide
  >
    <p className="note">{t('Fix the cause and try again: nothing was left behind. All others are done.')}</p>
    <ul className="failure-list">
      {failed.map(({ nodeId, name, message }) => (
        <li key={nodeId}>
          <div>
            <strong className="wrap">{short(name)}</strong>
            <p className="wrap failure-text">{message}</p>
            <Mended nodeId={nodeId} />
          </div>
          <Button
            onClick={() => {
              onClose();
              onShow(nodeId);
            }}
          >
            {t('Show')}
            <span className="visually-hidden"> {short(name)}</span>
          </Button>
        </li>
      ))}
    </ul>
  </Dialog>
);

/** Offers the remedy; once it has worked, says that the node runs. */
const Mended = ({ nodeId }: { nodeId: string }): ReactElement | null => {
  const { lab } = useScope();
  const { records } = useView();
  const node = records.nodes.get(nodeId);
  if (node === undefined) return null;
  return node.status === 'started' ? (
    <p role="status">{t('It runs now.')}</p>
  ) : (
    <MendOffer client={lab.client} node={node} />
  );
};

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
    <Dialog title={t('Find a node')} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('Name')}
          type="search"
          value={sought}
          onChange={setSought}
          note={t('{count} of {total}', { count: found.length, total: records.nodes.size })}
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
    t(node.status),
    ...(unreachableOf(node) === null ? [] : [t('unreachable')]),
    ...(place === undefined ? [] : [t('on {place}', { place: short(place.name) })]),
  ].join(', ');
};

/** Keys that have names, and those that are what they write. */
const NAMED: readonly (readonly [keys: Message, what: Message])[] = [
  ['Tab key', 'next node or link'],
  ['Space', 'select it, or no longer'],
  ['Enter or the menu key', 'menu of the selection'],
  ['Arrows', 'move the selection, with Shift further; the view when nothing is selected'],
  ['Ctrl+A, Escape', 'select all, nothing'],
  ['Ctrl+C, Ctrl+X, Ctrl+V', 'copy, cut, paste, also in another lab'],
  ['Ctrl+D', 'duplicate the selection'],
  ['Delete key', 'delete the selection'],
  ['Page up, page down', 'raise, lower the selection by a layer'],
  ['Ctrl+Z', 'undo your last edit'],
  ['Ctrl+Y', 'redo it'],
  ['Shift and drag', 'select what is in a frame'],
  ['Ctrl or Shift and click', 'select one more'],
];
const LETTERS: readonly (readonly [keys: string, what: Message])[] = [
  ['A', 'templates: Enter adds the first one, arrow down goes to the others'],
  ['L', 'link the selected nodes; with Shift select the ports'],
  ['I', 'addresses for the selected nodes'],
  ['F2', 'rename the selected node'],
  ['G', 'group the selected nodes; with Shift ungroup'],
  ['F', 'collapse or expand the group of the selected nodes'],
  ['D', 'add a drawing'],
  ['H, V', 'distribute the selection horizontally, vertically; with Shift align it'],
  ['K', 'lock the selection in its place, or unlock it'],
  ['Z', 'layers: show, hide, lock, raise, lower them'],
  ['#, M', 'show the grid, snap to it'],
  ['N', 'notes of the lab'],
  ['E', 'edit the selected drawing'],
  ['C', 'console of the selected node'],
  ['S, X', 'start, stop the selected nodes'],
  ['/', 'find a node'],
  ['+, -, 0', 'zoom in, zoom out, zoom to fit'],
];
const keysNow = (): (readonly [keys: string, what: string])[] => [
  ...NAMED.map(([keys, what]) => [t(keys), t(what)] as const),
  ...LETTERS.map(([keys, what]) => [keys, t(what)] as const),
];

export const HelpDialog = ({ onClose }: { onClose: () => void }): ReactElement => (
  <Dialog title={t('Keys on the map')} onClose={onClose}>
    <dl className="keys">
      {keysNow().map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <p className="note">
      <a href="/THIRD-PARTY-LICENSES.txt" target="_blank" rel="noreferrer">
        {t('Licences of what this page is made of')}
      </a>
    </p>
  </Dialog>
);
