import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useView } from '../../app/lab-context.tsx';
import { notify, sentenceOf } from '../../store/notices.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { t } from '../../words/words.ts';
import type { Place } from '../actions/arrange.ts';
import { short } from '../flow/flow.ts';
import { placesOf } from '../groups/units.ts';
import type { MapScope } from '../map-scope.ts';
import './layout.css';
import { blocksOf, groupToLayOut, layOut, type LayoutName, LAYOUTS, pairsOf, unitsToLayOut } from './layout.ts';

interface Props {
  readonly scope: MapScope;
  readonly onClose: () => void;
}

/** Arranges the selected nodes, or all: on the map first, and only then for everybody. */
export const LayoutPanel = ({ scope, onClose }: Props): ReactElement => {
  const [name, setName] = useState<LayoutName>('layers');
  const { places, inside, cancel } = usePreview(scope, name);
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
        {inside !== null && `${t('Inside {name}', { name: inside })}: `}
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

interface Preview {
  /** Null: they are being computed. */
  readonly places: readonly Place[] | null;
  /** Name of the group whose nodes they are of, where it is of one. */
  readonly inside: string | null;
  readonly cancel: () => void;
}

/** Shows the layout on this screen until it is applied, or called off. */
const usePreview = (scope: MapScope, name: LayoutName): Preview => {
  const { records } = useView();
  const [places, setPlaces] = useState<readonly Place[] | null>(null);
  // As it all was when the preview began.
  const [{ units, before, links, inside }] = useState(() => {
    const all = unitsToLayOut(scope.nodes());
    const group = groupToLayOut(scope.nodes())?.data.group ?? null;
    const inside = group === null ? null : short(group.name);
    return { units: all, before: all.flatMap(({ parts }) => parts), links: pairsOf(all, records), inside };
  });
  useEffect(() => {
    let isWanted = true;
    setPlaces(null);
    layOut(name, blocksOf(units), links).then(
      (found) => {
        if (!isWanted) return;
        const all = placesOf(units, found);
        setPlaces(all);
        scope.place(all);
        scope.fit();
      },
      (problem: unknown) => notify('error', sentenceOf(problem)),
    );
    return () => {
      isWanted = false;
    };
  }, [name, units, links, scope]);
  return { places, inside, cancel: () => scope.place(before) };
};

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
