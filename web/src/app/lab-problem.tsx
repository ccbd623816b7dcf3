import type { ReactElement } from 'react';
import { ApiError } from 'topolog/client';
import { sentenceOf } from '../store/notices.ts';
import { t } from '../words/words.ts';
import { hashOf } from './router.ts';

/** Instead of a lab that cannot be shown. */
export const LabProblem = ({ isGone, problem }: { isGone: boolean; problem: unknown }): ReactElement => {
  const isMissing = problem instanceof ApiError && problem.status === 404;
  const text = isGone
    ? t('This project was deleted.')
    : isMissing
      ? t('There is no such project.')
      : sentenceOf(problem);
  return (
    <main className="center-note">
      <div role="alert">
        <h1>{text}</h1>
      </div>
      <p>
        <a href={hashOf({ view: 'projects' })}>{t('All projects')}</a>
      </p>
    </main>
  );
};
