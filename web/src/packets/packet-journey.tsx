import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { attempt, notify } from '../store/notices.ts';
import type { Link, Records } from '../store/records.ts';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { type DecodedPacket, type Met, type PacketField, readJourney } from './server.ts';

/** A link that a packet went over, from its first end to its second or back. */
interface Hop {
  readonly linkId: string;
  readonly isBack: boolean;
}

const endsOf = (link: Link): readonly string[] => link.nodes.map(({ node_id }) => node_id);

/** Whether it came from the second end, by the MAC addresses of the ports. */
const comesBack = (records: Records, link: Link, macs: { readonly from: string; readonly to: string }): boolean => {
  const [first, second] = link.nodes.map((end) => {
    const ports = records.nodes.get(end.node_id)?.ports ?? [];
    return ports.find((port) => port.adapter_number === end.adapter_number && port.port_number === end.port_number)
      ?.mac_address;
  });
  return (second !== undefined && second === macs.from) || (first !== undefined && first === macs.to);
};

/** The links in the order of time; each is left at the node that it has in common with the next one. */
export const hopsOf = (
  records: Records,
  journey: readonly Met[],
  macs: { readonly from: string; readonly to: string },
): Hop[] => {
  const links = journey.flatMap(({ link_id: id }) => (id === null ? [] : (records.links.get(id) ?? [])));
  return links.map((link, index) => {
    const [first = '', second = ''] = endsOf(link);
    const [next, previous] = [links[index + 1], links[index - 1]];
    const ahead = next === undefined ? [] : endsOf(next);
    const behind = previous === undefined ? [] : endsOf(previous);
    const isForth = ahead.includes(second) || behind.includes(first);
    const isBack = ahead.includes(first) || behind.includes(second);
    return { linkId: link.link_id, isBack: isForth === isBack ? comesBack(records, link, macs) : isBack };
  });
};

const SVG = 'http://www.w3.org/2000/svg';
const RADIUS = '7';

const lineOf = (linkId: string): SVGPathElement | null =>
  document.querySelector<SVGPathElement>(
    `.react-flow__edge[data-id="${CSS.escape(linkId)}"] path.react-flow__edge-path`,
  );

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** A dot goes over the lines of the map, one after the other. Who asked for less motion sees it in the middle of each. */
const animate = async (hops: readonly Hop[], duration: number, signal: AbortSignal): Promise<void> => {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  for (const { linkId, isBack } of hops) {
    const line = lineOf(linkId);
    if (line === null || signal.aborted) continue;
    const dot = document.createElementNS(SVG, 'circle');
    dot.setAttribute('class', 'packet-dot');
    dot.setAttribute('r', RADIUS);
    dot.dataset['link'] = linkId;
    line.parentElement?.append(dot);
    try {
      const begin = await nextFrame();
      for (let now = begin; now < begin + duration && !signal.aborted; now = await nextFrame()) {
        const share = isStill ? 0.5 : Math.max(0, (now - begin) / duration);
        const { x, y } = line.getPointAtLength(line.getTotalLength() * (isBack ? 1 - share : share));
        dot.setAttribute('cx', String(x));
        dot.setAttribute('cy', String(y));
      }
    } finally {
      dot.remove();
    }
  }
};

const SECONDS = [0.5, 1, 2, 5];

const every = (fields: readonly PacketField[]): readonly PacketField[] =>
  fields.flatMap((field) => [field, ...every(field.fields)]);

/** The MAC addresses of a packet, as its fields say them. */
const macsOf = ({ fields }: DecodedPacket): { from: string; to: string } => {
  const all = every(fields);
  const mac = (name: string): string =>
    /(?:[0-9a-f]{2}:){5}[0-9a-f]{2}/.exec(all.find((field) => field.name === name)?.text ?? '')?.[0] ?? '';
  return { from: mac('eth.src'), to: mac('eth.dst') };
};

/** Lets a packet go over the links of the map where it was captured, as slowly as one likes. */
export const AnimateButton = ({ capture, packet }: { capture: string; packet: DecodedPacket }): ReactElement => {
  const { lab } = useScope();
  const { records } = useView();
  const [seconds, setSeconds] = useState(1);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const play = (): Promise<boolean> =>
    attempt(async () => {
      running.current?.abort();
      const ending = new AbortController();
      running.current = ending;
      const hops = hopsOf(records, await readJourney(lab, capture, packet.number), macsOf(packet));
      if (hops.length === 0) notify('info', t('No link of the map has this capture any more.'));
      await animate(hops, seconds * 1000, ending.signal);
    });
  return (
    <>
      <select
        aria-label={t('Time for each link')}
        title={t('Time for each link')}
        value={seconds}
        onChange={({ target }) => setSeconds(Number(target.value))}
      >
        {SECONDS.map((one) => (
          <option key={one} value={one}>
            {t('{seconds, number} s', { seconds: one })}
          </option>
        ))}
      </select>
      <IconButton icon="play" label={t('Show on map')} onClick={() => void play()} />
    </>
  );
};
