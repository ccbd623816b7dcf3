import { type ReactElement, useId, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { t, told } from '../../words/words.ts';
import type { Place, Target } from '../edit/targets.ts';
import { type Editing, useEdit } from '../edit/use-edit.ts';
import {
  CodeControl,
  type ControlProps,
  NumberControl,
  SelectControl,
  SwitchControl,
  TextControl,
} from './controls.tsx';
import { FieldHistory } from './field-history.tsx';
import './form.css';
import { ImageControl } from './image-control.tsx';
import { byGroup, type Spec, type Widget } from './spec.ts';
import { SymbolControl } from './symbol-control.tsx';
import { TableControl } from './table-control.tsx';
import { sayValue } from './values.ts';
import { WhereControl } from './where-control.tsx';

interface Props {
  /** Fields of the record, then of its kind. */
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
  // General fields come first, then those of the node's kind, then the rest of the node.
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

const CONTROLS: Readonly<Record<Widget, (props: ControlProps) => ReactElement>> = {
  text: TextControl,
  number: NumberControl,
  switch: SwitchControl,
  select: SelectControl,
  multiline: CodeControl,
  code: CodeControl,
  lines: CodeControl,
  table: TableControl,
  row: TableControl,
  map: TableControl,
  pairs: TableControl,
  image: ImageControl,
  symbol: SymbolControl,
  compute: WhereControl,
};
/** They take the whole width. */
const WIDE = new Set<Widget>(['multiline', 'code', 'lines', 'table', 'row', 'map', 'pairs', 'symbol', 'image']);
/** Lists and texts that belong together: they are applied by a button. */
const BY_BUTTON = new Set<Widget>(['multiline', 'code', 'lines', 'table', 'row', 'map', 'pairs']);

/** They are groups of fields with labels of their own. */
const TABLES = new Set<Widget>(['table', 'row', 'map', 'pairs']);

/** A file's text is in no event. */
const hasHistory = ({ file }: Spec, targets: readonly Target[]): boolean =>
  file === null && targets.length === 1 && targets[0]?.collection !== 'project';

interface FormFieldProps {
  readonly place: Place;
  readonly targets: readonly Target[];
}

/** One field of records: what it has, what is wrong with it, and what it has had. */
const FormField = (props: FormFieldProps): ReactElement => (
  <FieldView {...props} editing={useEdit(props.place, props.targets)} />
);

/** A field, however what is typed is kept. */
export const FieldView = ({
  place,
  targets,
  editing,
}: FormFieldProps & { readonly editing: Editing }): ReactElement => {
  const { spec } = place;
  const id = useId();
  const [withHistory, setWithHistory] = useState(false);
  const Control = CONTROLS[spec.widget];
  const title = told(spec.title);
  const help = [told(spec.help), rangeOf(spec), spec.needsStop ? t('Needs a stopped node.') : '']
    .filter((text) => text !== '')
    .join(' ');
  return (
    <div
      className={`form-field ${WIDE.has(spec.widget) ? 'wide' : ''} ${editing.isDirty ? 'dirty' : ''}`}
      data-field={spec.key}
    >
      <div className="form-label" title={help}>
        {TABLES.has(spec.widget) ? <span id={`${id}-label`}>{title}</span> : <label htmlFor={id}>{title}</label>}
        {hasHistory(spec, targets) && (
          <IconButton
            icon="history"
            className="form-history"
            label={t('History of {title}', { title })}
            aria-expanded={withHistory}
            onClick={() => setWithHistory(!withHistory)}
          />
        )}
      </div>
      <div className="form-control">
        <Control {...{ id, place, targets, editing }} describedBy={`${id}-help ${id}-problem`} />
        <p id={`${id}-help`} className="visually-hidden">
          {help}
        </p>
      </div>
      <Said id={`${id}-problem`} editing={editing} spec={spec} />
      {BY_BUTTON.has(spec.widget) && editing.isDirty && !editing.mustStop && editing.conflict === null && (
        <div className="form-actions">
          <Button onClick={editing.revert}>{t('Revert')}</Button>
          <Button kind="primary" onClick={() => editing.commit()} disabled={editing.isBusy}>
            {t('Apply')}
          </Button>
        </div>
      )}
      {withHistory && targets[0] !== undefined && (
        <FieldHistory place={place} target={targets[0]} onRestore={editing.restore} isReadOnly={editing.isReadOnly} />
      )}
    </div>
  );
};

const rangeOf = ({ widget, minimum, maximum, unit }: Spec): string =>
  widget !== 'number' || minimum === -Infinity || maximum === Infinity
    ? ''
    : t('{minimum} to {maximum} {unit}', { minimum, maximum, unit }).trim();

/** Problem of a field, with buttons for what can be done about it. */
const Said = ({ id, editing, spec }: { id: string; editing: Editing; spec: Spec }): ReactElement => {
  const { problem, conflict, mustStop, isBusy } = editing;
  return (
    <div id={id} role="status" className="form-said">
      {problem !== null && <p className="problem wrap">{problem}</p>}
      {conflict !== null && (
        <>
          <p className="wrap warned">
            {t('It was changed meanwhile: {value}', { value: sayValue(spec, conflict.theirs) })}
          </p>
          <div className="form-actions">
            <Button onClick={editing.revert}>{t('Take that')}</Button>
            <Button kind="primary" onClick={editing.commitOver} disabled={isBusy}>
              {t('Set mine')}
            </Button>
          </div>
        </>
      )}
      {mustStop && conflict === null && (
        <>
          <p className="wrap warned">{t('This can only be changed while the node is stopped.')}</p>
          <div className="form-actions">
            <Button onClick={editing.revert}>{t('Revert')}</Button>
            <Button kind="primary" onClick={editing.commitStopped} disabled={isBusy}>
              {t('Stop, change, start')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
};
