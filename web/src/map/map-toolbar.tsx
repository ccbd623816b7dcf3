import { type ReactElement, useState } from 'react';
import { useView } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { type Arrangement, ARRANGEMENTS } from './actions/arrange.ts';
import type { Asked } from './actions/asked.ts';
import { actOnAll } from './actions/node-actions.ts';
import { lockAll } from './actions/object-actions.ts';
import type { MapScope } from './flow/use-map-scope.ts';

interface Props {
  readonly scope: MapScope;
  readonly isLinking: boolean;
  readonly onLinking: (isLinking: boolean) => void;
  readonly ask: (asked: Asked) => void;
}

/** What is done most, beside the map. */
export const MapToolbar = ({ scope, isLinking, onLinking, ask }: Props): ReactElement => {
  const { records, isReadOnly } = useView();
  const moves = useStore(scope.moves.done);
  const [menu, setMenu] = useState<{ x: number; y: number; items: MenuItem[] } | null>(null);
  const nodes = [...records.nodes.values()];
  const drawings = [...records.drawings.values()];
  const isLocked = nodes.length + drawings.length > 0 && [...nodes, ...drawings].every(({ locked }) => locked);
  const isEmpty = nodes.length === 0;
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
    <div className="map-toolbar" role="toolbar" aria-label="Map" aria-orientation="vertical">
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
      <span className="tool-gap" />
      <IconButton
        icon="play"
        label="Start all nodes"
        disabled={isReadOnly || isEmpty}
        onClick={() => void actOnAll(scope, 'start')}
      />
      <IconButton
        icon="stop"
        label="Stop all nodes"
        disabled={isReadOnly || isEmpty}
        onClick={() => void actOnAll(scope, 'stop')}
      />
      <span className="tool-gap" />
      <IconButton
        icon="undo"
        label="Undo the last move (Ctrl+Z)"
        disabled={isReadOnly || moves.length === 0}
        onClick={scope.undo}
      />
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
      <span className="tool-gap" />
      <IconButton icon="capture" label="Find a node (/)" onClick={() => ask({ what: 'find' })} />
      <IconButton icon="fit" label="Show everything (0)" onClick={scope.fit} />
      <IconButton icon="zoom-in" label="Larger (+)" onClick={() => scope.zoom('in')} />
      <IconButton icon="zoom-out" label="Smaller (-)" onClick={() => scope.zoom('out')} />
      <IconButton icon="help" label="Keys (?)" onClick={() => ask({ what: 'help' })} />
      {menu !== null && <Menu label="Align" at={menu} items={menu.items} onClose={() => setMenu(null)} />}
    </div>
  );
};
