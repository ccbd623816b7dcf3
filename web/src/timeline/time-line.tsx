import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { RestoreButton } from '../undo/restore-button.tsx';
import { t } from '../words/words.ts';
import { Bar } from './bar/bar.tsx';
import { toggle } from './bar/bar-handle.tsx';
import { timeLineOf, type TimeLine as Controller } from './controller.ts';
import { Drawer, type DrawerTab } from './drawer.tsx';
import { isFiltered } from './panes/filter.ts';
import { ForkButton } from './fork-button.tsx';
import { sayMark } from './bar/marks.ts';
import { markAt, SPEEDS } from './time-line-state.ts';
import { VerifyBadge } from './verify-badge.tsx';
import { sayClock, sayMoment } from './panes/words.ts';
import './timeline.css';

/** The stream is checked by itself only where that takes no time. */
const CHECKED_BY_ITSELF = 20_000;

/** The session as a bar; sets `lab.past`. */
const TimeLine = (): ReactElement => {
  const { lab } = useScope();
  const timeLine = timeLineOf(lab);
  const [tab, setTab] = useState<DrawerTab | null>(null);
  const isPast = useStore(timeLine.state, (now) => now.cursor !== null || now.comparison !== null);
  const isLoaded = useStore(lab.state, (now) => now.isLoaded);
  useEffect(() => (isLoaded ? timeLine.start() : undefined), [timeLine, isLoaded]);
  useEffect(() => {
    const stop = timeLine.state.subscribe(() => {
      const { isComplete, marks } = timeLine.state.get();
      if (!isComplete || marks.length === 0) return;
      stop();
      if (marks.length <= CHECKED_BY_ITSELF) void timeLine.verify();
    });
    return stop;
  }, [timeLine]);
  return (
    <section className={`time-line${isPast ? ' past' : ''}`} aria-label="Time line">
      {tab !== null && <Drawer timeLine={timeLine} tab={tab} onTab={setTab} />}
      <Tools timeLine={timeLine} tab={tab} onTab={setTab} />
      <Bar timeLine={timeLine} />
    </section>
  );
};
export default TimeLine;

interface ToolsProps {
  readonly timeLine: Controller;
  readonly tab: DrawerTab | null;
  readonly onTab: (tab: DrawerTab | null) => void;
}

const Tools = ({ timeLine, tab, onTab }: ToolsProps): ReactElement => {
  const { isPlaying, speed, comparison, filter, marks } = useStore(timeLine.state);
  const flip = (one: DrawerTab): void => onTab(tab === one ? null : one);
  const compare = (): void => {
    if (comparison !== null) {
      timeLine.compare(null);
      timeLine.goTo(null);
      if (tab === 'compare') onTab(null);
      return;
    }
    const { cursor } = timeLine.state.get();
    const [first, last] = [marks[0]?.at, marks.at(-1)?.at];
    if (first === undefined || last === undefined) return;
    timeLine.compare({ from: cursor ?? first, to: last });
    onTab('compare');
  };
  return (
    <div className="time-line-tools">
      <IconButton icon="previous" label="One change back" onClick={() => timeLine.step(-1)} />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Pause' : 'Play the session; long idle time is shortened'}
        onClick={() => toggle(timeLine)}
      />
      <IconButton icon="next" label="One change on" onClick={() => timeLine.step(1)} />
      <select
        className="speed"
        aria-label="Speed of playing"
        value={speed}
        onChange={(event) => timeLine.state.update((now) => ({ ...now, speed: Number(event.target.value) }))}
      >
        {SPEEDS.map((times) => (
          <option key={times} value={times}>
            {times}×
          </option>
        ))}
      </select>
      <Where timeLine={timeLine} />
      <Button icon="history" aria-pressed={tab === 'events'} onClick={() => flip('events')} title="What happened">
        <span className="wide-only">Events</span>
      </Button>
      <Button icon="filter" aria-pressed={tab === 'filter'} onClick={() => flip('filter')} title="Filter">
        <span className="wide-only">Filter</span>
        {isFiltered(filter) && <span className="dot" role="img" aria-label="is on" />}
      </Button>
      <Button icon="compare" aria-pressed={comparison !== null} onClick={compare} title="Compare two moments">
        <span className="wide-only">Compare</span>
      </Button>
      <RestoreAll timeLine={timeLine} />
      <ForkButton timeLine={timeLine} />
      <VerifyBadge timeLine={timeLine} />
    </div>
  );
};

/** Makes the lab what it was at the moment that is shown. */
const RestoreAll = ({ timeLine }: { timeLine: Controller }): ReactElement | null => {
  const cursor = useStore(timeLine.state, (now) => (now.comparison === null ? now.cursor : null));
  const at = cursor === null ? null : timeLine.positionAt(cursor);
  if (cursor === null || at === null) return null;
  return (
    <RestoreButton
      label={t('Restore all …')}
      title={t('Restore the lab as it was at {moment}', { moment: sayMoment(cursor) })}
      wish={{ at }}
      onDone={() => timeLine.goTo(null)}
    />
  );
};

/** Which moment is shown, and the way back to the present. */
const Where = ({ timeLine }: { timeLine: Controller }): ReactElement => {
  const now = useStore(timeLine.state);
  const { cursor, comparison, isComplete, problem } = now;
  if (problem !== null)
    return (
      <span className="where problem" role="alert">
        {problem}
      </span>
    );
  if (cursor === null && comparison === null)
    return (
      <span className="where">
        <strong>Now</strong>
        {isComplete ? '' : ' · reading the session …'}
      </span>
    );
  const mark = cursor === null ? null : markAt(now, cursor);
  return (
    <>
      <Button kind="primary" onClick={() => timeLine.goTo(null)}>
        Back to now
      </Button>
      <span className="where past" data-testid="moment">
        {comparison === null ? (
          <>
            <strong>{cursor === null ? '' : sayMoment(cursor)}</strong>
            {mark === null ? '' : ` · ${sayMark(mark)} · ${mark.who}`}
          </>
        ) : (
          <strong>
            {sayClock(comparison.from)} compared with {sayClock(comparison.to)}
          </strong>
        )}
      </span>
    </>
  );
};
