import { z } from 'zod';
import { etagOfPlan, LAB_FORMAT_NAMES, LAB_WRITER_NAMES } from '../../actors/lab-text/interface.ts';
import { LENGTHS } from '../../common/bounds.ts';
import { memo } from '../../common/memo.ts';
import { part } from '../../common/forms/property-text.ts';
import { uuid } from '../../model/types.ts';
import type { Api } from '../api.ts';
import { fixedJson, json, type Route, route } from '../routing/route.ts';
import { anyObject, filledLine } from './schema.ts';

/** Bytes: a lab of some thousand nodes with their start-up texts. */
const LAB_LIMIT = 16 << 20;

const format = z.enum(LAB_FORMAT_NAMES);

/** Files of a large lab: some for each of thousands of nodes. */
const MOST_FILES = 10_000;

const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;
const content = z.string().max(LENGTHS.file);

const file = z
  .strictObject({
    content: part(content, 'Content', 'Its text, or its octets in base64.'),
    encoding: part(z.enum(['base64']).exactOptional(), 'Encoding', 'Absent: the content is its text.'),
    mode: part(
      z
        .string()
        .regex(/^[0-7]{3,4}$/, 'must be like 644')
        .exactOptional(),
      'Permissions',
      'Absent: 644.',
    ),
  })
  .refine((given) => given.encoding === undefined || isBase64(given.content), 'must have its content in base64');

const files = z
  .record(filledLine, z.union([content, file]))
  .refine((given) => Object.keys(given).length <= MOST_FILES, `must have at most ${MOST_FILES} files`);

const labBody = z.strictObject({
  text: part(z.string().max(LAB_LIMIT), 'Text', 'Of the lab, in its format.'),
  format: part(
    format.default('yaml'),
    'Format',
    'yaml: that of this server, docs/reference/lab-text.md; containerlab: docs/reference/containerlab.md.',
  ),
  files: part(
    files.default({}),
    'Files',
    'Those that the text names, by the names it has for them: the text of each, or its content with its encoding and its permissions.',
  ),
  simulate: part(
    z.boolean().default(false),
    'Simulate',
    'What the text wants and nothing here stands for is simulated. Absent: it is refused.',
  ),
  project_id: part(uuid.exactOptional(), 'Project', 'Absent: that of the lab’s name, which is made if there is none.'),
});
const labPlanBody = labBody.extend({
  lint: part(
    z.boolean().default(false),
    'Lint',
    'Notes say what is missing so far as well: links of nodes, what checks need. The ETag is of no use then.',
  ),
});
const labApplyBody = labBody.extend({
  start: part(z.boolean().default(false), 'Start', 'All nodes run afterwards. Those that are restarted do anyway.'),
});

const change = z.strictObject({
  action: z.enum(['add', 'change', 'remove']),
  type: z.enum(['project', 'node', 'link', 'drawing']),
  name: z.string().meta({ description: 'Of a link: its two ends' }),
  compute_id: z.string().nullable().meta({ description: 'Where a node runs; null: it is no node' }),
  restart: z.boolean().meta({ description: 'It runs, and is stopped for this and started again' }),
  fields: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});

export const labPlan = z.strictObject({
  project_id: z.string().nullable().meta({ description: 'null: it is still to be made' }),
  name: z.string(),
  changes: z.array(change),
  notes: z
    .array(z.string())
    .meta({ description: 'Parts of the text that are interpreted differently, and likely mistakes, with their lines' }),
});
export const labApplied = labPlan.extend({
  project_id: z.string(),
  position: z
    .int()
    .nullable()
    .meta({ description: 'Of the event that all of it has as its cause; null: there was nothing to do' }),
  failed: z.array(z.strictObject({ name: z.string(), message: z.string() })).meta({
    description: 'Nodes that were to be started and were not, and what else could not be done outside the records',
  }),
  started: z.array(z.string()).meta({ description: 'Names of nodes that have started because all were to' }),
});

const labQuery = z.object({ as: z.enum(LAB_WRITER_NAMES).default('yaml') });

const labUpdateBody = labBody.pick({ text: true, files: true });
const labUpdated = z.strictObject({ text: z.string() });

const schemaOf = memo((labs: Api['labs']) => fixedJson(JSON.stringify(labs.schema())));

/** Labs as texts; docs/reference/lab-text.md. */
export const labRoutes = (api: Api): Route[] => [
  route('POST', '/v2/labs/plan', {
    summary: 'What it would take to make a lab what a text says; its ETag is for If-Match of the apply',
    body: labPlanBody,
    bodyLimit: LAB_LIMIT,
    success: { code: 200, schema: labPlan },
    errors: [400, 403, 404, 409, 413],
    handler: async ({ body }) => {
      const plan = await api.commands.planLab(body);
      return { json: JSON.stringify(plan), etag: etagOfPlan(plan) };
    },
  }),
  route('POST', '/v2/labs/apply', {
    summary:
      'Make a lab what a text says, as one batch; nothing happens where it is so already. If-Match: 412 where the plan is not the one that was looked at',
    body: labApplyBody,
    bodyLimit: LAB_LIMIT,
    success: { code: 200, schema: labApplied },
    errors: [400, 403, 404, 409, 412, 413],
    handler: async ({ caller, body }) => json(await api.commands.applyLab(caller, body)),
  }),
  route('GET', '/v2/labs/schema', {
    anyServer: true,
    summary: 'The JSON Schema of a lab’s text in YAML, for editors',
    success: { code: 200, schema: anyObject },
    handler: () => schemaOf(api.labs),
  }),
  route('GET', '/v2/projects/{project_id}/lab', {
    summary: 'A lab as a text that makes it again',
    query: labQuery,
    success: { code: 200, type: 'application/yaml', description: 'The text' },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => {
      const { project_id: id } = api.find.project(project_id);
      return { text: await api.labs.show(id, query.as), type: 'application/yaml; charset=utf-8' };
    },
  }),
  route('POST', '/v2/projects/{project_id}/lab', {
    summary:
      'A text in YAML with what the lab has instead of what it says; its comments and its order stay. The lab is not changed',
    body: labUpdateBody,
    bodyLimit: LAB_LIMIT,
    success: { code: 200, schema: labUpdated },
    errors: [400, 404, 413],
    handler: async ({ params: { project_id }, body }) => {
      const { project_id: id } = api.find.project(project_id);
      return json({ text: await api.labs.update(id, body) });
    },
  }),
];
