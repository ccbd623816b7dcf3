import { type KeyboardEvent, type ReactElement, useRef } from 'react';
import { t } from '../../words/words.ts';
import type { ControlProps } from './control.ts';

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
