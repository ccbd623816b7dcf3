import { type ReactElement, useEffect, useRef } from 'react';
import { t, told } from '../../words/words.ts';
import { type ControlProps, fieldKeys } from './control.ts';

const isWrong = ({ problem, conflict }: ControlProps['editing']): boolean => problem !== null || conflict !== null;

const LineControl = ({ id, describedBy, place, editing, mode }: ControlProps & { mode?: 'numeric' }): ReactElement => {
  const { spec } = place;
  const { draft, agreed, isReadOnly } = editing;
  return (
    <span className="with-unit">
      <input
        id={id}
        type="text"
        inputMode={mode}
        autoComplete="off"
        spellCheck={false}
        value={typeof draft === 'string' ? draft : ''}
        placeholder={agreed.isMixed ? t('mixed') : undefined}
        aria-describedby={describedBy}
        aria-invalid={isWrong(editing)}
        readOnly={isReadOnly}
        onChange={({ target }) => editing.change(target.value)}
        onKeyDown={fieldKeys(editing)}
        onBlur={() => editing.commit()}
      />
      {spec.unit !== '' && <span className="unit">{spec.unit}</span>}
    </span>
  );
};

export const TextControl = (props: ControlProps): ReactElement => <LineControl {...props} />;
export const NumberControl = (props: ControlProps): ReactElement => <LineControl {...props} mode="numeric" />;

export const SwitchControl = ({ id, describedBy, editing }: ControlProps): ReactElement => {
  const ref = useRef<HTMLInputElement>(null);
  const { draft, isReadOnly } = editing;
  useEffect(() => {
    if (ref.current !== null) ref.current.indeterminate = draft === null;
  }, [draft]);
  return (
    <input
      ref={ref}
      id={id}
      type="checkbox"
      checked={draft === true}
      aria-describedby={describedBy}
      disabled={isReadOnly}
      onChange={({ target }) => editing.commit(target.checked)}
    />
  );
};

export const SelectControl = ({ id, describedBy, place: { spec }, editing }: ControlProps): ReactElement => {
  const { draft, isReadOnly, agreed } = editing;
  const value = typeof draft === 'string' ? draft : '';
  const isKnown = spec.options.some((option) => option.value === value);
  return (
    <select
      id={id}
      value={value}
      aria-describedby={describedBy}
      aria-invalid={isWrong(editing)}
      disabled={isReadOnly}
      onChange={({ target }) => editing.commit(target.value)}
    >
      {!isKnown && value !== '' && <option value={value}>{value}</option>}
      {((value === '' && !isKnown) || spec.isNullable) && (
        <option value="">{agreed.isMixed ? t('mixed') : spec.isRequired ? t('choose …') : t('as usual')}</option>
      )}
      {spec.options.map((option) => (
        <option key={option.value} value={option.value}>
          {told(option.text)}
        </option>
      ))}
    </select>
  );
};
