import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useView } from '../../app/lab-context.tsx';
import { notify, sentenceOf } from '../../store/notices.ts';
import type { Records } from '../../store/records.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { t } from '../../words/words.ts';
import type { Place } from '../actions/arrange.ts';
import type { MapNode } from '../flow/flow.ts';
import type { MapScope } from '../flow/use-map-scope.ts';
import { type Block, LAYOUTS, type LayoutName, layOut, type Pair } from './layout.ts';
import './layout.css';

interface Props {
  readonly scope: MapScope;
  readonly onClose: () => void;
}

/** Room for a name under or over a symbol, pixels. */
const NAME = 24;

/** Arranges the selected nodes, or all: on the map first, and only then for everybody. */
export const LayoutPanel = ({ scope, onClose }: Props): ReactElement => {
  const [name, setName] = useState<LayoutName>('layers');
  const { places, cancel } = usePreview(scope, name);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector('select')?.focus(), []);
  const close = (): void => {
    cancel();
    onClose();
  };
  const apply = (): void => {
    scope.move(places ?? []);
    onClose();
  };
  return (
    <section
      ref={panel}
      className="layout-panel"
      aria-label={t('Layout')}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') close();
      }}
    >
      <SelectField
        label={t('Layout')}
        value={name}
        options={LAYOUTS.map((value) => ({ value, text: wordOf(value) }))}
        onChange={(value) => setName(value as LayoutName)}
      />
      <p className="note" role="status">
        {places === null
          ? t('Is being computed …')
          : t('{count, plural, one {# node} other {# nodes}}', { count: places.length })}
      </p>
      <Button kind="primary" disabled={places === null} onClick={apply}>
        {t('Apply')}
      </Button>
      <Button onClick={close}>{t('Cancel')}</Button>
    </section>
  );
};

/** Shows the layout on this screen until it is applied, or called off. Null: it is being computed. */
const usePreview = (scope: MapScope, name: LayoutName): { places: readonly Place[] | null; cancel: () => void } => {
  const { records } = useView();
  const [places, setPlaces] = useState<readonly Place[] | null>(null);
  // As it all was when the preview began.
  const [{ blocks, before, links }] = useState(() => {
    const nodes = blocksOf(scope, scope.nodes());
    return { blocks: nodes, before: nodes.map(({ id, x, y }) => ({ id, x, y })), links: pairsOf(records) };
  });
  useEffect(() => {
    let isWanted = true;
    setPlaces(null);
    layOut(name, blocks, links).then(
      (found) => {
        if (!isWanted) return;
        setPlaces(found);
        scope.place(found);
        scope.fit();
      },
      (problem: unknown) => notify('error', sentenceOf(problem)),
    );
    return () => {
      isWanted = false;
    };
  }, [name, blocks, links, scope]);
  return { places, cancel: () => scope.place(before) };
};

const pairsOf = ({ links }: Records): Pair[] =>
  [...links.values()].flatMap(({ nodes: [a, b] }) =>
    a === undefined || b === undefined ? [] : [[a.node_id, b.node_id] as const],
  );

const wordOf = (name: LayoutName): string => {
  switch (name) {
    case 'layers':
      return t('Layers');
    case 'stress':
      return t('Even distances');
    case 'force':
      return t('Forces');
    case 'tree':
      return t('Tree');
    case 'radial':
      return t('Circles around a middle');
    case 'grid':
      return t('Grid');
  }
};

/** What is selected, if that is more than one node, else all; locked nodes stay where they are. */
const blocksOf = (scope: MapScope, nodes: readonly MapNode[]): Block[] => {
  const free = nodes.filter((node) => 'node' in node.data && !node.data.node.locked);
  const selected = new Set(scope.chosenIds());
  const chosen = free.filter(({ id }) => selected.has(id));
  return (chosen.length > 1 ? chosen : free).map(({ id, position, width = 0, height = 0 }) => ({
    id,
    ...position,
    width,
    height: height + NAME,
  }));
};
