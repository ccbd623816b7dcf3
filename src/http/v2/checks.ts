import { z } from 'zod';
import { notFound } from '../../common/errors.ts';
import { checkFormWith, type CheckRecord, evidence } from '../../common/forms/check.ts';
import { nameOf } from '../../projections/check-names.ts';
import type { RecordView } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import { readRoute } from '../routing/read-route.ts';
import { done, json, type Payload, type Route, route } from '../routing/route.ts';
import { anyObject, omit } from './schema.ts';

/** Keys of a record that clients may send back as they read them. */
const readOnly = z.unknown().exactOptional().meta({ readOnly: true });
const OWN = ['check_id', 'title', 'result'];

export const checkInput = checkFormWith({ check_id: readOnly, title: readOnly, result: readOnly }).transform(
  (check) => omit(check, OWN) as Omit<typeof check, 'check_id' | 'title' | 'result'>,
);

const result = z.strictObject({
  verdict: z
    .enum(['met', 'broken', 'unknown'])
    .meta({ description: 'In the last run of the lab; unknown: nothing was told of it yet' }),
  running: z.boolean().meta({ description: 'The lab runs: it is looked at now' }),
  at: z.string().nullable().meta({ description: 'When the verdict changed last, ISO time' }),
  after_ms: z.int().nullable().meta({ description: 'The same since the start of the lab, in milliseconds' }),
  position: z.int().nullable().meta({ description: 'Of the event that says so, which has the evidence' }),
  text: z
    .string()
    .nullable()
    .meta({ description: 'What was found, as a sentence; before there is a verdict, at the last look' }),
  last: z
    .strictObject({ at: z.string(), holds: z.boolean().nullable(), text: z.string() })
    .nullable()
    .meta({ description: 'The last look of a lab that runs, whether it changed the verdict or not' }),
  broken: z.int().meta({ description: 'How many times it broke in this run' }),
});

export const checkAnswer = checkFormWith({
  check_id: z.string(),
  title: z.string().meta({ description: 'Its name, or what it says as a sentence' }),
  result,
});

export const finding = z.strictObject({
  holds: z.boolean().nullable().meta({ description: 'null: nobody can say now' }),
  text: z.string(),
  evidence,
});

const LIST = '/v2/projects/{project_id}/checks';
const ONE = `${LIST}/{check_id}` as const;
const ERRORS = [400, 403, 404, 409];

/** Checks of a lab with their results; docs/reference/checks.md. */
export const checkRoutes = (api: Api): Route[] => [...collection(api), ...single(api)];

const collection = (api: Api): Route[] => [
  readRoute(api, LIST, {
    summary: 'Checks of a project, and what they say',
    success: { code: 200, schema: z.array(checkAnswer) },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) =>
      json((find.project(project_id).checks ?? []).map((check) => checkToJson(api, records, project_id, check))),
  }),
  route('POST', LIST, {
    summary: 'Make a check; nodes by name or node_id, a link by its ends or link_id',
    body: checkInput,
    success: { code: 201, schema: checkAnswer },
    errors: ERRORS,
    handler: async ({ caller, params: { project_id }, body }) =>
      answer(api, project_id, await api.commands.createCheck(caller, project_id, body)),
  }),
];

const single = (api: Api): Route[] => [
  readRoute(api, ONE, {
    summary: 'Read a check',
    success: { code: 200, schema: checkAnswer },
    errors: [400, 404],
    read: ({ records, find }, { project_id, check_id }) => {
      const found = find.project(project_id).checks?.find((check) => check.check_id === check_id);
      if (found === undefined) throw notFound('Check', check_id);
      return json(checkToJson(api, records, project_id, found));
    },
  }),
  route('PUT', ONE, {
    summary: 'Change a check: the whole of it',
    body: checkInput,
    success: { code: 200, schema: checkAnswer },
    errors: ERRORS,
    handler: async ({ caller, params, body }) =>
      answer(api, params.project_id, await api.commands.updateCheck(caller, params, body)),
  }),
  route('DELETE', ONE, {
    summary: 'Delete a check',
    body: anyObject,
    errors: ERRORS,
    handler: ({ caller, params }) => done(api.commands.deleteCheck(caller, params)),
  }),
  route('POST', `${ONE}/look`, {
    summary: 'Look at once, whenever it is looked at next: what is found is no verdict',
    body: anyObject,
    success: { code: 200, schema: finding },
    errors: ERRORS,
    handler: async ({ params }) => json(await api.commands.lookAtCheck(params)),
  }),
];

const answer = (api: Api, projectId: string, check: CheckRecord): Payload =>
  json(checkToJson(api, api.records, projectId, check));

const checkToJson = (
  api: Api,
  records: RecordView,
  project_id: string,
  check: CheckRecord,
): z.input<typeof checkAnswer> => {
  const { check_id } = check;
  // The last look is known of the present only.
  const last = records === api.records ? api.commands.lastLookAt({ project_id, check_id }) : null;
  const run = records.get('run', project_id);
  const told = run?.verdicts[check_id];
  return {
    ...check,
    title: nameOf(records, check),
    result: {
      verdict: told === undefined ? 'unknown' : told.is_met ? 'met' : 'broken',
      running: run?.is_over === false,
      at: told?.at ?? null,
      after_ms: told?.after_ms ?? null,
      position: told?.position ?? null,
      text: told?.text ?? last?.text ?? null,
      last,
      broken: told?.broken ?? 0,
    },
  };
};
