import { type ReactElement, useMemo } from 'react';
import { useStore } from '../../store/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import type { TimeLine } from '../controller.ts';
import { type Filter, NO_FILTER, objectsIn, peopleIn, toggleKind } from './filter.ts';
import { KINDS } from '../bar/marks.ts';
import { withFilter } from '../time-line-state.ts';
import { count } from './words.ts';

const orNull = (value: string): string | null => (value === '' ? null : value);

/** By person, object and kind of change. */
export const FilterPane = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { filter, marks, shown } = useStore(timeLine.state);
  const people = useMemo(() => peopleIn(marks), [marks]);
  const objects = useMemo(() => objectsIn(marks), [marks]);
  const set = (next: Filter): void => timeLine.state.update((now) => withFilter(now, next));
  return (
    <div className="filter-pane">
      <div className="filter-fields">
        <SelectField
          label="Person"
          value={filter.who ?? ''}
          onChange={(who) => set({ ...filter, who: orNull(who) })}
          options={[{ value: '', text: 'Everybody' }, ...people.map((who) => ({ value: who, text: who }))]}
        />
        <SelectField
          label="Node, link or drawing"
          value={filter.object ?? ''}
          onChange={(object) => set({ ...filter, object: orNull(object) })}
          options={[
            { value: '', text: 'All' },
            ...objects.map(({ id, name }) => ({ value: id, text: name.slice(0, 60) })),
          ]}
        />
      </div>
      <fieldset className="kinds">
        <legend>Kind of change</legend>
        {KINDS.map(({ kind, text }) => (
          <label key={kind}>
            <input type="checkbox" checked={!filter.hidden.has(kind)} onChange={() => set(toggleKind(filter, kind))} />
            {text}
          </label>
        ))}
      </fieldset>
      <p className="note" role="status">
        {count(shown.length, 'event')} of {marks.length}
      </p>
      <Button onClick={() => set(NO_FILTER)}>Reset</Button>
    </div>
  );
};
