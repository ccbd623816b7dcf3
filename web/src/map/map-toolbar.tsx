import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { LoadButton } from '../links/load-button.tsx';
import { type Command, offer } from '../store/commands.ts';
import { useStore } from '../store/use-store.ts';
import { openPanel } from '../store/workbench.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { UndoTools } from '../undo/undo-tools.tsx';
import { t } from '../words/words.ts';
import { type Arrangement, ARRANGEMENTS } from './actions/arrange.ts';
import { menuOf } from './actions/menus.ts';
import { actOnAll } from './actions/node-actions.ts';
import { type Chosen, lockAll } from './actions/object-actions.ts';
import type { MapScope } from './map-scope.ts';

interface Props {
  readonly scope: MapScope;
  readonly isLinking: boolean;
  readonly onLinking: (isLinking: boolean) => void;
}

/** The most frequent actions, beside the map; the search has all of them. */
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

/** Buttons of the lists beside the map, or over it. */
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

interface ViewBarProps {
  readonly scope: Pick<MapScope, 'ask' | 'fit' | 'zoom'>;
  readonly withComputes: boolean;
  readonly onWithComputes: (withComputes: boolean) => void;
}

/** Buttons that change the view of the map. */
export const ViewBar = ({ scope, withComputes, onWithComputes }: ViewBarProps): ReactElement => (
  <div className="view-bar" role="toolbar" aria-label={t('View')}>
    <IconButton icon="zoom-out" label={t('Zoom out (-)')} onClick={() => scope.zoom('out')} />
    <IconButton icon="zoom-in" label={t('Zoom in (+)')} onClick={() => scope.zoom('in')} />
    <IconButton icon="fit" label={t('Zoom to fit (0)')} onClick={scope.fit} />
    <IconButton
      icon="computes"
      label={t('Show on which compute each node is')}
      aria-pressed={withComputes}
      onClick={() => onWithComputes(!withComputes)}
    />
    <LoadButton />
    <IconButton icon="help" label={t('Keys (?)')} onClick={() => scope.ask({ what: 'help' })} />
  </div>
);

/** Offers to the search what the map does, also with what is selected. */
const useMapCommands = (scope: MapScope): void => {
  useEffect(() => offer(() => mapCommands(scope)), [scope]);
};

const NOTHING: Chosen = { nodes: [], links: [], drawings: [] };

const mapCommands = (scope: MapScope): readonly Command[] => {
  const chosen = scope.chosen();
  const at = scope.middle();
  const count = chosen.nodes.length + chosen.links.length + chosen.drawings.length;
  const names = chosen.nodes.map(({ name }) => name).join(', ');
  return [
    ...ofAll(scope).map((command) => ({ ...command, isDisabled: scope.isReadOnly })),
    ...(count === 0 ? [] : commandsOf(menuOf(scope, chosen, at), 'selection', names === '' ? t('Selection') : names)),
    ...commandsOf(menuOf(scope, NOTHING, at), 'map', t('Map')),
  ];
};

const ofAll = (scope: MapScope): readonly Command[] => [
  { id: 'start all', text: t('Start all nodes'), icon: 'play', run: () => void actOnAll(scope, 'start') },
  { id: 'stop all', text: t('Stop all nodes'), icon: 'stop', run: () => void actOnAll(scope, 'stop') },
  { id: 'undo', text: t('Undo'), keys: 'Ctrl+Z', icon: 'undo', run: () => scope.takeBack('undo') },
  { id: 'redo', text: t('Redo'), keys: 'Ctrl+Y', icon: 'redo', run: () => scope.takeBack('redo') },
];

const commandsOf = (items: readonly MenuItem[], where: string, note: string): readonly Command[] =>
  items.map(({ text, icon, isDisabled = false, onChoose }, index) => ({
    id: `${where} ${index}`,
    text,
    note,
    isDisabled,
    run: onChoose,
    ...(icon === undefined ? {} : { icon }),
  }));
