import type { ReactElement } from 'react';
import { Button } from './button.tsx';
import { t } from '../words/words.ts';

interface Props {
  /** What was wrong with the last try; null: nothing. */
  readonly problem: string | null;
  /** Of the button that sends the form. */
  readonly submit: string;
  readonly disabled?: boolean;
  readonly onClose: () => void;
}

/** The end of a form in a dialog: what is wrong, and the buttons. */
export const FormEnd = ({ problem, submit, disabled = false, onClose }: Props): ReactElement => (
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
