import { type ReactElement, useCallback } from 'react';
import { useRead } from '../catalogue/use-read.ts';
import type { Lab } from '../store/lab.ts';
import { t } from '../words/words.ts';
import { sayFieldSince, saySince } from './snapshots.ts';

/** So many are listed. */
const FIRST = 200;

/** What was added, changed and deleted since a moment. */
export const Since = ({ lab, position }: { lab: Lab; position: number }): ReactElement => {
  const read = useCallback(
    (signal: AbortSignal) =>
      lab.client.post('/v2/projects/{project_id}/restore', {
        path: { project_id: lab.projectId },
        body: { at: String(position), plan: true },
        signal,
      }),
    [lab, position],
  );
  const { value, problem } = useRead(read);
  const changes = value?.changes ?? [];
  if (problem !== null)
    return (
      <p role="alert" className="problem wrap">
        {problem}
      </p>
    );
  if (value === null) return <p className="note">{t('Comparing with now …')}</p>;
  return (
    <div role="status">
      <p className="note">
        {t(
          '{count, plural, =0 {Nothing has changed since.} one {One object has changed since:} other {# objects have changed since:}}',
          {
            count: changes.length,
          },
        )}
      </p>
      <ul className="since" tabIndex={changes.length > 5 ? 0 : undefined}>
        {changes.slice(0, FIRST).map((change) => (
          <li key={change.id} className={change.action}>
            {saySince(change)}
            {change.fields.length > 0 && (
              <span className="note wrap"> {change.fields.map(sayFieldSince).join(', ')}</span>
            )}
          </li>
        ))}
        {changes.length > FIRST && <li>{t('and {count} more', { count: changes.length - FIRST })}</li>}
      </ul>
    </div>
  );
};
