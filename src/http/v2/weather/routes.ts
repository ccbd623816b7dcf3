import { notFound } from '../../../common/errors.ts';
import type { ProjectRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { readRoute } from '../../routing/reading.ts';
import { done, json, type Payload, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { stateToJson, weatherToJson } from './json.ts';
import { skipBody, startBody, weatherBody, weatherListBody, weatherRecord, weatherState } from './schema.ts';

const ALL = '/v2/projects/{project_id}/weather';
const ONE = `${ALL}/{weather_id}` as const;

/** What happens to a lab, and when; docs/how-to/make-weather.md. */
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
