import type { ReactElement } from 'react';
import { Icon } from '../ui/icon.tsx';
import { sayDuration } from '../words/format.ts';
import { t } from '../words/words.ts';
import type { Stage } from './checks.ts';

/** How far somebody is with a lab that teaches: stages with their points, those that are locked among them. */
export const StageList = ({ stages }: { stages: readonly Stage[] }): ReactElement => (
  <ol className="stages" aria-label={t('Stages')}>
    {stages.map((stage) => (
      <li key={stage.name} className={stage.is_unlocked ? '' : 'locked'}>
        <p className="stage-head">
          <Icon name={!stage.is_unlocked ? 'lock' : stage.is_passed ? 'check' : 'more'} />
          <strong className="wrap">{stage.name}</strong>
          <span className="note">
            {stage.is_unlocked
              ? t('{points} of {of, plural, one {# point} other {# points}}', { points: stage.points, of: stage.of })
              : t('locked')}
            {stage.deadline !== null && ` · ${t('until {time} from the start', { time: sayDuration(stage.deadline) })}`}
          </span>
        </p>
        <progress
          aria-label={t('Points of {name}', { name: stage.name })}
          max={Math.max(1, stage.of)}
          value={stage.points}
        />
        <ul>
          {stage.checks.map(({ name, points, position, check_id: id }) => (
            <li key={name} className={position === null ? '' : 'passed'}>
              <Icon name={position === null ? 'minus' : 'check'} />
              <span className="wrap">{name}</span>
              <span className="note">
                {id === null
                  ? t('there is no such check')
                  : t('{points, plural, one {# point} other {# points}}', { points })}
              </span>
            </li>
          ))}
        </ul>
      </li>
    ))}
  </ol>
);
