import type { ReactElement } from 'react';
import { LoadButton } from '../links/load-button.tsx';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import type { MapScope } from './flow/use-map-scope.ts';

interface Props {
  readonly scope: Pick<MapScope, 'ask' | 'fit' | 'zoom'>;
  readonly withComputes: boolean;
  readonly onWithComputes: (withComputes: boolean) => void;
}

/** What is seen of the map. */
export const ViewBar = ({ scope, withComputes, onWithComputes }: Props): ReactElement => (
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
