import { etagOfPlan } from '../../../actors/lab-text/interface.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import {
  LAB_LIMIT,
  labApplied,
  labApplyBody,
  labBody,
  labPlan,
  labQuery,
  labUpdateBody,
  labUpdated,
} from './schema.ts';

/** Labs as texts; docs/reference/lab-text.md. */
export const labRoutes = (api: Api): Route[] => [
  route('POST', '/v2/labs/plan', {
    summary: 'What it would take to make a lab what a text says; its ETag is for If-Match of the apply',
    body: labBody,
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
    handler: () => json(api.labs.schema()),
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
