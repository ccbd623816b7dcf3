import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { Schemas } from 'topolog/client';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useScope } from '../app/lab-context.tsx';
import { isDark } from '../app/user/theme.ts';
import { useStore } from '../store/use-store.ts';
import { t } from '../words/words.ts';
import type { FilterDescription } from './filter-form.ts';
import { chartOf, ratesOf, sayRate, SPAN, trafficOf } from './traffic.ts';

const HEIGHT = 130;
const TICK_MS = 1000;

interface Props {
  readonly linkId: string;
  /** How both directions are called. */
  readonly directions: readonly [string, string];
}

/** Frames and losses of a link in the last minute, and what they are now in numbers. */
export const TrafficChart = ({ linkId, directions }: Props): ReactElement => {
  const { lab } = useScope();
  const ref = useRef<HTMLDivElement>(null);
  const dark = useStore(isDark);
  const traffic = trafficOf(lab);
  useEffect(() => {
    const place = ref.current;
    if (place === null) return undefined;
    const rows = (): uPlot.AlignedData => chartOf(traffic.get().get(linkId) ?? [], Date.now());
    const chart = new uPlot(optionsFor(place), rows(), place);
    const draw = (): void => chart.setData(rows());
    const timer = setInterval(draw, TICK_MS);
    const stop = traffic.subscribe(draw);
    const observer = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT }));
    observer.observe(place);
    return () => {
      clearInterval(timer);
      stop();
      observer.disconnect();
      chart.destroy();
    };
    // Colours are read again with the theme.
  }, [traffic, linkId, dark]);
  return (
    <figure className="traffic">
      <div ref={ref} className="traffic-chart" aria-hidden="true" />
      <TrafficNumbers linkId={linkId} directions={directions} />
    </figure>
  );
};

const optionsFor = (place: HTMLElement): uPlot.Options => {
  const style = getComputedStyle(place);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
  const axis: uPlot.Axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 } };
  return {
    width: Math.max(100, place.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_, from, to) => [Math.max(from, to - SPAN), to] },
      y: { range: (_, __, most) => [0, Math.max(5, most * 1.1)] },
    },
    axes: [
      { ...axis, space: 80, values: (_, seconds) => seconds.map((at) => time.format(at * 1000)) },
      { ...axis, size: 44, values: (_, rates) => rates.map(sayRate) },
    ],
    series: [
      {},
      { stroke: colour('--accent'), width: 2 },
      { stroke: colour('--started'), width: 2, dash: [8, 4] },
      { stroke: colour('--danger'), width: 2, dash: [2, 3], fill: colour('--danger-soft') },
    ],
  };
};

const TrafficNumbers = ({ linkId, directions }: Props): ReactElement => {
  const { lab } = useScope();
  const { frames, bytes, dropped, delayed } = useStore(trafficOf(lab), (now) => ratesOf(now, linkId));
  return (
    <table className="traffic-numbers" data-testid="traffic">
      <thead>
        <tr>
          <th scope="col">{t('Frames/s')}</th>
          <th scope="col">{t('kbit/s')}</th>
          <th scope="col">{t('Lost/s')}</th>
          <th scope="col">{t('Waiting')}</th>
        </tr>
      </thead>
      {([0, 1] as const).map((way) => (
        <tbody key={way} className={`way-${way}`}>
          <tr>
            <th scope="rowgroup" colSpan={4}>
              {directions[way]}
            </th>
          </tr>
          <tr>
            <td>{sayRate(frames[way])}</td>
            <td>{sayRate((bytes[way] * 8) / 1000)}</td>
            <td className={dropped[way] > 0 ? 'problem' : ''}>{sayRate(dropped[way])}</td>
            <td>{delayed[way]}</td>
          </tr>
        </tbody>
      ))}
    </table>
  );
};

const AGAIN_MS = 2_000;

interface FrameCountsProps {
  readonly linkId: string;
  readonly descriptions: readonly FilterDescription[];
  /** How both directions are called. */
  readonly directions: readonly [string, string];
}

/** Frames that have passed since the link is there, and the rest of them by reason. */
export const FrameCounts = ({ linkId, descriptions, directions }: FrameCountsProps): ReactElement | null => {
  const counts = useCounts(linkId);
  if (counts === null) return null;
  const [there, back] = counts.directions;
  const names: readonly (readonly [string, string])[] = [
    ...descriptions.map(({ type, name }) => [type, name] as const),
    ['suspended', t('Suspended')],
    ['queue_full', t('Queue full')],
  ];
  const reasons = names.filter(([type]) => (there.reasons[type] ?? 0) + (back.reasons[type] ?? 0) > 0);
  const rows: readonly (readonly [string, number, number])[] = [
    [t('Arrived'), there.frames, back.frames],
    [t('Octets'), there.bytes, back.bytes],
    [t('Dropped'), there.dropped, back.dropped],
    ...reasons.map(([type, name]) => [name, there.reasons[type] ?? 0, back.reasons[type] ?? 0] as const),
  ];
  return (
    <table className="traffic-numbers" data-testid="frame-counts">
      <caption>{t('Since the link was made')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Frames')}</th>
          {directions.map((direction) => (
            <th key={direction} scope="col">
              {direction}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, one, other]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{t('{count, number}', { count: one })}</td>
            <td>{t('{count, number}', { count: other })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const useCounts = (linkId: string): Schemas['LinkTraffic'] | null => {
  const { lab } = useScope();
  const [counts, setCounts] = useState<Schemas['LinkTraffic'] | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = { project_id: lab.projectId, link_id: linkId };
    const read = async (): Promise<void> => {
      const given = lab.client.get('/v2/projects/{project_id}/links/{link_id}/traffic', {
        path,
        signal: ending.signal,
      });
      // The last counts stay in sight while nobody answers.
      await given.then(setCounts, () => undefined);
      if (!ending.signal.aborted) timer = setTimeout(() => void read(), AGAIN_MS);
    };
    void read();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [lab, linkId]);
  return counts;
};
