import { type ReactElement, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useScope } from '../app/lab-context.tsx';
import { isDark } from '../app/user/theme.ts';
import { useStore } from '../store/use-store.ts';
import { t } from '../words/words.ts';
import { chartOf, ratesOf, sayRate, SPAN, trafficOf } from './traffic.ts';
import 'uplot/dist/uPlot.min.css';

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
