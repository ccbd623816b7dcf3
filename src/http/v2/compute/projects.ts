import { z } from 'zod';
import { notFound } from '../../../common/errors.ts';
import type { ProjectRecord } from '../../../projections/records.ts';
import { NODE_STATES, shownStatus } from '../../../projections/states.ts';
import type { Api } from '../../api.ts';
import { hasGns3Meaning, servesController } from '../../routing/controller.ts';
import { type Call, done, json, type Route, route } from '../../routing/route.ts';
import { projectFileRoutes } from '../nodes/files.ts';
import { projectCreate, projectUpdate, projectRecord } from '../projects/projects.ts';
import { anyObject } from '../schema.ts';

/** Record of a project in the compute group. */
export const computeProject = z.strictObject({
  project_id: z.string(),
  name: z.string(),
  variables: projectRecord.shape.variables,
});

const computeProjectToJson = (p: ProjectRecord) => ({
  project_id: p.project_id,
  name: p.name,
  variables: p.variables,
});

export const projectFile = z.strictObject({ path: z.string(), md5sum: z.string() });

const udpPort = z.strictObject({ udp_port: z.int() });

const computeNode = z.strictObject({
  node_id: z.string(),
  name: z.string(),
  node_type: z.string(),
  status: z.enum(['stopped', 'started', 'suspended']),
  /** Where its state comes to rest, if all goes well. */
  aim: z.enum(['stopped', 'started', 'suspended']),
  /** Ports with a NIO, as `adapter/port`. */
  nios: z.array(z.string()),
});

const LIST = '/v2/compute/projects';
const ONE = `${LIST}/{project_id}` as const;

export const computeProjectRoutes = (api: Api): Route[] => [
  ...collection(api),
  ...single(api),
  ...actions(api),
  ...files(api),
];

const collection = (api: Api): Route[] => [
  route('GET', LIST, {
    summary: 'Every project',
    success: { code: 200, schema: z.array(computeProject) },
    handler: () => json(api.records.projects().map(computeProjectToJson)),
  }),
  route('POST', LIST, {
    summary:
      'Create a project; one that exists is answered as it is (asked by a controller: opened), a name that is taken gets a number',
    body: projectCreate,
    success: { code: 201, schema: computeProject },
    errors: [400, 403, 409],
    handler: async (call) => json(computeProjectToJson(await projectOf(api, call))),
  }),
];

type CreateCall = Call<unknown, unknown, z.output<typeof projectCreate>>;

const projectOf = async (api: Api, call: CreateCall): Promise<ProjectRecord> => {
  const { caller, body, controller } = call;
  const known = body.project_id === undefined ? undefined : api.records.get('project', body.project_id);
  if (known !== undefined)
    return servesController(api, call) ? api.commands.openProject(caller, known.project_id) : known;
  // Viewers at this server that leave must not close what a controller runs.
  const mine = controller === null ? {} : { auto_close: false };
  return api.commands.createProject(caller, { ...body, ...mine, names: 'make_unique' });
};

const single = ({ commands, find }: Api): Route[] => [
  route('GET', ONE, {
    summary: 'Read a project',
    success: { code: 200, schema: computeProject },
    errors: [400, 404],
    handler: ({ params }) => json(computeProjectToJson(find.project(params.project_id))),
  }),
  route('PUT', ONE, {
    summary: 'Change the variables of a project',
    body: projectUpdate,
    success: { code: 200, schema: computeProject },
    errors: [400, 404, 412],
    handler: async ({ caller, params: { project_id }, body: { variables } }) => {
      const unchanged = variables === undefined;
      const record = unchanged
        ? find.project(project_id)
        : await commands.updateProject(caller, project_id, { variables });
      return json(computeProjectToJson(record));
    },
  }),
  route('DELETE', ONE, {
    summary: 'Delete a project with its directory',
    body: anyObject,
    errors: [400, 404, 409, 412],
    handler: ({ caller, params }) => done(commands.deleteProject(caller, params.project_id)),
  }),
];

const actions = (api: Api): Route[] => [
  close(api),
  route('POST', `${ONE}/ports/udp`, {
    summary: 'Reserve a free UDP port for a NIO',
    body: anyObject,
    success: { code: 201, schema: udpPort },
    errors: [400, 404, 409],
    handler: async ({ params: { project_id } }) => {
      api.find.project(project_id);
      return json({ udp_port: await api.commands.leaseUdpPort(project_id) });
    },
  }),
];

const close = (api: Api): Route =>
  route('POST', `${ONE}/close`, {
    summary: 'Stop every node of a project and close it',
    body: anyObject,
    errors: [400, 404, 409],
    handler: async (call) => {
      const { project_id } = call.params;
      // The existing server has forgotten a project that it closed.
      if (hasGns3Meaning(api, call) && api.find.project(project_id).state === 'closed')
        throw notFound('Open project', project_id);
      return done(api.commands.closeProject(call.caller, project_id));
    },
  });

const files = (api: Api): Route[] => [
  route('GET', `${ONE}/nodes`, {
    summary: 'Nodes of a project, of every kind',
    success: { code: 200, schema: z.array(computeNode) },
    errors: [400, 404],
    handler: ({ params: { project_id: id } }) => {
      api.find.project(id);
      const nodes = api.records.ofProject('node', id);
      return json(
        nodes.map(({ node_id, name, kind, state, nios }) => ({
          node_id,
          name,
          node_type: api.kindNames.emit(kind),
          status: shownStatus(state),
          aim: NODE_STATES.meta(state).aim,
          nios: Object.keys(nios),
        })),
      );
    },
  }),
  route('GET', `${ONE}/files`, {
    summary: 'Files of a project with their MD5 sums',
    success: { code: 200, schema: z.array(projectFile) },
    errors: [400, 404],
    handler: async ({ params }) => json(await api.files.list(api.find.project(params.project_id))),
  }),
  ...projectFileRoutes(api, `${ONE}/files/{path}`),
];
