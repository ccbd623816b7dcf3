import { type KeyboardEvent, type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { Bar } from './bar/bar.tsx';
import { ZOOM } from './bar/bar-handle.tsx';
import { useBesideInHash } from './beside/in-hash.ts';
import { timeLineOf, type TimeLine as Controller } from './control/controller.ts';
import { useTimeLineCommands } from './commands.ts';
import { Drawer, type DrawerTab } from './drawer.tsx';
import { useMomentInHash } from './moment-in-hash.ts';
import { PlayTools, Where } from './play-tools.tsx';
import { ViewTools } from './view-tools.tsx';
import './timeline.css';
import './lists.css';

/** The stream is checked by itself only where that takes no time. */
const CHECKED_BY_ITSELF = 20_000;

/** The session as a strip that opens; sets `lab.past`. */
const TimeLine = (): ReactElement => {
  const { lab, workbench, frame } = useScope();
  const timeLine = timeLineOf(lab);
  const [tab, setTab] = useState<DrawerTab | null>(null);
  const isOpen = useStore(frame, (now) => now.isTimeLineOpen);
  const isPast = useStore(timeLine.state, (now) => now.cursor !== null || now.comparison !== null);
  const isLoaded = useStore(lab.state, (now) => now.isLoaded);
  useEffect(() => (isLoaded ? timeLine.start() : undefined), [timeLine, isLoaded]);
  useMomentInHash(timeLine);
  useBesideInHash(workbench, lab.projectId);
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
export default TimeLine;

const useFirstCheck = (timeLine: Controller): void => {
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
const steer = (event: KeyboardEvent, timeLine: Controller): void => {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '+' || event.key === '=') timeLine.zoom(1 / ZOOM);
  else if (event.key === '-') timeLine.zoom(ZOOM);
  else if (event.key === '0') timeLine.zoomTo(null);
  else return;
  event.preventDefault();
  event.stopPropagation();
};

const ZoomTools = ({ timeLine }: { timeLine: Controller }): ReactElement => {
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
