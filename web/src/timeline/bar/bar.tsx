import {
  type PointerEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { useStore } from '../../store/use-store.ts';
import { sayMoment } from '../../words/format.ts';
import { t } from '../../words/words.ts';
import { useMapPointer } from '../map-pointer.ts';
import { sentenceOf } from '../sentences/sentence.ts';
import { type EntriesPage, readEntries } from '../server.ts';
import { type Handle, spanOf, type TimeLine, type TimeLineState } from '../time-line-state.ts';
import { BarHandle } from './bar-handle.tsx';
import { BarMenu, type BarMenuAt, menuAt, SnapshotMarks } from './bar-menu.tsx';
import { LaneLabels, Lanes } from './lanes.tsx';
import { ticksOf } from './scale.ts';

/** Distance to a mark, in pixels, within which the pointer means the mark. */
const SNAP = 5;
/** Pixels of a column of counts. */
const COLUMN = 3;
/** A drag that is shorter is a press. Pixels. */
const DRAG = 4;

const ONE: readonly Handle[] = ['cursor'];
const TWO: readonly Handle[] = ['from', 'to'];

/** The session as a bar: lanes of marks over an axis, and one handle, or two when moments are compared. */
export const Bar = ({ timeLine, isOpen }: { timeLine: TimeLine; isOpen: boolean }): ReactElement => {
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const now = useStore(timeLine.state);
  const held = useRef<Handle | null>(null);
  const [hover, setHover] = useState<number | null>(null);
  const [menu, setMenu] = useState<BarMenuAt | null>(null);
  useWheel(ref, timeLine);
  useEffect(() => {
    if (width > 0) timeLine.setColumns(Math.max(20, Math.min(1000, Math.round(width / COLUMN))));
  }, [timeLine, width]);
  const xOf = (clientX: number): number =>
    Math.max(0, Math.min(width, clientX - (ref.current?.getBoundingClientRect().left ?? 0)));
  const move = (clientX: number): void => {
    const time = timeOf(now, xOf(clientX), width);
    timeLine.place(held.current ?? 'cursor', time);
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0 || now.overview?.first == null) return;
    // The menu of a mark is no part of the bar, though its events come by here.
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = nearestHandle(now, timeOf(now, xOf(event.clientX), width));
    timeLine.pause();
    move(event.clientX);
  };
  return (
    <div className="bar-row">
      {isOpen && <LaneLabels now={now} />}
      <div className="bar-column">
        <div
          ref={ref}
          className="bar"
          onPointerDown={press}
          onPointerMove={(event) => {
            if (held.current !== null) move(event.clientX);
            else setHover(xOf(event.clientX));
          }}
          onPointerLeave={() => setHover(null)}
          onPointerUp={() => (held.current = null)}
          onPointerCancel={() => (held.current = null)}
          onContextMenu={(event) => setMenu(menuAt(event, now, timeOf(now, xOf(event.clientX), width)))}
        >
          <Lanes now={now} width={width} isOpen={isOpen} />
          <SnapshotMarks timeLine={timeLine} width={width} />
          {(now.comparison === null ? ONE : TWO).map((which) => (
            <BarHandle key={which} {...{ timeLine, which, width }} />
          ))}
        </div>
        {hover !== null && menu === null && <Hover timeLine={timeLine} x={hover} width={width} />}
        {menu !== null && <BarMenu timeLine={timeLine} {...menu} onClose={() => setMenu(null)} />}
        {isOpen && <RangeAxis timeLine={timeLine} now={now} width={width} />}
      </div>
    </div>
  );
};

/** Dragging over the axis zooms to what was dragged over; a double click shows all again. */
const RangeAxis = ({
  timeLine,
  now,
  width,
}: {
  timeLine: TimeLine;
  now: TimeLineState;
  width: number;
}): ReactElement => {
  const [range, setRange] = useState<readonly [number, number] | null>(null);
  const xOf = (event: PointerEvent<HTMLDivElement>): number =>
    Math.max(0, Math.min(width, event.clientX - event.currentTarget.getBoundingClientRect().left));
  const time = (x: number): number => now.scale.toTime((x / Math.max(1, width)) * now.scale.length);
  const end = (): void => {
    if (range !== null && Math.abs(range[1] - range[0]) > DRAG)
      timeLine.zoomTo(spanOf(time(Math.min(...range)), time(Math.max(...range))));
    setRange(null);
  };
  return (
    <div
      className="axis-drag"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setRange([xOf(event), xOf(event)]);
      }}
      onPointerMove={(event) => {
        if (range !== null) setRange([range[0], xOf(event)]);
      }}
      onPointerUp={end}
      onPointerCancel={() => setRange(null)}
      onDoubleClick={() => timeLine.zoomTo(null)}
    >
      <Axis now={now} width={width} />
      {range !== null && (
        <span className="axis-range" style={{ left: Math.min(...range), width: Math.abs(range[1] - range[0]) }} />
      )}
    </div>
  );
};

