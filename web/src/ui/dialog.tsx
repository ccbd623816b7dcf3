import { type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../words/words.ts';
import { Button, IconButton } from './button.tsx';

interface Props {
  readonly title: string;
  /** Null: it cannot be put away. */
  readonly onClose: (() => void) | null;
  readonly children: ReactNode;
  readonly wide?: boolean;
  /** It takes the whole window. */
  readonly full?: boolean;
}

/** The first field takes the focus, where nothing says another does. */
const FIELD = '.dialog-body :is(input, select, textarea)';

/** A modal dialog of the browser's own: it keeps the focus, and gives it back. */
export const Dialog = ({ title, onClose, children, wide = false, full = false }: Props): ReactElement => {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) {
      dialog.showModal();
      (dialog.querySelector<HTMLElement>('[data-first]') ?? dialog.querySelector<HTMLElement>(FIELD))?.focus();
    }
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog${wide ? ' wide' : ''}${full ? ' full' : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {onClose !== null && <IconButton icon="close" label={t('Close')} onClick={onClose} />}
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
};

interface FormEndProps {
  /** Problem of the last try; null: none. */
  readonly problem: string | null;
  /** Text of the button that sends the form. */
  readonly submit: string;
  readonly disabled?: boolean;
  readonly onClose: () => void;
}

/** The end of a form in a dialog: what is wrong, and the buttons. */
export const FormEnd = ({ problem, submit, disabled = false, onClose }: FormEndProps): ReactElement => (
  <>
    {problem !== null && (
      <p role="alert" className="problem wrap">
        {problem}
      </p>
    )}
    <div className="dialog-actions">
      <Button onClick={onClose}>{t('Cancel')}</Button>
      <Button kind="primary" type="submit" disabled={disabled}>
        {submit}
      </Button>
    </div>
  </>
);
