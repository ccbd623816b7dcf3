import { z } from 'zod';
import { uuid } from '../../model/types.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import { changedIn, stagesOf } from '../../projections/stages.ts';
import type { Api } from '../api.ts';
import { readRoute } from '../routing/read-route.ts';
import { json, type Route, route } from '../routing/route.ts';

export const stageAnswer = z.strictObject({
  name: z.string(),
  is_unlocked: z.boolean(),
  is_passed: z.boolean(),
  points: z.number().meta({ description: 'Of checks that were met in time; 0 while it is locked' }),
  of: z.number(),
  deadline: z.string().nullable().meta({ description: 'Since the start of the lab' }),
  checks: z.array(
    z.strictObject({
      check_id: z.string().nullable().meta({ description: 'null: there is no check of this name' }),
      name: z.string(),
      points: z.number(),
      position: z.int().nullable().meta({ description: 'Of the event that met it; null: none did in time' }),
    }),
  ),
});

const resultSheet = z.strictObject({
  sheet: z.string().meta({ description: 'CSV: a row for each stage of each lab, and the hash of its last event' }),
  public_key: z.string().meta({ description: 'Of session files: Ed25519, DER SubjectPublicKeyInfo as base64' }),
  signature: z.string().meta({ description: 'Over the octets of the sheet, base64' }),
});

const PATH = '/v2/projects/{project_id}';

/** `project` may be repeated: labs that count as copies, beside the forks. */
const resultsQuery = z.object({ project: z.union([uuid, z.array(uuid)]).exactOptional() });

/** Stages of a lab and how far they are passed; docs/reference/checks.md. */
export const stageRoutes = (api: Api): Route[] => [
  readRoute(api, `${PATH}/stages`, {
    summary: 'Stages of a lab, and how far they are passed',
    success: { code: 200, schema: z.array(stageAnswer) },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) => {
      find.project(project_id);
      return json(stagesOf(records, project_id));
    },
  }),
  route('GET', `${PATH}/results`, {
    anyServer: true,
    summary: 'Signed sheet with the stages of a lab, of its forks, and of further copies',
    query: resultsQuery,
    success: { code: 200, schema: resultSheet },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query: { project = [] } }) => {
      const named = [project].flat().map((id) => api.find.project(id));
      const own = api.find.project(project_id);
      const forks = api.records.projects().filter(({ forked_from }) => forked_from?.project_id === project_id);
      const labs = [...new Map([own, ...forks, ...named].map((lab) => [lab.project_id, lab])).values()];
      const rows = (await Promise.all(labs.map((lab) => rowsOf(api, lab, project_id)))).flat();
      const sheet = [HEAD, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
      return json({ sheet, ...(await api.sessions.sign(sheet)) });
    },
  }),
];

const HEAD = [
  'lab',
  'project_id',
  'stage',
  'unlocked',
  'passed',
  'points',
  'of',
  'deadline',
  'version',
  'hash',
  'changed',
];

/** The hash is that of the last event of the lab, which is in its session: the sheet and the session prove each other. */
const rowsOf = async (api: Api, { project_id, name }: ProjectRecord, labId: string): Promise<string[][]> => {
  const { version, hash } = await api.past.head(project_id);
  const end = [String(version), hash, changedText(changedIn(api.records, project_id, labId))];
  return stagesOf(api.records, project_id).map((stage) => [
    name,
    project_id,
    stage.name,
    yes(stage.is_unlocked),
    yes(stage.is_passed),
    String(stage.points),
    String(stage.of),
    stage.deadline ?? '',
    ...end,
  ]);
};

/** Readers of a sheet have to know where a copy’s own checks decided. */
const changedText = (changed: ReturnType<typeof changedIn>): string =>
  Object.entries(changed)
    .flatMap(([what, names]) => (names.length === 0 ? [] : [`changed ${what}: ${names.join(', ')}`]))
    .join('; ');

const yes = (is: boolean): string => (is ? 'yes' : 'no');

/** RFC 4180. What a spreadsheet would take for a formula gets an apostrophe. */
const cell = (text: string): string => {
  const plain = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};
