import { type KeyboardEvent, type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { type Command, offer } from '../store/commands.ts';
import { useStore } from '../store/use-store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { sayClock, sayMoment } from '../words/format.ts';
import { t } from '../words/words.ts';
import { useBesideAddress, useMomentAddress } from './address.ts';
import { toggle, ZOOM } from './bar/bar-handle.tsx';
import { Bar } from './bar/bar.tsx';
import { openMoments, openOther } from './beside/open-beside.ts';
import { timeLineOf } from './controller.ts';
import { Drawer, type DrawerTab } from './drawer.tsx';
import './lists.css';
import { sentenceOf } from './sentences/sentence.ts';
import { SPEEDS, type TimeLine } from './time-line-state.ts';
import './timeline.css';
import { ViewTools } from './view-tools.tsx';

/** The stream is checked by itself only where that takes no time. */
const CHECKED_BY_ITSELF = 20_000;

/** The session as a strip that opens; sets `lab.past`. */
const TimeLineStrip = (): ReactElement => {
  const { lab, workbench, frame } = useScope();
  const timeLine = timeLineOf(lab);
  const [tab, setTab] = useState<DrawerTab | null>(null);
  const isOpen = useStore(frame, (now) => now.isTimeLineOpen);
  const isPast = useStore(timeLine.state, (now) => now.cursor !== null || now.comparison !== null);
  const isLoaded = useStore(lab.state, (now) => now.isLoaded);
  useEffect(() => (isLoaded ? timeLine.start() : undefined), [timeLine, isLoaded]);
  useMomentAddress(timeLine);
  useBesideAddress(workbench, lab.projectId);
  useFirstCheck(timeLine);
  useTimeLineCommands(timeLine);
  const isComparing = useStore(timeLine.state, (now) => now.comparison !== null);
  // With the comparison its list goes away.
  const shown = tab === 'compare' && !isComparing ? null : tab;
  const drawer = shown === null ? null : <Drawer timeLine={timeLine} tab={shown} onTab={setTab} />;
  return (
    <section
      className={`time-line${isPast ? ' past' : ''}${isOpen ? ' open' : ''}`}
      aria-label={t('Time line')}
      onKeyDown={(event) => steer(event, timeLine)}
    >
      {!isOpen && drawer}
      <div className="time-line-strip">
        <PlayTools timeLine={timeLine} />
        {isOpen ? <ZoomTools timeLine={timeLine} /> : <Bar timeLine={timeLine} isOpen={false} />}
        <Where timeLine={timeLine} />
        <ViewTools timeLine={timeLine} tab={shown} onTab={setTab} />
        <IconButton
          icon={isOpen ? 'chevronDown' : 'chevronUp'}
          label={isOpen ? t('Close the time line') : t('Open the time line')}
          aria-expanded={isOpen}
          onClick={() => frame.update((now) => ({ ...now, isTimeLineOpen: !isOpen }))}
        />
      </div>
      {isOpen && (
        <div className="time-line-body">
          <Bar timeLine={timeLine} isOpen />
          {drawer}
        </div>
      )}
    </section>
  );
};
export default TimeLineStrip;

const useFirstCheck = (timeLine: TimeLine): void => {
  useEffect(() => {
    const stop = timeLine.state.subscribe(() => {
      const { isComplete, overview } = timeLine.state.get();
      if (!isComplete || overview === null || overview.of === 0) return;
      stop();
      if (overview.of <= CHECKED_BY_ITSELF) void timeLine.verify(false);
    });
    return stop;
  }, [timeLine]);
};

/** Keys that mean the same wherever the focus is in the time line, but where something is typed. */
const steer = (event: KeyboardEvent, timeLine: TimeLine): void => {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '+' || event.key === '=') timeLine.zoom(1 / ZOOM);
  else if (event.key === '-') timeLine.zoom(ZOOM);
  else if (event.key === '0') timeLine.zoomTo(null);
  else return;
  event.preventDefault();
  event.stopPropagation();
};

const ZoomTools = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const isZoomed = useStore(timeLine.state, (now) => now.zoomed !== null);
  return (
    <div className="time-line-group">
      <IconButton icon="zoom-in" label={t('Zoom in on the time line')} onClick={() => timeLine.zoom(1 / ZOOM)} />
      <IconButton
        icon="zoom-out"
        label={t('Zoom out of the time line')}
        disabled={!isZoomed}
        onClick={() => timeLine.zoom(ZOOM)}
      />
      <IconButton
        icon="fit"
        label={t('Show the whole session')}
        disabled={!isZoomed}
        onClick={() => timeLine.zoomTo(null)}
      />
    </div>
  );
};

/** Step, play, and how fast. */
const PlayTools = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
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
const Where = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
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

/** Offers to the search what can be done with the past. */
const useTimeLineCommands = (timeLine: TimeLine): void => {
  const scope = useScope();
  useEffect(() => {
    const moment = (): number | null => timeLine.state.get().cursor;
    const commands: readonly Command[] = [
      {
        id: 'beside moments',
        text: t('Two moments side by side'),
        icon: 'split',
        run: () => openMoments(scope, moment() ?? timeLine.state.get().overview?.first?.at ?? null, null),
      },
      {
        id: 'beside project',
        text: t('Side by side with a fork or another project'),
        icon: 'split',
        run: () => void openOther(scope, moment()),
      },
      { id: 'verify', text: t('Verify'), icon: 'lock', run: () => void timeLine.verify(true) },
    ];
    return offer(commands);
  }, [scope, timeLine]);
};
