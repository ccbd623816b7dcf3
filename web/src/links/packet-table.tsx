import { type ReactElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Packet, sayPacketTime, windowOf } from './packets.ts';

const ROW_HEIGHT = 24;
/** So near to the end it is followed. */
const NEAR = 4;

interface Props {
  readonly packets: readonly Packet[];
  readonly isFollowing: boolean;
  /** Somebody scrolled back. */
  readonly onLeave: () => void;
}

/** A long list of packets, of which only those in sight are drawn. */
export const PacketTable = ({ packets, isFollowing, onLeave }: Props): ReactElement => {
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 400 });
  const { from, to } = windowOf(packets.length, place.top, place.height, ROW_HEIGHT);
  useEffect(() => {
    const scroller = ref.current;
    if (scroller === null) return undefined;
    const observer = new ResizeObserver(() => setPlace({ top: scroller.scrollTop, height: scroller.clientHeight }));
    observer.observe(scroller);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const scroller = ref.current;
    if (isFollowing && scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }, [isFollowing, packets]);
  const scroll = (): void => {
    const scroller = ref.current;
    if (scroller === null) return;
    const { scrollTop, clientHeight, scrollHeight } = scroller;
    const wentBack = scrollTop < place.top && scrollHeight - scrollTop - clientHeight > NEAR * ROW_HEIGHT;
    if (isFollowing && wentBack) onLeave();
    setPlace({ top: scrollTop, height: clientHeight });
  };
  return (
    <div ref={ref} className="packets" tabIndex={0} role="region" aria-label="Packets" onScroll={scroll}>
      <table aria-rowcount={packets.length + 1}>
        <thead>
          <tr>
            {['No.', 'Time', 'Source', 'Destination', 'Protocol', 'Length', 'Summary'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {from > 0 && <tr aria-hidden="true" style={{ height: from * ROW_HEIGHT }} />}
          {packets.slice(from, to).map((packet, index) => (
            <PacketRow key={packet.number} packet={packet} index={from + index} />
          ))}
          {to < packets.length && <tr aria-hidden="true" style={{ height: (packets.length - to) * ROW_HEIGHT }} />}
        </tbody>
      </table>
      {packets.length === 0 && <p className="panel-note">No packets yet.</p>}
    </div>
  );
};

const PacketRow = ({ packet, index }: { packet: Packet; index: number }): ReactElement => {
  const { number, time, source, destination, protocol, length, summary } = packet;
  return (
    <tr aria-rowindex={index + 2} className="packet" style={{ height: ROW_HEIGHT }}>
      <td>{number}</td>
      <td title={new Date(time * 1000).toLocaleString()}>{sayPacketTime(time)}</td>
      <td title={source}>{source}</td>
      <td title={destination}>{destination}</td>
      <td>{protocol}</td>
      <td>{length}</td>
      <td title={summary}>{summary}</td>
    </tr>
  );
};
