import { z } from 'zod';
import { checkPrecondition } from '../../../actors/runtime/precondition.ts';
import type { DrawingRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { readRoute } from '../../routing/reading.ts';
import { recordList, type Payload, recordText, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { drawingCreate, drawingRecord, drawingUpdate } from './schema.ts';

const LIST = '/v2/projects/{project_id}/drawings';
const ONE = `${LIST}/{drawing_id}`;
const ofProject = { group: 'controller', params: ['project_id'] } as const;
const ofDrawing = { group: 'controller', params: ['project_id', 'drawing_id'] } as const;

export const drawingRoutes = (api: Api): Route[] => [...collection(api), ...single(api)];

const answer = (api: Api, record: DrawingRecord): Payload => recordText(api.json.drawing(record), record);

const collection = (api: Api): Route[] => [
  readRoute(api, {
    ...ofProject,
    path: LIST,
    summary: 'Drawings of a project',
    success: { code: 200, schema: z.array(drawingRecord) },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) => {
      find.project(project_id);
      return recordList(records.ofProject('drawing', project_id), api.json.drawing);
    },
  }),
  route({
    ...ofProject,
    method: 'POST',
    path: LIST,
    summary: 'Create a drawing',
    body: drawingCreate,
    success: { code: 201, schema: drawingRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) =>
      answer(api, await api.commands.createDrawing(caller, params.project_id, body)),
  }),
];

const single = (api: Api): Route[] => [
  readRoute(api, {
    ...ofDrawing,
    path: ONE,
    summary: 'Read a drawing',
    success: { code: 200, schema: drawingRecord },
    errors: [400, 404],
    read: ({ find }, { project_id, drawing_id }) => answer(api, find.drawing(project_id, drawing_id)),
  }),
  route({
    ...ofDrawing,
    method: 'PUT',
    path: ONE,
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
  route({
    ...ofDrawing,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a drawing',
    body: anyObject,
    success: { code: 204 },
    errors: [400, 403, 404, 409, 412],
    handler: async ({ caller, params }) => {
      await api.commands.deleteDrawing(caller, params);
      return null;
    },
  }),
];
