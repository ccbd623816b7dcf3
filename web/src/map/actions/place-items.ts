import type { MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { type Arrangement, ARRANGEMENTS } from './arrange.ts';
import type { MenuScope } from './menus.ts';
import { type Chosen, lockAll, raise, setUpMap } from './object-actions.ts';

/** Where things are on the map, and which of them cover others. */

export const arrangeItems = ({ arrangeChosen, isReadOnly, ask }: MenuScope): MenuItem[] => [
  ...Object.entries(ARRANGEMENTS).map(([arrangement, text], index) => ({
    text: t(text),
    ...(index === 0 ? { icon: 'align' as const, startsGroup: true } : {}),
    isDisabled: isReadOnly,
    onChoose: () => arrangeChosen(arrangement as Arrangement),
  })),
  { text: t('Arrange automatically …'), isDisabled: isReadOnly, onChoose: () => ask({ what: 'layout' }) },
];

export const layerItems = ({ lab, isReadOnly }: MenuScope, chosen: Chosen): MenuItem[] => {
  const isLocked = [...chosen.nodes, ...chosen.drawings].every(({ locked }) => locked);
  return [
    {
      text: isLocked ? t('Unlock') : t('Lock'),
      icon: isLocked ? 'unlock' : 'lock',
      startsGroup: true,
      isDisabled: isReadOnly,
      onChoose: () => void lockAll(lab, chosen, !isLocked),
    },
    { text: t('Raise'), isDisabled: isReadOnly, onChoose: () => void raise(lab, chosen, 1) },
    { text: t('Lower'), isDisabled: isReadOnly, onChoose: () => void raise(lab, chosen, -1) },
  ];
};

/** Of the map as a whole. */
export const placeItems = ({ lab, isReadOnly, ask, openLayers }: MenuScope): MenuItem[] => {
  const { project } = lab.state.get().records;
  const [hasGrid, isSnapped] = [project?.show_grid === true, project?.snap_to_grid === true];
  return [
    {
      text: t('Arrange automatically …'),
      icon: 'align',
      startsGroup: true,
      isDisabled: isReadOnly,
      onChoose: () => ask({ what: 'layout' }),
    },
    { text: t('Layers'), icon: 'layers', onChoose: openLayers },
    {
      text: hasGrid ? t('Hide the grid') : t('Show the grid'),
      isDisabled: isReadOnly,
      onChoose: () => void setUpMap(lab, { show_grid: !hasGrid }),
    },
    {
      text: isSnapped ? t('Do not snap to the grid') : t('Snap to the grid'),
      isDisabled: isReadOnly,
      onChoose: () => void setUpMap(lab, { snap_to_grid: !isSnapped }),
    },
  ];
};
