import type { EventType } from '../../events/schemas.ts';
import type { RecordView, WeatherRun } from '../records.ts';
import { type Folds, onProject, type RecordChange } from './change.ts';

type Of = { data: { project_id: string }; position: number };

const onRun = (view: RecordView, { data, position }: Of, changes: Partial<WeatherRun>): RecordChange[] =>
  onProject(view, data.project_id, (r) =>
    r.weather_run === undefined ? r : { ...r, weather_run: { ...r.weather_run, ...changes, cause: position } },
  );

export const weatherFolds: Folds<Extract<EventType, `weather.${string}`>> = {
  'weather.started': (view, { data: { project_id, seed, since }, position }) =>
    onProject(view, project_id, (r) => ({
      ...r,
      weather_run: { seed, since, at: 0, stepped: -1, storms: [], down: [], up: [], cause: position },
    })),
  'weather.stepped': (view, event) => {
    const { at, since, storms, down, up } = event.data;
    return onRun(view, event, { at, since, storms, down, up, stepped: at });
  },
  'weather.paused': (view, event) => onRun(view, event, { at: event.data.at, since: null }),
  'weather.resumed': (view, event) => onRun(view, event, { at: event.data.at, since: event.data.since }),
  'weather.ended': (view, { data: { project_id } }) => onProject(view, project_id, ({ weather_run: _, ...r }) => r),
};
