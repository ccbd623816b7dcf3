import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { t } from '../words/words.ts';
import { familyOf, rowAfter, sayPacketTime, scrollTo, windowOf } from './rows.ts';
import type { Packet } from './server.ts';

const ROW_HEIGHT = 24;
/** Distance from the end, in rows, within which the list follows it. */
const NEAR = 4;

interface Props {
  readonly rows: number;
  /** Undefined: not read yet. */
  readonly packetAt: (row: number) => Packet | undefined;
  readonly selected: number | null;
  readonly onSelect: (row: number) => void;
  readonly onLook?: (from: number, to: number) => void;
  /** The end is kept in sight. */
  readonly isFollowing?: boolean;
  /** Somebody scrolled back. */
  readonly onLeave?: () => void;
  /** A further column before the others: head and cell. */
  readonly extra?: { readonly title: string; readonly of: (row: number) => string };
  readonly empty: ReactNode;
}

/** A list of packets of any length, of which only those in sight are drawn. Arrow keys go from one to the next. */
export const PacketList = (props: Props): ReactElement => {
  const { rows, packetAt, selected, onSelect, onLook, extra, empty } = props;
  const id = useId();
  const { ref, place, scroll, show } = useScroller(props);
  const shown = windowOf(rows, place, ROW_HEIGHT);
  useEffect(() => onLook?.(shown.from, shown.to), [onLook, shown.from, shown.to]);
  const press = (event: KeyboardEvent): void => {
    const next = rowAfter(event.key, selected, rows, Math.max(1, Math.floor(place.height / ROW_HEIGHT) - 2));
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(next);
    show(next);
  };
  const titles = [...(extra === undefined ? [] : [extra.title]), ...titlesOf()];
  return (
    <div ref={ref} className="packets" role="region" aria-label={t('Packets')} onScroll={scroll}>
      <table
        role="grid"
        aria-label={t('Packets')}
        aria-rowcount={rows + 1}
        tabIndex={0}
        aria-activedescendant={selected === null ? undefined : `${id}-${selected}`}
        className={extra === undefined ? '' : 'with-place'}
        onKeyDown={press}
      >
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.before > 0 && <tr aria-hidden="true" style={{ height: shown.before }} />}
          {Array.from({ length: shown.to - shown.from }, (_, index) => shown.from + index).map((row) => (
            <PacketRow
              key={row}
              id={`${id}-${row}`}
              row={row}
              packet={packetAt(row)}
              place={extra?.of(row)}
              isSelected={row === selected}
              onSelect={onSelect}
            />
          ))}
          {shown.behind > 0 && <tr aria-hidden="true" style={{ height: shown.behind }} />}
        </tbody>
      </table>
      {rows === 0 && <div className="panel-note">{empty}</div>}
    </div>
  );
};

const titlesOf = (): readonly string[] => [
  t('No.'),
  t('Time'),
  t('Source'),
  t('Destination'),
  t('Protocol'),
  t('Length'),
  t('Info'),
];

const useScroller = ({ rows, isFollowing = false, onLeave }: Props) => {
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 400 });
  useEffect(() => {
    const scroller = ref.current;
    if (scroller === null) return undefined;
    const observer = new ResizeObserver(() => {
      // While its tab was hidden it had no height, and could not go to its end.
      if (isFollowing) scroller.scrollTop = scroller.scrollHeight;
      setPlace({ top: scroller.scrollTop, height: scroller.clientHeight });
    });
    observer.observe(scroller);
    return () => observer.disconnect();
  }, [isFollowing]);
  useLayoutEffect(() => {
    const scroller = ref.current;
    if (isFollowing && scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }, [isFollowing, rows]);
  const scroll = (): void => {
    const scroller = ref.current;
    if (scroller === null) return;
    const { scrollTop, clientHeight, scrollHeight } = scroller;
    const wentBack = scrollTop < place.top && scrollHeight - scrollTop - clientHeight > NEAR * ROW_HEIGHT;
    if (isFollowing && wentBack) onLeave?.();
    setPlace({ top: scrollTop, height: clientHeight });
  };
  const show = (row: number): void => {
    const scroller = ref.current;
    if (scroller === null) return;
    scroller.scrollTop = scrollTo(row, rows, { top: scroller.scrollTop, height: scroller.clientHeight }, ROW_HEIGHT);
    if (row < rows - 1) onLeave?.();
  };
  return { ref, place, scroll, show };
};

interface RowProps {
  readonly id: string;
  readonly row: number;
  readonly packet: Packet | undefined;
  readonly place: string | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (row: number) => void;
}

const PacketRow = ({ id, row, packet, place, isSelected, onSelect }: RowProps): ReactElement => {
  const { number, time, source, destination, protocol = '', length, summary } = packet ?? {};
  return (
    <tr
      id={id}
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      className={`packet ${packet === undefined ? '' : familyOf(protocol)}`}
      style={{ height: ROW_HEIGHT }}
      onClick={() => onSelect(row)}
    >
      {place !== undefined && <td title={place}>{place}</td>}
      <td>{number}</td>
      <td title={time === undefined ? '' : new Date(time * 1000).toLocaleString()}>
        {time === undefined ? '' : sayPacketTime(time)}
      </td>
      <td title={source}>{source}</td>
      <td title={destination}>{destination}</td>
      <td>{protocol}</td>
      <td>{length}</td>
      <td title={summary}>{summary}</td>
    </tr>
  );
};
