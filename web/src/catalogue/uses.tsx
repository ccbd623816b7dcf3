import type { ReactElement } from 'react';
import { hashOf } from '../app/router.ts';
import type { Schemas } from 'topolog/client';
import { t } from '../words/words.ts';

type Used = Pick<Schemas['CatalogueImage'], 'uses' | 'used_by'>;

/** Links to the labs that need it. */
export const Uses = ({ uses, used_by: all }: Used): ReactElement =>
  uses === 0 ? (
    <span className="note">{t('nobody')}</span>
  ) : (
    <details className="uses">
      <summary>{t('{count, plural, one {# use} other {# uses}}', { count: uses })}</summary>
      <ul>
        {all.map(({ id, what, name, project_id: projectId, project }) => (
          <li key={`${what} ${id}`} className="wrap">
            {projectId === null ? (
              t('Template {name}', { name })
            ) : (
              <a href={hashOf({ view: 'lab', projectId })}>
                {t('{name} in {project}', { name, project: project ?? '' })}
              </a>
            )}
          </li>
        ))}
        {uses > all.length && <li>{t('and {count} more', { count: uses - all.length })}</li>}
      </ul>
    </details>
  );
