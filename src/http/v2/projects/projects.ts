import { z } from 'zod';
import { checkPrecondition } from '../../../actors/runtime/precondition.ts';
import { withTexts } from '../../../common/forms/property-text.ts';
import { requestShape, keysOf, answerShape, withInitial, knownInRecords } from '../../../model/derive.ts';
import { PROJECT, PROJECT_TEXTS } from '../../../model/project.ts';
import { name, uuid } from '../../../model/types.ts';
import type { ProjectRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { readRoute } from '../../routing/read-route.ts';
import { done, json, jsonText, type Payload, recordText, type Route, route, taggedList } from '../../routing/route.ts';
import { checkWhere } from '../computes/compute-record.ts';
import { anyObject, filledLine, input, dropNulls } from '../schema.ts';

const forkBody = z.strictObject({
  at: z.union([filledLine, z.int().transform(String)]).exactOptional(),
  name,
});

const settings = requestShape(PROJECT, PROJECT_TEXTS);

export const projectSettingKeys = keysOf(PROJECT);

const named = withTexts({ name }, PROJECT_TEXTS);

export const projectCreate = input(
  { ...named, project_id: uuid.exactOptional(), path: filledLine.exactOptional(), ...settings },
  ['status', 'filename'],
  { before: (body) => dropNulls(body, ['project_id', 'path']) },
);

export const projectUpdate = input(
  { ...withTexts({ name: name.exactOptional() }, PROJECT_TEXTS), ...settings },
  ['project_id', 'path', 'filename', 'status'],
  { before: (body) => dropNulls(body, ['name']) },
);

const projectLoad = z.strictObject({ path: filledLine });
/** `new_id=true`: as a project of its own, beside the one that has the project_id of the file. */
const loadQuery = z.object({
  new_id: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((word) => word === 'true')
    .exactOptional(),
});

export const projectRecord = z.strictObject(
  withTexts(
    {
      project_id: z.string(),
      name: z.string().nullable(),
      filename: z.string().nullable(),
      path: z.string().nullable(),
      status: z.enum(['opened', 'closed']),
      ...answerShape(PROJECT),
    },
    PROJECT_TEXTS,
  ),
);

/** Entry of a list of projects. */
export const projectOverview = z.strictObject({
  project_id: z.string(),
  nodes: z.int(),
  running: z.int().meta({ description: 'Nodes that are started' }),
  busy: z
    .int()
    .meta({ description: 'Nodes that keep the project from being copied: those that run, and do not always run' }),
  failed: z.int().meta({ description: 'Nodes whose last start failed' }),
  unreachable: z.int().meta({ description: 'Nodes whose compute is away' }),
  links: z.int(),
  changed_at: z.string().nullable().meta({ description: 'When the last event of the project happened, ISO time' }),
  viewers: z.array(z.string()).meta({ description: 'Names of those who look at it, each once' }),
  forked_from: z.string().nullable().meta({ description: 'project_id of what it is a fork of; null: of none' }),
});

export const projectStats = z.strictObject({
  nodes: z.int(),
  links: z.int(),
  drawings: z.int(),
  snapshots: z.int(),
});

/** `gns3Compat`: without keys that clients of GNS3 do not know. */
export const projectToJson = (p: ProjectRecord, gns3Compat: boolean) => ({
  project_id: p.project_id,
  name: p.name,
  filename: p.filename,
  path: p.path,
  // Clients ask for nodes as soon as they read `opened`, so a project that is still opening is not.
  status: p.state === 'opened' || p.state === 'closing' || p.state === 'restoring' ? 'opened' : 'closed',
  ...withInitial(gns3Compat ? knownInRecords(PROJECT) : PROJECT, p),
});

const PATH = '/v2/projects/{project_id}';

export const projectRoutes = (api: Api): Route[] => [...collection(api), ...single(api), ...lifecycle(api)];

const collection = (api: Api): Route[] => [
  readRoute(api, '/v2/projects', {
    summary: 'Every project, opened or closed',
    success: { code: 200, schema: z.array(projectRecord) },
    read: ({ records }) => taggedList(records.projects(), api.json.project),
  }),
  route('GET', '/v2/projects/overview', {
    summary: 'What a list of projects shows of each: nodes, their states, the last change, who looks',
    success: { code: 200, schema: z.array(projectOverview) },
    anyServer: true,
    handler: async () => json(await overviews(api)),
  }),
  route('POST', '/v2/projects', {
    summary: 'Create a project',
    body: projectCreate,
    queryIntoBody: true,
    success: { code: 201, schema: projectRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, body }) => {
      if (body.default_compute !== undefined) checkWhere(api, 'default_compute', body.default_compute);
      const project = await api.commands.createProject(caller, { auto_close: api.gns3Compat, ...body });
      return jsonText(api.json.project(project));
    },
  }),
  route('POST', '/v2/projects/load', {
    summary: 'Open a project file of the local server',
    body: projectLoad,
    query: loadQuery,
    localOnly: true,
    success: { code: 201, schema: projectRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, body, query }) => {
      const options = { auto_close: api.gns3Compat, ...query };
      return jsonText(api.json.project(await api.commands.loadProject(caller, body.path, options)));
    },
  }),
];

