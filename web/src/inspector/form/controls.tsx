import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react';
import { t, told } from '../../words/words.ts';
import type { Place, Target } from '../edit/targets.ts';
import type { Editing } from '../edit/use-edit.ts';

export interface ControlProps {
  readonly id: string;
  readonly describedBy: string;
  readonly place: Place;
  readonly targets: readonly Target[];
  readonly editing: Editing;
}

/** Enter applies, Escape takes back what was typed; where nothing was, it leaves the form. */
export const fieldKeys =
  ({ commit, revert, isDirty }: Editing) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      commit();
    }
    if (event.key === 'Escape' && isDirty) {
      event.stopPropagation();
      revert();
    }
  };

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

const LINES = { code: 8, multiline: 3, lines: 1 } as const;
const MOST = 24;

/** A text of several lines; one of commands has numbers beside them. Ctrl+Enter applies it. */
export const CodeControl = ({ id, describedBy, place: { spec }, editing }: ControlProps): ReactElement => {
  const numbers = useRef<HTMLDivElement>(null);
  const { draft, agreed, isReadOnly, problem, conflict } = editing;
  const text = typeof draft === 'string' ? draft : '';
  const count = text.split('\n').length;
  const least = LINES[spec.widget as keyof typeof LINES] ?? 3;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      editing.commit();
    }
    if (event.key === 'Escape' && editing.isDirty) {
      event.stopPropagation();
      editing.revert();
    }
  };
  return (
    <div className={`code ${spec.widget}`}>
      {spec.widget === 'code' && (
        <div ref={numbers} className="code-numbers" aria-hidden="true">
          {Array.from({ length: count }, (_, line) => line + 1).join('\n')}
        </div>
      )}
      <textarea
        id={id}
        rows={Math.min(MOST, Math.max(least, count))}
        wrap={spec.widget === 'code' ? 'off' : 'soft'}
        spellCheck={spec.widget === 'multiline'}
        value={text}
        placeholder={agreed.isMixed ? t('mixed') : undefined}
        aria-describedby={describedBy}
        aria-invalid={problem !== null || conflict !== null}
        aria-keyshortcuts="Control+Enter"
        readOnly={isReadOnly}
        onChange={({ target }) => editing.change(target.value)}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => {
          if (numbers.current !== null) numbers.current.scrollTop = currentTarget.scrollTop;
        }}
      />
    </div>
  );
};
