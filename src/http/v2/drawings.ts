import { z } from 'zod';
import { checkPrecondition } from '../../actors/runtime/precondition.ts';
import { withTexts } from '../../common/forms/property-text.ts';
import { requestShape, answerShape, withInitial } from '../../model/derive.ts';
import { DRAWING, DRAWING_TEXTS } from '../../model/drawing.ts';
import { uuid } from '../../model/types.ts';
import type { DrawingRecord } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import { readRoute } from '../routing/read-route.ts';
import { done, type Payload, recordList, recordText, type Route, route } from '../routing/route.ts';
import { anyObject, input } from './schema.ts';

const changes = requestShape(DRAWING, DRAWING_TEXTS);

export const drawingCreate = input({ drawing_id: uuid.exactOptional(), ...changes }, ['project_id']);
export const drawingUpdate = input(changes, ['drawing_id', 'project_id']);

export const drawingRecord = z.strictObject(
  withTexts({ drawing_id: z.string(), project_id: z.string(), ...answerShape(DRAWING) }, DRAWING_TEXTS),
);

export const drawingToJson = (d: DrawingRecord) => ({
  drawing_id: d.drawing_id,
  project_id: d.project_id,
  ...withInitial(DRAWING, d),
});

const LIST = '/v2/projects/{project_id}/drawings';
const ONE = `${LIST}/{drawing_id}` as const;

export const drawingRoutes = (api: Api): Route[] => [...collection(api), ...single(api)];

const answer = (api: Api, record: DrawingRecord): Payload => recordText(api.json.drawing(record), record);

const collection = (api: Api): Route[] => [
  readRoute(api, LIST, {
    summary: 'Drawings of a project',
    success: { code: 200, schema: z.array(drawingRecord) },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) => {
      find.project(project_id);
      return recordList(records.ofProject('drawing', project_id), api.json.drawing);
    },
  }),
  route('POST', LIST, {
    summary: 'Create a drawing',
    body: drawingCreate,
    success: { code: 201, schema: drawingRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) =>
      answer(api, await api.commands.createDrawing(caller, params.project_id, body)),
  }),
];

const single = (api: Api): Route[] => [
  readRoute(api, ONE, {
    summary: 'Read a drawing',
    success: { code: 200, schema: drawingRecord },
    errors: [400, 404],
    read: ({ find }, { project_id, drawing_id }) => answer(api, find.drawing(project_id, drawing_id)),
  }),
  route('PUT', ONE, {
    summary: 'Change a drawing; fields not sent keep their value',
    body: drawingUpdate,
    success: { code: 201, schema: drawingRecord },
    errors: [400, 403, 404, 409, 412],
    handler: async ({ caller, params, body }) => {
      const { project_id, drawing_id } = params;
      const unchanged = Object.keys(body).length === 0;
      const record = unchanged
        ? checkPrecondition(caller, 'The drawing', api.find.drawing(project_id, drawing_id))
        : await api.commands.updateDrawing(caller, params, body);
      return answer(api, record);
    },
  }),
  route('DELETE', ONE, {
    summary: 'Delete a drawing',
    body: anyObject,
    errors: [400, 403, 404, 409, 412],
    handler: ({ caller, params }) => done(api.commands.deleteDrawing(caller, params)),
  }),
];
