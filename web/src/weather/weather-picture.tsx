import { type ReactElement, useEffect, useState } from 'react';
import { t } from '../words/words.ts';
import { actOf } from './draft.ts';
import { lengthOfAll, sayClockOf, spansOf, ticksOf } from './spans.ts';
import type { Weather } from './weather.ts';

const ROW = 14;
const AXIS = 18;
const WIDTH = 1000;

/** When the entries are there, one below the other, and where the weather is. */
export const WeatherPicture = ({ weather }: { weather: Weather }): ReactElement => {
  const now = useNow(weather);
  const { entries } = weather;
  const length = lengthOfAll(entries, now ?? 0);
  const xOf = (ms: number): number => (ms / length) * WIDTH;
  const height = entries.length * ROW + AXIS;
  return (
    <div className="weather-picture">
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={
          now === null ? t('When it happens') : t('When it happens; it is at {time}', { time: sayClockOf(now) })
        }
        style={{ height }}
      >
        {ticksOf(length).map((ms) => (
          <path key={ms} className="tick" d={`M${xOf(ms)} 0v${height - AXIS}`} />
        ))}
        {entries.map((entry, row) =>
          spansOf(entry, length).map(({ from, to }) => {
            const [x, end, y] = [xOf(from), Math.max(xOf(from) + 2, xOf(to)), row * ROW + 2];
            const isRamp = entry.ramp !== undefined;
            return (
              <path
                key={`${entry.weather_id} ${from}`}
                className={`span ${actOf(entry)}`}
                d={isRamp ? `M${x} ${y + ROW - 4}H${end}V${y}z` : `M${x} ${y}H${end}V${y + ROW - 4}H${x}z`}
              />
            );
          }),
        )}
        {now !== null && <path className="now" d={`M${xOf(now)} 0v${height - AXIS}`} />}
      </svg>
      <div className="weather-ticks" aria-hidden="true">
        {ticksOf(length).map((ms) => (
          <span key={ms} style={{ left: `${(ms / length) * 100}%` }}>
            {sayClockOf(ms)}
          </span>
        ))}
      </div>
    </div>
  );
};

/** The time of the weather, in milliseconds; null: it is off. Moves on by itself while it is on. */
export const useNow = ({ time, since }: Weather): number | null => {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (since === null) return undefined;
    const timer = setInterval(() => setTurn((before) => before + 1), 500);
    return () => clearInterval(timer);
  }, [since]);
  // Its own clock and the server's may differ: never before what the server has told.
  const told = time === null ? null : time * 1000;
  if (told === null || since === null || turn < 0) return told;
  return Math.max(told, Date.now() - Date.parse(since));
};
