import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import type { Conflict } from './notes.ts';

interface Props {
  readonly conflict: Conflict;
  readonly onSettle: (how: keyof Conflict['texts']) => void;
}

/** Two have changed the same lines: nothing is saved until somebody says which of them stand. */
export const ConflictNote = ({ conflict: { mine, theirs }, onSettle }: Props): ReactElement => (
  <section className="notes-conflict" role="alert" aria-label={t('Changed by two')}>
    <div className="row">
      <p>{t('Somebody else has changed the same lines meanwhile. Yours are not saved yet.')}</p>
      <Button kind="primary" onClick={() => onSettle('both')}>
        {t('Keep both')}
      </Button>
      <Button onClick={() => onSettle('theirs')}>{t('Keep theirs')}</Button>
      <Button onClick={() => onSettle('mine')}>{t('Keep yours')}</Button>
    </div>
    <div className="notes-sides">
      <Side title={t('Theirs')} text={theirs} />
      <Side title={t('Yours')} text={mine} />
    </div>
  </section>
);

const Side = ({ title, text }: { title: string; text: string }): ReactElement => (
  <div>
    <h3>{title}</h3>
    <pre className="wrap" tabIndex={0}>
      {text === '' ? t('(deleted)') : text}
    </pre>
  </div>
);
