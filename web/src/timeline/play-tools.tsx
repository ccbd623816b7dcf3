import type { ReactElement } from 'react';
import { useStore } from '../store/use-store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { toggle } from './bar/bar-handle.tsx';
import type { TimeLine } from './control/controller.ts';
import { sayClock, sayMoment } from '../words/format.ts';
import { sentenceOf } from './sentences/sentence.ts';
import { SPEEDS } from './time-line-state.ts';

/** Step, play, and how fast. */
export const PlayTools = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { isPlaying, speed } = useStore(timeLine.state);
  return (
    <div className="time-line-group">
      <IconButton icon="previous" label={t('One change back')} onClick={() => timeLine.step(-1)} />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? t('Pause') : t('Play the session; long idle time is shortened')}
        onClick={() => toggle(timeLine)}
      />
      <IconButton icon="next" label={t('One change on')} onClick={() => timeLine.step(1)} />
      <select
        className="speed"
        aria-label={t('Speed of playing')}
        value={speed}
        onChange={(event) => timeLine.state.update((now) => ({ ...now, speed: Number(event.target.value) }))}
      >
        {SPEEDS.map((times) => (
          <option key={times} value={times}>
            {times}×
          </option>
        ))}
      </select>
    </div>
  );
};

/** Which moment is shown, and the way back to the present. */
export const Where = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { cursor, comparison, here, overview, isComplete, problem } = useStore(timeLine.state);
  if (problem !== null)
    return (
      <span className="where problem" role="alert">
        {problem}
      </span>
    );
  if (cursor === null && comparison === null)
    return (
      <span className="where">
        <strong>{t('Now')}</strong>
        {!isComplete && (
          <span className="note" role="status">
            {' '}
            {overview === null || overview.of === 0
              ? t('Reading the session …')
              : t('Reading the session: {share, number, ::percent}', { share: overview.indexed / overview.of })}
          </span>
        )}
      </span>
    );
  return (
    <>
      <Button kind="primary" onClick={() => timeLine.goTo(null)}>
        {t('Back to now')}
      </Button>
      <span className="where past" data-testid="moment">
        {comparison === null ? (
          <>
            <strong>{cursor === null ? '' : sayMoment(cursor)}</strong>
            {here === null ? '' : ` · ${sentenceOf(here)}`}
          </>
        ) : (
          <strong>
            {t('{from} compared with {to}', { from: sayClock(comparison.from), to: sayClock(comparison.to) })}
          </strong>
        )}
      </span>
    </>
  );
};
