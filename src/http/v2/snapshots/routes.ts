import { z } from 'zod';
import type { Api } from '../../api.ts';
import { readRoute } from '../../routing/reading.ts';
import { json, jsonText, type Route, route } from '../../routing/route.ts';
import { snapshotCreate, snapshotRecord } from '../projects/archive-schema.ts';
import { anyObject } from '../schema.ts';
import { projectRecord } from '../projects/schema.ts';
import { snapshotToJson } from './json.ts';

const ALL = '/v2/projects/{project_id}/snapshots';
const ONE = `${ALL}/{snapshot_id}`;
const ofProject = { group: 'controller', params: ['project_id'] } as const;
const ofSnapshot = { group: 'controller', params: ['project_id', 'snapshot_id'] } as const;

/** The lab as it was; docs/reference/archives.md. */
export const snapshotRoutes = (api: Api): Route[] => [...collection(api), ...single(api)];

const collection = (api: Api): Route[] => [
  readRoute(api, {
    ...ofProject,
    path: ALL,
    summary: 'Snapshots of a project, oldest first',
    success: { code: 200, schema: z.array(snapshotRecord) },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) => {
      find.project(project_id);
      const found = [...records.ofProject('snapshot', project_id)];
      found.sort((a, b) => a.created_at - b.created_at || a.created - b.created);
      return json(found.map(snapshotToJson));
    },
  }),
  route({
    ...ofProject,
    method: 'POST',
    path: ALL,
    summary: 'Keep the lab as it is, records and files',
    body: snapshotCreate,
    success: { code: 201, schema: snapshotRecord },
    errors: [400, 403, 404, 409, 507],
    handler: async ({ caller, params, body: { name, snapshot_id } }) => {
      const given = { name, ...(snapshot_id === undefined ? {} : { snapshot_id }) };
      return json(snapshotToJson(await api.commands.createSnapshot(caller, params.project_id, given)));
    },
  }),
];

const single = ({ commands, json }: Api): Route[] => [
  route({
    ...ofSnapshot,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a snapshot and its files',
    body: anyObject,
    success: { code: 204 },
    errors: [400, 403, 404],
    handler: async ({ caller, params }) => {
      await commands.deleteSnapshot(caller, params);
      return null;
    },
  }),
  route({
    ...ofSnapshot,
    method: 'POST',
    path: `${ONE}/restore`,
    summary: 'Make the lab what it was, ids included; every node is stopped',
    body: anyObject,
    success: { code: 201, schema: projectRecord },
    errors: [400, 403, 404, 409, 507],
    handler: async ({ caller, params }) => jsonText(json.project(await commands.restoreSnapshot(caller, params))),
  }),
];