const overviews = async ({ records, past, feeds, kinds }: Api): Promise<z.output<typeof projectOverview>[]> => {
  const projects = records.projects();
  const times = await past.lastTimes(projects.map(({ project_id }) => project_id));
  return projects.map(({ project_id, forked_from }) => {
    const nodes = records.ofProject('node', project_id);
    const count = (is: (node: (typeof nodes)[number]) => boolean): number => nodes.filter(is).length;
    return {
      project_id,
      nodes: nodes.length,
      running: count(({ state }) => state === 'started'),
      busy: count(({ state, kind }) => state !== 'stopped' && kinds.get(kind)?.capabilities.always_on !== true),
      failed: count(({ state, failure }) => state === 'stopped' && failure !== null),
      unreachable: count(({ unreachable }) => unreachable !== undefined),
      links: records.count('link', project_id),
      changed_at: times.get(project_id) ?? null,
      viewers: feeds.viewers(project_id),
      forked_from: forked_from?.project_id ?? null,
    };
  });
};

const answer = (api: Api, record: ProjectRecord): Payload => recordText(api.json.project(record), record);

const single = (api: Api): Route[] => [
  readRoute(api, PATH, {
    summary: 'Read a project',
    success: { code: 200, schema: projectRecord },
    errors: [400, 404],
    read: ({ find }, { project_id }) => answer(api, find.project(project_id)),
  }),
  route('PUT', PATH, {
    summary: 'Change settings of a project',
    body: projectUpdate,
    success: { code: 200, schema: projectRecord },
    errors: [400, 404, 409, 412],
    handler: async ({ caller, params, body }) => {
      const unchanged = Object.keys(body).length === 0;
      const id = params.project_id;
      const record = api.find.project(id);
      // One that has gone since may be put back.
      if (body.default_compute !== undefined && body.default_compute !== record.default_compute)
        checkWhere(api, 'default_compute', body.default_compute);
      const after = unchanged
        ? checkPrecondition(caller, record.name, record)
        : await api.commands.updateProject(caller, id, body);
      return answer(api, after);
    },
  }),
  route('DELETE', PATH, {
    summary: 'Delete a project with its directory',
    body: anyObject,
    errors: [400, 404, 409, 412],
    handler: ({ caller, params }) => done(api.commands.deleteProject(caller, params.project_id)),
  }),
  readRoute(api, `${PATH}/stats`, {
    summary: 'Count what a project holds',
    success: { code: 200, schema: projectStats },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) => {
      find.project(project_id);
      const count = (name: 'node' | 'link' | 'drawing' | 'snapshot') => records.ofProject(name, project_id).length;
      return json({
        nodes: count('node'),
        links: count('link'),
        drawings: count('drawing'),
        snapshots: count('snapshot'),
      });
    },
  }),
];

const lifecycle = ({ commands, json }: Api): Route[] => [
  route('POST', `${PATH}/fork`, {
    summary: 'A new, closed project with the lab as it was at a moment',
    body: forkBody,
    success: { code: 201, schema: projectRecord },
    errors: [400, 404, 409],
    handler: async ({ caller, params, body }) =>
      jsonText(json.project(await commands.forkProject(caller, params.project_id, body))),
  }),
  route('POST', `${PATH}/open`, {
    summary: 'Open a project',
    body: anyObject,
    success: { code: 201, schema: projectRecord },
    errors: [400, 404, 409],
    handler: async ({ caller, params }) =>
      jsonText(json.project(await commands.openProject(caller, params.project_id))),
  }),
  route('POST', `${PATH}/close`, {
    summary: 'Stop every node of a project and close it',
    body: anyObject,
    errors: [400, 404, 409],
    handler: ({ caller, params }) => done(commands.closeProject(caller, params.project_id)),
  }),
];
