import type { ReactElement } from 'react';
import { told } from '../../words/words.ts';
import type { Place, Target } from '../edit/targets.ts';
import { FormField } from './form-field.tsx';
import { byGroup, type Spec } from './spec.ts';
import './form.css';

interface Props {
  /** Of the record, then of its kind. */
  readonly own: readonly Spec[];
  readonly ofKind?: readonly Spec[];
  readonly targets: readonly Target[];
}

/** Groups that are open, at first and as somebody has left them. */
const open = new Set(['General', 'Network']);
const keep = (group: string, isOpen: boolean): void => {
  if (isOpen) open.add(group);
  else open.delete(group);
};
const LAST = ['Console', 'Position', 'Map', 'Advanced'];

/** The fields of records, in groups. */
export const FormView = ({ targets, ...specs }: Props): ReactElement => {
  const key = targets.map(({ id }) => id).join(' ');
  return (
    <FormGroups {...specs}>
      {(place) => <FormField key={`${key} ${place.isOfKind} ${place.spec.key}`} place={place} targets={targets} />}
    </FormGroups>
  );
};

interface GroupsProps extends Omit<Props, 'targets'> {
  /** A field, with its key. */
  readonly children: (place: Place) => ReactElement;
}

export const FormGroups = ({ own, ofKind = [], children }: GroupsProps): ReactElement => {
  const kindSpecs = new Set(ofKind);
  // What the node is comes first, then what its kind has, then the rest of the node.
  const isFirst = ({ group }: Spec): boolean => group === 'General';
  const all = [...own.filter(isFirst), ...ofKind, ...own.filter((spec) => !isFirst(spec))];
  const groups = [...byGroup(all)].sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b));
  return (
    <div className="form">
      {groups.map(([group, specs]) => (
        <details
          key={group}
          className="form-group"
          open={open.has(group)}
          onToggle={({ currentTarget }) => keep(group, currentTarget.open)}
        >
          <summary>{told(group)}</summary>
          <div className="form-fields">{specs.map((spec) => children({ spec, isOfKind: kindSpecs.has(spec) }))}</div>
        </details>
      ))}
    </div>
  );
};
