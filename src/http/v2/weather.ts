import { z } from 'zod';
import { MOST_ITEMS } from '../../common/bounds.ts';
import { notFound } from '../../common/errors.ts';
import { duration, durationText } from '../../common/forms/duration.ts';
import { part } from '../../common/forms/property-text.ts';
import { LARGEST_SEED } from '../../common/forms/seed.ts';
import { weatherForm } from '../../common/forms/weather.ts';
import { name, uuid } from '../../model/types.ts';
import type { ProjectRecord, RecordView } from '../../projections/records.ts';
import { nextChange } from '../../projections/weather.ts';
import type { Api } from '../api.ts';
import { readRoute } from '../routing/read-route.ts';
import { done, json, type Payload, type Route, route } from '../routing/route.ts';
import { anyObject, input } from './schema.ts';

const weather_id = part(uuid.exactOptional(), 'Weather', 'Never changes; absent: a new one.');

/** One entry, as a lab's text has it. */
export const weatherBody = weatherForm.safeExtend({ weather_id });

const weatherListBody = input(
  { entries: part(z.array(weatherBody).max(MOST_ITEMS), 'Entries', 'All that is to happen, in any order.') },
  ['project_id', 'state', 'seed', 'time', 'since', 'next', 'storms', 'links', 'down'],
);

const startBody = z.strictObject({
  seed: part(
    z.int().min(1).max(LARGEST_SEED).exactOptional(),
    'Seed',
    'Of what happens at random; absent: that of the project, or 1.',
  ),
  paused: part(z.boolean().exactOptional(), 'Paused', 'Its time stands still until it is resumed.'),
});

const skipBody = z
  .strictObject({
    to: part(duration.exactOptional(), 'To', 'Time of the weather.'),
    storm: part(name.exactOptional(), 'Storm', 'To where the storm of this name begins next.'),
  })
  .refine(({ to, storm }) => to === undefined || storm === undefined, 'must have to or storm, not both');

const time = z.string().meta({ description: 'A duration, such as 10s' });
const filters = z.record(z.string(), z.array(z.union([z.number(), z.string()])));
const point = z.strictObject({
  time: z.number(),
  rate: z.number().exactOptional(),
  delay: z.number().exactOptional(),
  loss: z.number().exactOptional(),
});

export const weatherRecord = z.strictObject({
  weather_id: z.string(),
  name: z.string().exactOptional(),
  at: time,
  for: time.exactOptional(),
  repeat: z.strictObject({ every: time, times: z.int().exactOptional() }).exactOptional(),
  links: z.array(z.string()).exactOptional(),
  filters: filters.exactOptional(),
  ramp: z.strictObject({ from: filters.exactOptional(), to: filters, steps: z.int() }).exactOptional(),
  suspend: z.literal(true).exactOptional(),
  flap: z.strictObject({ down: time, up: time }).exactOptional(),
  trace: z.strictObject({ file: z.string().exactOptional(), points: z.array(point) }).exactOptional(),
  crash: z.array(z.string()).exactOptional(),
});

export const weatherState = z.strictObject({
  project_id: z.string(),
  state: z.enum(['off', 'on', 'paused']),
  seed: z.int().nullable().meta({ description: 'Of what happens at random; null: it is off' }),
  time: z.number().nullable().meta({ description: 'Its time at its last event, in seconds; null: it is off' }),
  since: z.string().nullable().meta({ description: 'When its time was 0, ISO time; null: it is off or paused' }),
  next: z
    .number()
    .nullable()
    .meta({ description: 'When something changes next, on its time in seconds; null: it is off, or nothing does' }),
  storms: z.array(z.string()).meta({ description: 'Names of what is there' }),
  links: z
    .array(z.strictObject({ link_id: z.string(), filters, suspend: z.boolean() }))
    .meta({ description: 'What it does to links, over what they have of their own' }),
  down: z.array(z.string()).meta({ description: 'Nodes that it has ended, and starts again' }),
  entries: z.array(weatherRecord),
});

type WeatherEntry = NonNullable<ProjectRecord['weather']>[number];

/** An entry as it can be sent back. */
const weatherToJson = ({ at, for: lasts, repeat, flap, ...entry }: WeatherEntry): z.output<typeof weatherRecord> => ({
  ...entry,
  at: durationText(at),
  ...(lasts === undefined ? {} : { for: durationText(lasts) }),
  ...(repeat === undefined ? {} : { repeat: { ...repeat, every: durationText(repeat.every) } }),
  ...(flap === undefined ? {} : { flap: { down: durationText(flap.down), up: durationText(flap.up) } }),
});

