import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { useStore } from '../../store/use-store.ts';
import { sayClock, sayMoment } from '../../words/format.ts';
import { t } from '../../words/words.ts';
import { useMapPointer } from '../map-pointer.ts';
import { sentenceOf } from '../sentences/sentence.ts';
import { type Entry, readEntries, type Filter } from '../server.ts';
import type { TimeLine } from '../time-line-state.ts';
import { toggleKind } from './filter.ts';

/** Height of a row, in pixels: as timeline.css has it. */
const ROW = 28;
const PAGE = 100;
/** Rows that are there above and below those in sight, for the keyboard and a quick hand. */
const AROUND = 6;
/** The tallest that browsers let something be; a longer list is scrolled in larger steps. Pixels. */
const TALLEST = 8_000_000;

/** All events that the filter lets through, as sentences; of a million of them those in sight are read. Pressing one goes there. */
export const EventsPane = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { cursor, here, filter, turn } = useStore(timeLine.state);
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState<{ first: number; room: number }>({ first: 0, room: 10 });
  const { rows, total } = useRows(timeLine, top);
  const [pointed, setPointed] = useState<string | null>(null);
  useMapPointer(pointed);
  const step = total * ROW > TALLEST ? TALLEST / total : ROW;
  const index = useIndexOf(timeLine, total);
  // To the moment, or to the newest; who scrolls stays where they are until another moment is shown.
  useEffect(() => {
    const element = ref.current;
    if (element === null || total === 0) return;
    const wanted = index ?? total - 1;
    const [low, high] = [element.scrollTop / step, (element.scrollTop + element.clientHeight) / step - 1];
    if (wanted < low || wanted > high) element.scrollTop = Math.max(0, wanted * step - element.clientHeight / 2);
  }, [index, total, step, filter]);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const look = (): void =>
      setTop({
        first: Math.max(0, Math.floor(element.scrollTop / step) - AROUND),
        room: Math.ceil(element.clientHeight / ROW) + 2 * AROUND,
      });
    look();
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [step, turn]);
  return (
    <div className="events-pane">
      <FilterBar timeLine={timeLine} total={total} />
      {total === 0 && <p className="note">{t('Nothing that the filter lets through.')}</p>}
      <div ref={ref} className="events-scroll" tabIndex={-1}>
        <ol className="events" style={{ height: total * step }}>
          {rows.map(([number, entry]) => (
            <li
              key={number}
              style={{ top: top.first * step + (number - top.first) * ROW }}
              aria-posinset={number + 1}
              aria-setsize={total}
            >
              <EventRow
                entry={entry}
                isHere={cursor !== null && entry.position === here?.position}
                onGo={() => timeLine.goTo(entry.at)}
                onPoint={(isPointed) => setPointed(isPointed ? (entry.object?.id ?? null) : null)}
              />
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
};

interface RowProps {
  readonly entry: Entry;
  readonly isHere: boolean;
  readonly onGo: () => void;
  readonly onPoint: (isPointed: boolean) => void;
}

const EventRow = ({ entry, isHere, onGo, onPoint }: RowProps): ReactElement => (
  <button
    type="button"
    className={`event ${entry.kind}`}
    aria-current={isHere}
    onClick={onGo}
    onPointerEnter={() => onPoint(true)}
    onPointerLeave={() => onPoint(false)}
    onFocus={() => onPoint(true)}
    onBlur={() => onPoint(false)}
  >
    <time dateTime={new Date(entry.at).toISOString()} title={sayMoment(entry.at)}>
      {sayClock(entry.at)}
    </time>
    <span className="sentence" title={sentenceOf(entry)}>
      {sentenceOf(entry)}
    </span>
  </button>
);

/** The entries in sight, with their numbers. Pages that were read stay until something happens. */
const useRows = (
  timeLine: TimeLine,
  { first, room }: { first: number; room: number },
): { rows: (readonly [number, Entry])[]; total: number } => {
  const { lab } = useScope();
  const { filter, turn } = useStore(timeLine.state);
  const [pages, setPages] = useState<Pages>(NO_PAGES);
  const [low, high] = [Math.floor(Math.max(0, first) / PAGE), Math.floor((first + room) / PAGE)];
  const known = useRef(NO_PAGES);
  useEffect(() => {
    const ending = new AbortController();
    // Pages of an earlier turn are shown until the new ones are there.
    if (known.current.filter !== filter || known.current.turn !== turn) known.current = { ...NO_PAGES, filter, turn };
    const wanted = Array.from({ length: high - low + 1 }, (_, n) => low + n).filter(
      (page) => !known.current.of.has(page),
    );
    for (const page of wanted)
      readEntries(lab, { filter, offset: page * PAGE, limit: PAGE }, ending.signal).then(
        ({ total, entries }) => {
          if (ending.signal.aborted) return;
          known.current = { ...known.current, total, of: new Map([...known.current.of, [page, entries]]) };
          setPages(known.current);
        },
        () => undefined,
      );
    return () => ending.abort();
  }, [lab, filter, turn, low, high]);
  const rows: (readonly [number, Entry])[] = [];
  for (let number = first; number < first + room; number++) {
    const entry = pages.of.get(Math.floor(number / PAGE))?.[number % PAGE];
    if (entry !== undefined) rows.push([number, entry]);
  }
  return { rows, total: pages.total };
};

interface Pages {
  readonly filter: Filter | null;
  readonly turn: number;
  readonly total: number;
  readonly of: ReadonlyMap<number, readonly Entry[]>;
}
const NO_PAGES: Pages = { filter: null, turn: 0, total: 0, of: new Map() };

/** Where the moment that is shown stands in the list; null: it is the present. */
const useIndexOf = (timeLine: TimeLine, total: number): number | null => {
  const { lab } = useScope();
  const { cursor, filter } = useStore(timeLine.state);
  const [index, setIndex] = useState<number | null>(null);
  useEffect(() => {
    if (cursor === null) {
      setIndex(null);
      return undefined;
    }
    const ending = new AbortController();
    readEntries(lab, { filter, to: cursor, order: 'desc', limit: 1 }, ending.signal).then(
      (page) => setIndex(page.entries.length === 0 ? 0 : page.index),
      () => undefined,
    );
    return () => ending.abort();
  }, [lab, cursor, filter, total]);
  return index;
};

/** The most frequent filters: words, and everything but moves. */
const FilterBar = ({ timeLine, total }: { timeLine: TimeLine; total: number }): ReactElement => {
  const filter = useStore(timeLine.state, (now) => now.filter);
  return (
    <div className="filter-bar">
      <input
        type="search"
        aria-label={t('Search the events')}
        placeholder={t('Search the events')}
        value={filter.text}
        onChange={(event) => timeLine.setFilter({ ...filter, text: event.target.value })}
      />
      <label>
        <input
          type="checkbox"
          checked={!filter.kinds.includes('move')}
          onChange={() => timeLine.setFilter(toggleKind(filter, 'move'))}
        />
        {t('Ignore moves')}
      </label>
      <span className="note" role="status">
        {t('{count, plural, one {# event} other {# events}}', { count: total })}
      </span>
    </div>
  );
};
