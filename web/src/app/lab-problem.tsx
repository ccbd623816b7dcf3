import type { ReactElement } from 'react';
import { ApiError } from 'topolog/client';
import { sentenceOf } from '../store/notices.ts';
import { hashOf } from './router.ts';

/** Instead of a lab that cannot be shown. */
export const LabProblem = ({ isGone, problem }: { isGone: boolean; problem: unknown }): ReactElement => {
  const isMissing = problem instanceof ApiError && problem.status === 404;
  const text = isGone ? 'This project was deleted.' : isMissing ? 'There is no such project.' : sentenceOf(problem);
  return (
    <main className="center-note" role="alert">
      <p>{text}</p>
      <p>
        <a href={hashOf({ view: 'projects' })}>All projects</a>
      </p>
    </main>
  );
};