const stateToJson = (
  records: RecordView,
  { project_id, weather_run: run, weather = [] }: ProjectRecord,
): z.output<typeof weatherState> => {
  const next = run === undefined ? null : nextChange(weather, run.stepped);
  return {
    project_id,
    state: run === undefined ? 'off' : run.since === null ? 'paused' : 'on',
    seed: run?.seed ?? null,
    time: run === undefined ? null : run.at / 1000,
    since: run?.since == null ? null : new Date(run.since).toISOString(),
    next: next === null ? null : next / 1000,
    storms: run?.storms ?? [],
    links: records.ofProject('link', project_id).flatMap(({ link_id, weather: its }) =>
      // The seed is its own business.
      its === undefined ? [] : [{ link_id, filters: its.filters, suspend: its.suspend === true }],
    ),
    down: run?.down ?? [],
    entries: weather.map(weatherToJson),
  };
};

const ALL = '/v2/projects/{project_id}/weather';
const ONE = `${ALL}/{weather_id}` as const;

/** Weather of a lab: its entries, and start, pause and end; docs/how-to/make-weather.md. */
export const weatherRoutes = (api: Api): Route[] => [...collection(api), ...single(api), ...running(api)];

const answer = (api: Api, record: ProjectRecord): Payload => json(stateToJson(api.records, record));

const collection = (api: Api): Route[] => [
  readRoute(api, ALL, {
    summary: 'The weather of a project: whether it is on, what it does, and all that is to happen',
    success: { code: 200, schema: weatherState },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) => json(stateToJson(records, find.project(project_id))),
  }),
  route('PUT', ALL, {
    summary: 'Say all that is to happen; what is on goes on with it',
    body: weatherListBody,
    success: { code: 200, schema: weatherState },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params: { project_id }, body }) => {
      api.find.project(project_id);
      return answer(api, await api.commands.setWeather(caller, project_id, body.entries));
    },
  }),
  route('POST', ALL, {
    summary: 'Let one thing more happen',
    body: weatherBody,
    success: { code: 201, schema: weatherRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params: { project_id }, body }) => {
      api.find.project(project_id);
      return json(weatherToJson(await api.commands.putWeather(caller, project_id, body)));
    },
  }),
];

const single = (api: Api): Route[] => [
  readRoute(api, ONE, {
    summary: 'Read one thing that is to happen',
    success: { code: 200, schema: weatherRecord },
    errors: [400, 404],
    read: ({ find }, { project_id, weather_id }) => {
      const found = find.project(project_id).weather?.find((entry) => entry.weather_id === weather_id);
      if (found === undefined) throw notFound('Weather', weather_id);
      return json(weatherToJson(found));
    },
  }),
  route('PUT', ONE, {
    summary: 'Let something else happen in its place',
    body: weatherBody,
    success: { code: 200, schema: weatherRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params: { project_id, weather_id }, body }) => {
      const { weather = [] } = api.find.project(project_id);
      if (!weather.some((entry) => entry.weather_id === weather_id)) throw notFound('Weather', weather_id);
      return json(weatherToJson(await api.commands.putWeather(caller, project_id, { ...body, weather_id })));
    },
  }),
  route('DELETE', ONE, {
    summary: 'Let it not happen',
    body: anyObject,
    errors: [400, 403, 404],
    handler: ({ caller, params: { project_id, weather_id } }) =>
      done(api.commands.deleteWeather(caller, project_id, weather_id)),
  }),
];

const RUNNING = { success: { code: 200, schema: weatherState }, errors: [400, 403, 404, 409] } as const;

const running = (api: Api): Route[] => [
  route('POST', `${ALL}/start`, {
    ...RUNNING,
    summary: 'Start the weather of an open project, at its time 0',
    body: startBody,
    handler: async ({ caller, params: { project_id }, body }) => {
      api.find.project(project_id);
      return answer(api, await api.commands.startWeather(caller, project_id, body));
    },
  }),
  route('POST', `${ALL}/skip`, {
    ...RUNNING,
    summary: 'Go on to a time, to a storm, or to the next change; what lies between does not happen',
    body: skipBody,
    handler: async ({ caller, params: { project_id }, body: { to, storm } }) => {
      api.find.project(project_id);
      return answer(api, await api.commands.skipWeather(caller, project_id, to ?? storm));
    },
  }),
  ...(['pause', 'resume', 'end'] as const).map((what) =>
    route('POST', `${ALL}/${what}`, {
      ...RUNNING,
      summary: SUMMARIES[what],
      body: anyObject,
      handler: async ({ caller, params: { project_id } }) => {
        api.find.project(project_id);
        return answer(api, await api.commands[`${what}Weather`](caller, project_id));
      },
    }),
  ),
];

const SUMMARIES = {
  pause: 'Stop the time of the weather; what is there stays',
  resume: 'Let the time of the weather go on',
  end: 'End the weather: links have their own filters again, and its nodes start',
};
