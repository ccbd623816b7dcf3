import type { KeyboardEvent, ReactElement } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { attempt } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { asEdit } from '../../undo/edits.ts';
import { t } from '../../words/words.ts';
import { lockAll, postBatch } from '../actions/object-actions.ts';
import type { MapScope } from '../map-scope.ts';
import './layers.css';
import { hideLayer, idsIn, isLocked, type Layer, layersOf, showAllLayers, swapHidden, swapSteps } from './layers.ts';

interface Props {
  readonly scope: MapScope;
}

/** The layers of the map over it; while it is not open, that some are hidden. */
export const LayersPanel = ({ scope }: Props): ReactElement | null => {
  const { frame, workbench } = useScope();
  const isOpen = useStore(frame, (now) => now.hasLayers);
  const hidden = useStore(workbench, (now) => now.hiddenLayers);
  if (isOpen) return <OpenPanel scope={scope} />;
  if (hidden.size === 0) return null;
  return (
    <div className="layers-note" role="status">
      <span>{t('{count, plural, one {# layer is hidden} other {# layers are hidden}}', { count: hidden.size })}</span>
      <Button onClick={() => workbench.update(showAllLayers)}>{t('Show all')}</Button>
    </div>
  );
};

const OpenPanel = ({ scope }: Props): ReactElement => {
  const { frame, workbench } = useScope();
  const { records } = useView();
  const hidden = useStore(workbench, (now) => now.hiddenLayers);
  const layers = layersOf(records);
  const close = (): void => {
    frame.update((now) => ({ ...now, hasLayers: false }));
    document.querySelector<HTMLElement>('.react-flow [data-id][tabindex]')?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      step(event.target, event.key === 'ArrowDown' ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="layers-panel" aria-label={t('Layers')} onKeyDown={onKeyDown}>
      <header className="layers-head">
        <h2>{t('Layers')}</h2>
        {hidden.size > 0 && <Button onClick={() => workbench.update(showAllLayers)}>{t('Show all')}</Button>}
        <IconButton icon="close" label={t('Close')} onClick={close} />
      </header>
      {layers.length === 0 && <p className="note">{t('Nothing is here yet')}</p>}
      <ul>
        {layers.map((layer, index) => (
          <Row key={layer.z} {...{ scope, layer }} above={layers[index - 1]} below={layers[index + 1]} />
        ))}
      </ul>
    </section>
  );
};

/** To what has the same place in the next row. */
const step = (from: EventTarget, by: 1 | -1): void => {
  if (!(from instanceof Element)) return;
  const row = from.closest('li');
  const next = by === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  const column = [...(row?.querySelectorAll('button') ?? [])].findIndex((one) => one === from);
  const target = next?.querySelectorAll('button')[column];
  if (target?.disabled === true) next?.querySelector<HTMLElement>('.layer-name')?.focus();
  else target?.focus();
};

interface RowProps extends Props {
  readonly layer: Layer;
  readonly above: Layer | undefined;
  readonly below: Layer | undefined;
}

const Row = ({ scope, layer, above, below }: RowProps): ReactElement => {
  const { workbench, lab } = useScope();
  const { isReadOnly } = useView();
  const { z, nodes, drawings } = layer;
  const isHidden = useStore(workbench, (now) => now.hiddenLayers.has(z));
  const selected = useStore(workbench, (now) => now.selected);
  const ids = idsIn(layer);
  const isSelected = isWithin(ids, selected);
  const locked = isLocked(layer);
  const swap = (other: Layer | undefined): void => {
    if (other === undefined) return;
    void attempt(() => asEdit(lab, (headers) => postBatch(lab, swapSteps(layer, other), headers))).then((worked) => {
      if (worked) workbench.update(swapHidden(z, other.z));
    });
  };
  const select = (): void => {
    workbench.update(hideLayer(z, false));
    // Hidden objects are on the map again by then.
    requestAnimationFrame(() => scope.chooseIds(ids));
  };
  return (
    <li className={isHidden ? 'hidden' : ''}>
      <IconButton
        icon={isHidden ? 'eye-off' : 'eye'}
        label={isHidden ? t('Show layer {z}', { z }) : t('Hide layer {z}', { z })}
        onClick={() => workbench.update(hideLayer(z, !isHidden))}
      />
      <button
        type="button"
        className="layer-name"
        aria-pressed={isSelected}
        title={t('Select all of layer {z}', { z })}
        onClick={select}
      >
        <span>{t('Layer {z}', { z })}</span> <span className="note">{sayCounts(nodes.length, drawings.length)}</span>
      </button>
      <IconButton
        icon={locked ? 'lock' : 'unlock'}
        label={locked ? t('Unlock layer {z}', { z }) : t('Lock layer {z}', { z })}
        disabled={isReadOnly}
        onClick={() => void lockAll(lab, layer, !locked)}
      />
      <IconButton
        icon="chevronUp"
        label={t('Raise layer {z}', { z })}
        disabled={isReadOnly || above === undefined}
        onClick={() => swap(above)}
      />
      <IconButton
        icon="chevronDown"
        label={t('Lower layer {z}', { z })}
        disabled={isReadOnly || below === undefined}
        onClick={() => swap(below)}
      />
    </li>
  );
};

const isWithin = (ids: readonly string[], selected: readonly string[]): boolean => {
  if (selected.length < ids.length) return false;
  const all = new Set(selected);
  return ids.every((id) => all.has(id));
};

const sayCounts = (nodes: number, drawings: number): string =>
  [
    ...(nodes === 0 ? [] : [t('{count, plural, one {# node} other {# nodes}}', { count: nodes })]),
    ...(drawings === 0 ? [] : [t('{count, plural, one {# drawing} other {# drawings}}', { count: drawings })]),
  ].join(', ');
