import { type ReactElement, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { openPanel } from '../store/workbench.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { UndoTools } from '../undo/undo-tools.tsx';
import { t } from '../words/words.ts';
import { type Arrangement, ARRANGEMENTS } from './actions/arrange.ts';
import { useMapCommands } from './actions/commands.ts';
import { actOnAll } from './actions/node-actions.ts';
import { lockAll } from './actions/object-actions.ts';
import type { MapScope } from './flow/use-map-scope.ts';

interface Props {
  readonly scope: MapScope;
  readonly isLinking: boolean;
  readonly onLinking: (isLinking: boolean) => void;
}

/** What is done most, beside the map; the search has all of it. */
export const MapToolbar = (props: Props): ReactElement => {
  useMapCommands(props.scope);
  return (
    <div className="map-toolbar" role="toolbar" aria-label={t('Map')} aria-orientation="vertical">
      <MakeTools {...props} />
      <span className="tool-gap" />
      <RunTools scope={props.scope} />
      <span className="tool-gap" />
      <UndoTools onTake={props.scope.takeBack} />
      <span className="tool-gap" />
      <PlaceTools scope={props.scope} />
      <span className="tool-gap" />
      <ListTools scope={props.scope} />
      <IconButton icon="search" label={t('Find a node (/)')} onClick={() => props.scope.ask({ what: 'find' })} />
    </div>
  );
};

/** New objects. */
const MakeTools = ({ scope, isLinking, onLinking }: Props): ReactElement => {
  const { isReadOnly } = useView();
  const { frame } = useScope();
  const hasPalette = useStore(frame, (now) => now.hasPalette);
  return (
    <>
      <IconButton
        icon="palette"
        label={t('Templates (A)')}
        aria-pressed={hasPalette}
        onClick={() => (hasPalette ? frame.update((now) => ({ ...now, hasPalette: false })) : scope.openPalette())}
      />
      <IconButton
        icon="link"
        label={t('Link tool: drag from node to node')}
        aria-pressed={isLinking}
        disabled={isReadOnly}
        onClick={() => onLinking(!isLinking)}
      />
      <IconButton
        icon="shapes"
        label={t('Add a drawing (D)')}
        disabled={isReadOnly}
        onClick={() => scope.ask({ what: 'add-drawing', at: scope.middle() })}
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
        label={t('Start all nodes')}
        disabled={disabled}
        onClick={() => void actOnAll(scope, 'start')}
      />
      <IconButton
        icon="stop"
        label={t('Stop all nodes')}
        disabled={disabled}
        onClick={() => void actOnAll(scope, 'stop')}
      />
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
      text: t(text),
      isDisabled: scope.chosen().nodes.length + scope.chosen().drawings.length < 2,
      onChoose: () => scope.arrangeChosen(arrangement as Arrangement),
    }));
    setMenu({ x: right, y: top, items });
  };
  return (
    <>
      <IconButton
        icon="align"
        label={t('Align the selection')}
        aria-haspopup="menu"
        disabled={isReadOnly}
        onClick={({ currentTarget }) => align(currentTarget)}
      />
      <IconButton
        icon={isLocked ? 'unlock' : 'lock'}
        label={isLocked ? t('Unlock everything') : t('Lock everything in its place')}
        aria-pressed={isLocked}
        disabled={isReadOnly}
        onClick={() => void lockAll(scope.lab, { nodes, drawings }, !isLocked)}
      />
      {menu !== null && (
        <Menu label={t('Align the selection')} at={menu} items={menu.items} onClose={() => setMenu(null)} />
      )}
    </>
  );
};

/** What stands beside the map, or over it. */
const ListTools = ({ scope }: Pick<Props, 'scope'>): ReactElement => {
  const { frame, workbench } = useScope();
  const hasLayers = useStore(frame, (now) => now.hasLayers);
  return (
    <>
      <IconButton
        icon="layers"
        label={t('Layers (Z)')}
        aria-pressed={hasLayers}
        onClick={() => (hasLayers ? frame.update((now) => ({ ...now, hasLayers: false })) : scope.openLayers())}
      />
      <IconButton icon="notes" label={t('Notes (N)')} onClick={() => workbench.update(openPanel({ kind: 'notes' }))} />
    </>
  );
};
