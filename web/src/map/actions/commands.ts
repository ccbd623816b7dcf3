import { useEffect } from 'react';
import { type Command, offer } from '../../store/commands.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import type { MapScope } from '../flow/use-map-scope.ts';
import { menuOf } from './menus.ts';
import { actOnAll } from './node-actions.ts';
import type { Chosen } from './object-actions.ts';

/** Offers to the search what the map does, also with what is selected. */
export const useMapCommands = (scope: MapScope): void => {
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
    ...{ id: `${where} ${index}`, text, note, isDisabled, run: onChoose },
    ...(icon === undefined ? {} : { icon }),
  }));
