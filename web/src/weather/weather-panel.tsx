import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import '../checks/checks.css';
import { attempt } from '../store/notices.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';
import { actOf } from './entry-draft.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { sayAct, sayObjects, sayTimes } from './entry-text.ts';
import { lengthOfAll, sayClockOf, spansOf, ticksOf } from './spans.ts';
import './weather.css';
import {
  deleteEntry,
  type Entry,
  skipWeather,
  startWeather,
  controlWeather,
  useWeather,
  type Weather,
} from './weather.ts';

/** Weather: what happens to the lab, and when; and whether it does. */
const WeatherPanel = (): ReactElement => {
  const { value, problem } = useWeather();
  const [edited, edit] = useState<Entry | 'new' | null>(null);
  return (
    <div className="weather">
      {problem !== null && (
        <p role="alert" className="problem wrap">
          {problem}
        </p>
      )}
      {value === null ? <p className="panel-note">{t('Loading …')}</p> : <WeatherView weather={value} onEdit={edit} />}
      {edited !== null && <EntryDialog entry={edited === 'new' ? null : edited} onClose={() => edit(null)} />}
    </div>
  );
};
export default WeatherPanel;

interface Props {
  readonly weather: Weather;
  readonly onEdit: (entry: Entry | 'new') => void;
}

const WeatherView = ({ weather, onEdit }: Props): ReactElement => {
  const { isReadOnly } = useView();
  const { entries } = weather;
  return (
    <>
      <div className="weather-head">
        <Where weather={weather} />
        <RunTools weather={weather} />
        <Button icon="add" disabled={isReadOnly} onClick={() => onEdit('new')}>
          {t('New weather …')}
        </Button>
      </div>
      <div className="weather-body">
        {entries.length === 0 ? (
          <div className="panel-empty">
            <p>{t('Nothing is to happen here yet.')}</p>
            <p className="note">
              {t(
                'Say when links are slow, lose frames or are cut, and which nodes crash. The same seed is the same storm.',
              )}
            </p>
          </div>
        ) : (
          <>
            <WeatherPicture weather={weather} />
            <EntryList weather={weather} onEdit={onEdit} />
          </>
        )}
      </div>
    </>
  );
};

/** Where the weather is, in words. */
const Where = ({ weather }: { weather: Weather }): ReactElement => {
  const { state, seed, storms } = weather;
  const now = useNow(weather);
  return (
    <p className="note weather-where">
      <span role="status">{state === 'off' ? t('Off') : state === 'paused' ? t('Paused') : t('On')}</span>
      {now !== null && ` · ${sayClockOf(now)}`}
      {seed !== null && ` · ${t('seed {seed}', { seed: String(seed) })}`}
      {storms.length > 0 && ` · ${storms.join(', ')}`}
    </p>
  );
};

const RunTools = ({ weather: { state, entries, next } }: { weather: Weather }): ReactElement => {
  const { lab } = useScope();
  const { isReadOnly } = useView();
  const [seed, setSeed] = useState('');
  if (state === 'off')
    return (
      <div className="row weather-run">
        <label className="row">
          {t('Seed')}
          <input
            type="text"
            inputMode="numeric"
            className="weather-seed"
            value={seed}
            placeholder="1"
            disabled={isReadOnly}
            onChange={({ target }) => setSeed(target.value.replace(/\D/g, ''))}
          />
        </label>
        <Button
          icon="play"
          kind="primary"
          disabled={isReadOnly || entries.length === 0}
          onClick={() => void attempt(() => startWeather(lab, seed === '' ? null : Number(seed)))}
        >
          {t('Start the weather')}
        </Button>
      </div>
    );
  const turn = (what: 'pause' | 'resume' | 'end') => () => void attempt(() => controlWeather(lab, what));
  return (
    <div className="row weather-run">
      <Button
        icon={state === 'on' ? 'pause' : 'play'}
        disabled={isReadOnly}
        onClick={turn(state === 'on' ? 'pause' : 'resume')}
      >
        {state === 'on' ? t('Pause') : t('Resume')}
      </Button>
      <Button icon="skip" disabled={isReadOnly || next === null} onClick={() => void attempt(() => skipWeather(lab))}>
        {t('To the next change')}
      </Button>
      <Button icon="stop" disabled={isReadOnly} onClick={turn('end')}>
        {t('End')}
      </Button>
    </div>
  );
};

const EntryList = ({ weather: { entries, storms }, onEdit }: Props): ReactElement => {
  const { lab } = useScope();
  const { records, isReadOnly } = useView();
  return (
    <ul className="check-list" aria-label={t('Weather')}>
      {entries.map((entry) => {
        const name = entry.name ?? sayAct(entry);
        const isOn = entry.name !== undefined && storms.includes(entry.name);
        return (
          <li key={entry.weather_id} className={`weather-entry${isOn ? ' on' : ''}`}>
            <span className="weather-on">{isOn && <Icon name="weather" />}</span>
            <span className="weather-words">
              <strong className="wrap">{name}</strong>
              <span className="note wrap">
                {[
                  ...(entry.name === undefined ? [] : [sayAct(entry)]),
                  sayObjects(records, entry),
                  sayTimes(entry),
                ].join(' · ')}
              </span>
              {isOn && <span className="visually-hidden">{t('on now')}</span>}
            </span>
            <IconButton
              icon="edit"
              label={t('Change {name}', { name })}
              disabled={isReadOnly}
              onClick={() => onEdit(entry)}
            />
            <IconButton
              icon="delete"
              label={t('Delete {name}', { name })}
              disabled={isReadOnly}
              onClick={() => void attempt(() => deleteEntry(lab, entry))}
            />
          </li>
        );
      })}
    </ul>
  );
};

const ROW = 14;
const AXIS = 18;
const WIDTH = 1000;

/** When the entries are there, one below the other, and where the weather is. */
const WeatherPicture = ({ weather }: { weather: Weather }): ReactElement => {
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
const useNow = ({ time, since }: Weather): number | null => {
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
