import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';

interface Props {
  readonly title: string;
  readonly isAsked: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Where Escape leads: what is selected on the map, or the map. */
const focusMap = (): void => {
  const target =
    document.querySelector<HTMLElement>('.react-flow .selected[data-id]') ??
    document.querySelector<HTMLElement>('.react-flow [data-id][tabindex]') ??
    document.querySelector<HTMLElement>('.map-toolbar button');
  target?.focus({ preventScroll: true });
};

/** Stands beside the map, on narrow screens over it. Escape returns to the map. */
export const InspectorFrame = ({ title, isAsked, onClose, children }: Props): ReactElement => {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (!isAsked) return undefined;
    const [before, frame] = [document.activeElement, ref.current];
    frame?.focus({ preventScroll: true });
    return () => {
      const now = document.activeElement;
      const isElsewhere = now !== null && now !== document.body && frame?.contains(now) !== true;
      if (isElsewhere) return;
      if (before !== null && before !== document.body && document.contains(before))
        (before as HTMLElement).focus({ preventScroll: true });
      else focusMap();
    };
  }, [isAsked]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    if (isAsked) onClose();
    else focusMap();
  };
  return (
    <aside
      ref={ref}
      className={`inspector ${isAsked ? 'asked' : ''}`}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className="inspector-head">
        <h2 id={titleId} className="wrap">
          {title}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      <div className="inspector-body">{children}</div>
    </aside>
  );
};
