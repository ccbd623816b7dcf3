import { z } from 'zod';
import { name, uuid } from '../../model/types.ts';
import type { SnapshotRecord } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import { readRoute } from '../routing/read-route.ts';
import { done, json, jsonText, type Route, route } from '../routing/route.ts';
import { projectRecord } from './projects/projects.ts';
import { anyObject } from './schema.ts';

export const snapshotCreate = z.strictObject({
  name,
  snapshot_id: uuid.exactOptional(),
  description: z.unknown().exactOptional().meta({ description: 'Ignored: the server says what it is' }),
});

export const snapshotRecord = z.strictObject({
  snapshot_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  filename: z.string(),
  description: z.string(),
  created_at: z.int().meta({ description: 'Seconds since 1970, UTC' }),
});

const ALL = '/v2/projects/{project_id}/snapshots';
const ONE = `${ALL}/{snapshot_id}` as const;

/** The lab as it was; docs/reference/archives.md. */
export const snapshotRoutes = (api: Api): Route[] => [...collection(api), ...single(api)];

const collection = (api: Api): Route[] => [
  readRoute(api, ALL, {
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
  route('POST', ALL, {
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
  route('DELETE', ONE, {
    summary: 'Delete a snapshot and its files',
    body: anyObject,
    errors: [400, 403, 404],
    handler: ({ caller, params }) => done(commands.deleteSnapshot(caller, params)),
  }),
  route('POST', `${ONE}/restore`, {
    summary: 'Make the lab what it was, ids included; every node is stopped',
    body: anyObject,
    success: { code: 201, schema: projectRecord },
    errors: [400, 403, 404, 409, 507],
    handler: async ({ caller, params }) => jsonText(json.project(await commands.restoreSnapshot(caller, params))),
  }),
];

const snapshotToJson = (s: SnapshotRecord) => {
  const taken = new Date(s.created_at * 1000).toISOString();
  return {
    snapshot_id: s.snapshot_id,
    project_id: s.project_id,
    name: s.name,
    filename: s.snapshot_id,
    description: `Snapshot '${s.name}' taken on ${taken.slice(0, 10)} at ${taken.slice(11, 19)} UTC`,
    created_at: s.created_at,
  };
};
