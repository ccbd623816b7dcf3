import { type ReactElement, useState } from 'react';
import { useView } from '../app/lab-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { UndoTools } from '../undo/undo-tools.tsx';
import { type Arrangement, ARRANGEMENTS } from './actions/arrange.ts';
import type { Asked } from './actions/asked.ts';
import { actOnAll } from './actions/node-actions.ts';
import { lockAll } from './actions/object-actions.ts';
import type { MapScope } from './flow/use-map-scope.ts';
import { LoadButton } from '../links/load-button.tsx';

interface Props {
  readonly scope: MapScope;
  readonly isLinking: boolean;
  readonly onLinking: (isLinking: boolean) => void;
  readonly withComputes: boolean;
  readonly onWithComputes: (withComputes: boolean) => void;
  readonly ask: (asked: Asked) => void;
}

/** What is done most, beside the map. */
export const MapToolbar = (props: Props): ReactElement => (
  <div className="map-toolbar" role="toolbar" aria-label="Map" aria-orientation="vertical">
    <MakeTools {...props} />
    <span className="tool-gap" />
    <RunTools scope={props.scope} />
    <span className="tool-gap" />
    <UndoTools onTake={props.scope.takeBack} />
    <span className="tool-gap" />
    <PlaceTools scope={props.scope} />
    <span className="tool-gap" />
    <LookTools {...props} />
  </div>
);

/** New objects. */
const MakeTools = ({ scope, isLinking, onLinking, ask }: Props): ReactElement => {
  const { isReadOnly } = useView();
  return (
    <>
      <IconButton
        icon="add"
        label="Add a node (A)"
        disabled={isReadOnly}
        onClick={() => ask({ what: 'add-node', at: scope.middle() })}
      />
      <IconButton
        icon="shapes"
        label="Add a drawing (D)"
        disabled={isReadOnly}
        onClick={() => ask({ what: 'add-drawing', at: scope.middle() })}
      />
      <IconButton
        icon="link"
        label={isLinking ? 'Stop drawing links' : 'Draw links: drag from node to node'}
        aria-pressed={isLinking}
        disabled={isReadOnly}
        onClick={() => onLinking(!isLinking)}
      />
    </>
  );
};

/** All nodes at once. */
const RunTools = ({ scope }: Pick<Props, 'scope'>): ReactElement => {
  const { records, isReadOnly } = useView();
  const disabled = isReadOnly || records.nodes.size === 0;
  return (
    <>
      <IconButton
        icon="play"
        label="Start all nodes"
        disabled={disabled}
        onClick={() => void actOnAll(scope, 'start')}
      />
      <IconButton icon="stop" label="Stop all nodes" disabled={disabled} onClick={() => void actOnAll(scope, 'stop')} />
    </>
  );
};

/** Where things are, and whether they stay there. */
const PlaceTools = ({ scope }: Pick<Props, 'scope'>): ReactElement => {
  const { records, isReadOnly } = useView();
  const [menu, setMenu] = useState<{ x: number; y: number; items: MenuItem[] } | null>(null);
  const nodes = [...records.nodes.values()];
  const drawings = [...records.drawings.values()];
  const isLocked = nodes.length + drawings.length > 0 && [...nodes, ...drawings].every(({ locked }) => locked);
  const align = (element: HTMLElement): void => {
    const { right, top } = element.getBoundingClientRect();
    const items = Object.entries(ARRANGEMENTS).map(([arrangement, text]) => ({
      text,
      isDisabled: scope.chosen().nodes.length + scope.chosen().drawings.length < 2,
      onChoose: () => scope.arrangeChosen(arrangement as Arrangement),
    }));
    setMenu({ x: right, y: top, items });
  };
  return (
    <>
      <IconButton
        icon="align"
        label="Align what is chosen"
        aria-haspopup="menu"
        disabled={isReadOnly}
        onClick={({ currentTarget }) => align(currentTarget)}
      />
      <IconButton
        icon={isLocked ? 'unlock' : 'lock'}
        label={isLocked ? 'Unlock everything' : 'Lock everything in its place'}
        aria-pressed={isLocked}
        disabled={isReadOnly}
        onClick={() => void lockAll(scope.lab, { nodes, drawings }, !isLocked)}
      />
      {menu !== null && <Menu label="Align" at={menu} items={menu.items} onClose={() => setMenu(null)} />}
    </>
  );
};

/** What is seen of the map. */
const LookTools = ({ scope, ask, withComputes, onWithComputes }: Props): ReactElement => (
  <>
    <IconButton icon="capture" label="Find a node (/)" onClick={() => ask({ what: 'find' })} />
    <IconButton icon="fit" label="Show everything (0)" onClick={scope.fit} />
    <IconButton icon="zoom-in" label="Larger (+)" onClick={() => scope.zoom('in')} />
    <IconButton icon="zoom-out" label="Smaller (-)" onClick={() => scope.zoom('out')} />
    <IconButton
      icon="computes"
      label="Show on which compute each node is"
      aria-pressed={withComputes}
      onClick={() => onWithComputes(!withComputes)}
    />
    <LoadButton />
    <IconButton icon="help" label="Keys (?)" onClick={() => ask({ what: 'help' })} />
  </>
);
