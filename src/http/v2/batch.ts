import { z } from 'zod';
import type { BatchStep } from '../../actors/commands.ts';
import { MOST_STEPS } from '../../common/bounds.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { uuid } from '../../model/types.ts';
import type { Api } from '../api.ts';
import { jsonText, type Route, route } from '../routing/route.ts';
import { validate } from '../server/validate.ts';
import { drawingCreate, drawingRecord, drawingUpdate } from './drawings.ts';
import { linkCreate, linkRecord, linkUpdate } from './links/schema.ts';
import { nodeChanges, nodeCreate, nodeInput, nodeRecord, nodeUpdate } from './nodes/nodes.ts';
import { omit } from './schema.ts';

/** Bytes: a lab of some thousand nodes with their links. */
export const BATCH_LIMIT = 16 << 20;

const type = z.enum(['node', 'link', 'drawing']);
/** Record as the routes of that type take it, whose schema checks it. */
const record = z.record(z.string(), z.unknown());

const batchStep = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('create'), type, record }),
  z.strictObject({ action: z.literal('update'), type, id: uuid, record }),
  z.strictObject({ action: z.literal('delete'), type, id: uuid }),
]);
type Step = z.output<typeof batchStep>;
/** A step as the document has it: each is checked in its turn, not all of them in one piece. */
const unchecked = z.unknown().meta(omit({ ...z.toJSONSchema(batchStep, { io: 'input' }) }, ['$schema']));

export const batchBody = z.strictObject({ steps: z.array(unchecked).max(MOST_STEPS) });
export const batchResult = z.strictObject({
  results: z.array(z.union([nodeRecord, linkRecord, drawingRecord, z.null()])),
});

export const batchRoutes = (api: Api): Route[] => [
  route('POST', '/v2/projects/{project_id}/batch', {
    summary: 'Create, change and delete nodes, links and drawings, all or nothing',
    body: batchBody,
    bodyLimit: BATCH_LIMIT,
    success: { code: 200, schema: batchResult },
    errors: [400, 403, 404, 409, 413],
    handler: async ({ caller, params: { project_id }, body: { steps } }) => {
      api.find.project(project_id);
      const schemas = { ...SCHEMAS, createNode: nodeCreate(api.kindNames) };
      const checked = await inSlices(checkedSteps({ api, projectId: project_id, schemas }, steps));
      const records = await api.commands.batch(caller, project_id, checked);
      return jsonText(await inSlices(resultText(api, records)));
    },
  }),
];

const SCHEMAS = { createLink: linkCreate, createDrawing: drawingCreate };

/** Schemas and project that steps are checked against. */
interface StepContext {
  api: Api;
  projectId: string;
  schemas: typeof SCHEMAS & { createNode: ReturnType<typeof nodeCreate> };
}

function* checkedSteps(context: StepContext, steps: readonly unknown[]): Steps<BatchStep[]> {
  const checked: BatchStep[] = [];
  for (const [index, step] of steps.entries()) {
    checked.push(checkedStep(context, validate(batchStep, step, ['steps', index]), index));
    yield;
  }
  return checked;
}

/** A step with its record checked as the route of its own would. */
const checkedStep = ({ api, projectId, schemas }: StepContext, step: Step, index: number): BatchStep => {
  const prefix = ['steps', index, 'record'];
  if (step.action === 'delete') return step;
  const { type } = step;
  if (step.action === 'create') {
    if (type === 'link') return { ...step, type, input: validate(schemas.createLink, step.record, prefix) };
    if (type === 'drawing') return { ...step, type, input: validate(schemas.createDrawing, step.record, prefix) };
    return { ...step, type, input: nodeInput(api, validate(schemas.createNode, step.record, prefix), prefix) };
  }
  if (type === 'link') return { ...step, type, changes: validate(linkUpdate, step.record, prefix) };
  if (type === 'drawing') return { ...step, type, changes: validate(drawingUpdate, step.record, prefix) };
  const changes = validate(nodeUpdate, step.record, prefix);
  const known = api.records.get('node', step.id);
  // One that an earlier step makes is checked where it is decided on.
  if (known?.project_id !== projectId) return { ...step, type, changes };
  return { ...step, type, changes: nodeChanges(api, known, changes, prefix) };
};

type Results = Awaited<ReturnType<Api['commands']['batch']>>;

function* resultText(api: Api, records: Results): Steps<string> {
  const texts: string[] = [];
  for (const record of records) {
    texts.push(textOf(api, record));
    yield;
  }
  return `{"results":[${texts.join(',')}]}`;
}

const textOf = ({ json }: Api, record: Results[number]): string => {
  if (record === null) return 'null';
  if ('kind' in record) return json.node(record);
  return 'link_id' in record ? json.link(record) : json.drawing(record);
};
