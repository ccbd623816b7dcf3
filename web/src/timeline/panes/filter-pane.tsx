import type { TimeLine } from '../time-line-state.ts';
import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { useStore } from '../../store/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { t } from '../../words/words.ts';
import { brief } from '../sentences/subject.ts';
import { type NamedObject, readObjects } from '../server.ts';
import { KINDS, NO_FILTER, toggleKind } from './filter.ts';

const orNull = (value: string): string | null => (value === '' ? null : value);

const nameOf = ({ collection, name }: NamedObject): string =>
  name ?? { node: t('a node'), link: t('a link'), drawing: t('a drawing'), snapshot: t('a snapshot') }[collection];

/** Everything that something happened to, deleted or not, under its last name. */
const useObjects = (timeLine: TimeLine): readonly NamedObject[] => {
  const { lab } = useScope();
  const of = useStore(timeLine.state, (now) => now.overview?.of ?? 0);
  const [objects, setObjects] = useState<readonly NamedObject[]>([]);
  useEffect(() => {
    readObjects(lab).then(
      (found) => setObjects(found.sort((a, b) => nameOf(a).localeCompare(nameOf(b), undefined, { numeric: true }))),
      () => undefined,
    );
  }, [lab, of]);
  return objects;
};

/** By person, object and kind of change. */
export const FilterPane = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { filter, overview } = useStore(timeLine.state);
  const objects = useObjects(timeLine);
  const people = (overview?.people ?? []).map(({ name }) => name);
  const known = filter.who === null || people.includes(filter.who) ? people : [filter.who, ...people];
  return (
    <div className="filter-pane">
      <div className="filter-fields">
        <SelectField
          label={t('Person')}
          value={filter.who ?? ''}
          onChange={(who) => timeLine.setFilter({ ...filter, who: orNull(who) })}
          options={[{ value: '', text: t('Everybody') }, ...known.map((who) => ({ value: who, text: who }))]}
        />
        <SelectField
          label={t('Node, link or drawing')}
          value={filter.object ?? ''}
          onChange={(object) => timeLine.setFilter({ ...filter, object: orNull(object) })}
          options={[
            { value: '', text: t('All') },
            ...objects.map((one) => ({ value: one.id, text: brief(nameOf(one)) })),
          ]}
        />
      </div>
      <fieldset className="kinds">
        <legend>{t('Kind of change')}</legend>
        {KINDS.map(({ kind, message }) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={filter.kinds.includes(kind)}
              onChange={() => timeLine.setFilter(toggleKind(filter, kind))}
            />
            {t(message)}
          </label>
        ))}
      </fieldset>
      <p className="note" role="status">
        {t('{count, plural, one {# event} other {# events}} of {of}', {
          count: overview?.entries ?? 0,
          of: overview?.of ?? 0,
        })}
      </p>
      <Button onClick={() => timeLine.setFilter(NO_FILTER)}>{t('Reset')}</Button>
    </div>
  );
};