/** The wheel zooms where the pointer is; sideways, or with Shift, it moves the bar. A pinch is a wheel with Ctrl. */
const useWheel = (ref: RefObject<HTMLDivElement | null>, timeLine: TimeLine): void => {
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const turn = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, width } = element.getBoundingClientRect();
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (isSideways) timeLine.pan((event.deltaX || event.deltaY) / Math.max(1, width));
      else timeLine.zoom(2 ** (event.deltaY / (event.ctrlKey ? 40 : 200)), (event.clientX - left) / Math.max(1, width));
    };
    // React listens passively to wheels, and the page must not scroll.
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [ref, timeLine]);
};

const nearestHandle = ({ comparison }: TimeLineState, time: number | null): Handle => {
  if (comparison === null) return 'cursor';
  if (time === null) return 'to';
  return Math.abs(time - comparison.from) < Math.abs(time - comparison.to) ? 'from' : 'to';
};

/** The time at a place, or of a mark beside it; null at the end of a bar that goes up to now. */
const timeOf = ({ scale, overview, zoomed }: TimeLineState, x: number, width: number): number | null => {
  if (x >= width - 1 && zoomed === null) return null;
  const place = (x / Math.max(1, width)) * scale.length;
  const reach = (SNAP / Math.max(1, width)) * scale.length;
  let nearest: number | null = null;
  for (const { at } of overview?.marks ?? []) {
    const distance = Math.abs(scale.toPlace(at) - place);
    if (distance <= reach && (nearest === null || distance < Math.abs(scale.toPlace(nearest) - place))) nearest = at;
  }
  return nearest ?? Math.round(scale.toTime(place));
};

/** Pixels on both sides of the pointer that it means. */
const REACH = 4;
const FIRST = 4;
/** A pointer that passes asks nothing. Milliseconds. */
const REST_MS = 80;
const WIDE = 320;

interface HoverProps {
  readonly timeLine: TimeLine;
  readonly x: number;
  readonly width: number;
}

/** Entry under the pointer, shown over the bar. */
const Hover = ({ timeLine, x, width }: HoverProps): ReactElement => {
  const { lab } = useScope();
  const [page, setPage] = useState<EntriesPage | null>(null);
  const { scale, filter } = timeLine.state.get();
  const timeAt = (at: number): number =>
    Math.round(scale.toTime((Math.max(0, Math.min(width, at)) / Math.max(1, width)) * scale.length));
  const [from, to] = [timeAt(x - REACH), timeAt(x + REACH)];
  useEffect(() => {
    const ending = new AbortController();
    const timer = setTimeout(() => {
      readEntries(lab, { filter, from, to, limit: FIRST }, ending.signal).then(setPage, () => undefined);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [lab, filter, from, to]);
  useMapPointer(page?.entries[0]?.object?.id ?? null);
  return (
    <div className="hover-card" style={{ left: Math.max(0, Math.min(x - WIDE / 2, width - WIDE)) }} aria-hidden="true">
      <time>{sayMoment(page?.entries[0]?.at ?? timeAt(x))}</time>
      {page?.entries.map((entry) => (
        <p key={entry.position} className={`entry ${entry.kind}`}>
          {sentenceOf(entry)}
        </p>
      ))}
      {page !== null && page.total > FIRST && (
        <p className="note">{t('and {count} more', { count: page.total - FIRST })}</p>
      )}
    </div>
  );
};

/** Times below the bar; a wave marks where idle time was left out. */
const Axis = ({ now: { scale, overview }, width }: { now: TimeLineState; width: number }): ReactElement => {
  const ticks = useMemo(() => ticksOf(scale, width, overview?.gaps ?? []), [scale, width, overview]);
  return (
    <div className="axis" aria-hidden="true">
      {overview?.first != null &&
        ticks.map(({ x, text, isAfterGap }) => (
          <span key={x} className={isAfterGap ? 'tick gap' : 'tick'} style={{ left: x }}>
            {text}
          </span>
        ))}
    </div>
  );
};

/** Pixels that an element is wide. */
const useWidth = (ref: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
};
