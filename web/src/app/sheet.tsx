import { type ReactElement, type ReactNode, useId, useRef } from 'react';
import { useScope } from './lab-context.tsx';
import { openSheet } from '../store/workbench.ts';
import { useBorrowedFocus } from '../ui/borrowed-focus.ts';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import './sheet.css';

/** A side panel beside the map, on narrow screens over it. It takes the focus, and gives it back. Escape closes it. */
export const Sheet = ({ title, children }: { title: string; children: ReactNode }): ReactElement => {
  const { workbench } = useScope();
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  useBorrowedFocus(ref);
  const close = (): void => workbench.update(openSheet(null));
  return (
    <aside
      ref={ref}
      className="sheet"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') close();
      }}
    >
      <header className="sheet-head">
        <h2 id={titleId} className="wrap">
          {title}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={close} />
      </header>
      <div className="sheet-body">{children}</div>
    </aside>
  );
};
