import { type ReactElement, useEffect } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { highlight, openPanel } from '../store/workbench.ts';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';
import { highlightsOf, useWeather } from './weather.ts';

/** That the weather is on, and which; pressed, it opens it. What it does to is marked on the map. Nothing while it is off. */
export const WeatherNow = (): ReactElement | null => {
  const { workbench } = useScope();
  const { value } = useWeather();
  useEffect(
    () => workbench.update(highlight('weather', value === null ? new Map() : highlightsOf(value))),
    [workbench, value],
  );
  if (value === null || value.state === 'off') return null;
  const { storms, state } = value;
  const label =
    state === 'paused'
      ? t('The weather is paused')
      : storms.length === 0
        ? t('The weather is on')
        : t('Weather: {storms}', { storms: storms.join(', ') });
  return (
    <button
      type="button"
      className="check-counts"
      title={label}
      onClick={() => workbench.update(openPanel({ kind: 'weather' }))}
    >
      <Icon name={state === 'paused' ? 'pause' : 'weather'} />
      <span className="visually-hidden">{label}</span>
      {storms[0] !== undefined && (
        <span className="wide-only" aria-hidden="true">
          {storms[0].slice(0, 20)}
        </span>
      )}
    </button>
  );
};
