import { z } from 'zod';
import { FILTER_DESCRIPTIONS } from '../../../actors/kinds.ts';
import { checkPrecondition } from '../../../actors/runtime/precondition.ts';
import type { LinkRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { readRoute } from '../../routing/read-route.ts';
import { done, json, recordList, jsonText, type Payload, recordText, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { filterDescription, linkCreate, linkRecord, linkTraffic, linkUpdate } from './schema.ts';

export const LINK = '/v2/projects/{project_id}/links/{link_id}';
const LIST = '/v2/projects/{project_id}/links';

export const linkRoutes = (api: Api): Route[] => [...collection(api), ...reads(api), ...counters(api), ...writes(api)];

const collection = (api: Api): Route[] => [
  readRoute(api, LIST, {
    summary: 'Links of a project',
    success: { code: 200, schema: z.array(linkRecord) },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) => {
      find.project(project_id);
      return recordList(records.ofProject('link', project_id), api.json.link);
    },
  }),
  route('POST', LIST, {
    summary: 'Link two ports',
    body: linkCreate,
    success: { code: 201, schema: linkRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) =>
      jsonText(api.json.link(await api.commands.createLink(caller, params.project_id, body))),
  }),
];

const answer = (api: Api, record: LinkRecord): Payload => recordText(api.json.link(record), record);

const reads = (api: Api): Route[] => [
  readRoute(api, LINK, {
    summary: 'Read a link',
    success: { code: 200, schema: linkRecord },
    errors: [400, 404],
    read: ({ find }, { project_id, link_id }) => answer(api, find.link(project_id, link_id)),
  }),
  readRoute(api, `${LINK}/available_filters`, {
    summary: 'Filters that a link takes, with their parameters',
    success: { code: 200, schema: z.array(filterDescription) },
    errors: [400, 404],
    read: ({ records, find }, { project_id, link_id }) => {
      const link = find.link(project_id, link_id);
      const canFilter = link.nodes.some((end) => {
        const node = records.get('node', end.node_id);
        return node !== undefined && api.kinds.get(node.kind)?.capabilities.filters === true;
      });
      return json(canFilter ? FILTER_DESCRIPTIONS : []);
    },
  }),
];

const NOTHING = { frames: 0, bytes: 0, dropped: 0, delayed: 0, reasons: {} };

const counters = (api: Api): Route[] => [
  route('GET', `${LINK}/traffic`, {
    summary: 'What passed on a link since it was made, and what became of the rest',
    success: { code: 200, schema: linkTraffic },
    errors: [400, 404, 503],
    handler: async ({ params: { project_id, link_id } }) => {
      api.find.link(project_id, link_id);
      const found = (await api.traffic(project_id)).find((one) => one.link_id === link_id);
      const [there, back] = found?.directions ?? [NOTHING, NOTHING];
      return json({
        link_id,
        directions: [there, back].map(({ reasons = {}, ...counts }) => ({ ...counts, reasons })),
      });
    },
  }),
];

const writes = (api: Api): Route[] => [
  route('PUT', LINK, {
    summary: 'Change filters, suspension, style or labels of a link',
    body: linkUpdate,
    success: { code: 201, schema: linkRecord },
    errors: [400, 403, 404, 409, 412],
    handler: async ({ caller, params, body }) => {
      const unchanged = Object.keys(body).length === 0;
      const record = unchanged
        ? checkPrecondition(caller, 'The link', api.find.link(params.project_id, params.link_id))
        : await api.commands.updateLink(caller, params, body);
      return answer(api, record);
    },
  }),
  route('DELETE', LINK, {
    summary: 'Delete a link',
    body: anyObject,
    errors: [400, 403, 404, 412],
    handler: ({ caller, params }) => done(api.commands.deleteLink(caller, params)),
  }),
];
