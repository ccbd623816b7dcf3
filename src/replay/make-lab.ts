import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NodeFields, ProjectFields, ProjectSettings } from '../events/fields.ts';
import { SETTINGS_KEYS } from '../files/fields/settings-fields.ts';
import { ownText, saveOwnFile } from '../files/write/own-file.ts';
import { writeProjectFile } from '../files/write/write.ts';
import { NODE_STATES } from '../projections/states.ts';
import type { Base, SessionFile } from '../session/format.ts';
import { messageIn, type ReplayHost, type Reply } from './host.ts';
import type { Ids, UdpPorts } from './mapping.ts';
import {
  type Bag,
  createDrawing,
  createLink,
  createNode,
  giveTexts,
  type Request,
  REQUESTS,
  setWeather,
} from './requests.ts';
import type { Plan } from './steps.ts';

/** The lab before the first step, with the replay's ids and directory. */
interface Lab {
  project: ProjectFields;
  nodes: NodeFields[];
  links: Base['links'];
  drawings: Base['drawings'];
}

interface LabOptions {
  ids: Ids;
  /** Name of the copy. */
  name: string;
  directory: string;
  /** Engine of every node; null: as recorded. */
  engine: string | null;
}

/** Pure. */
export const labOf = ({ base }: Pick<Plan, 'base'>, { ids, name, directory, engine }: LabOptions): Lab => ({
  project: {
    ...ids.forth(base.project),
    name,
    path: directory,
    filename: 'project.gns3',
    // Nothing may start before the lab is restored.
    auto_open: false,
    auto_start: false,
  },
  // Console ports belong to the machine: the server finds free ones.
  nodes: ids.forth(base.nodes).map((node) => ({ ...node, console: null, ...withEngine(node.properties, engine) })),
  links: ids.forth(base.links),
  drawings: ids.forth(base.drawings),
});

const withEngine = (properties: Bag, engine: string | null): { properties: Bag } => ({
  properties: engine === null ? properties : { ...properties, engine },
});

/** Writes the files of all nodes, also of later ones, into the lab's directory. Throws when a file cannot be written. */
export const writeFiles = async (
  files: readonly SessionFile[],
  directories: ReadonlyMap<string, string>,
  { ids, directory }: Pick<LabOptions, 'ids' | 'directory'>,
): Promise<void> => {
  for (const { node_id, path: name, content } of files) {
    const inside = directories.get(node_id);
    if (inside === undefined || content === null) continue;
    const file = path.join(directory, ids.forth(inside), name);
    // The path may be malicious, as a session may come from anybody.
    if (!file.startsWith(directory + path.sep)) continue;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
};

/** Directories of nodes inside that of their project, as recorded. */
export const nodeDirectories = (
  project: Pick<ProjectFields, 'path'>,
  nodes: readonly Pick<NodeFields, 'node_id' | 'node_directory'>[],
): Map<string, string> =>
  new Map(
    nodes.flatMap(({ node_id, node_directory }) =>
      node_directory === null ? [] : [[node_id, insideOf(project.path, node_directory)]],
    ),
  );

/** Directory of a node inside that of its project. Old events of a session have absolute paths, newer ones relative ones. */
const insideOf = (projectPath: string, directory: string): string =>
  path.isAbsolute(projectPath) === path.isAbsolute(directory)
    ? path.relative(projectPath, directory)
    : directory.split(path.sep).slice(-3).join(path.sep);

/**
 * Makes the lab in the server by loading a project file, which keeps everything; where the server does not load files, by requests for each
 * of its parts.
 */
export const makeLab = async (host: ReplayHost, lab: Lab, requestId: string): Promise<void> => {
  const { project, nodes, links, drawings } = lab;
  const file = path.join(project.path, project.filename);
  // Only this server reads the file, so kinds keep their own names and all properties.
  const kinds = { get: () => undefined };
  await mkdir(project.path, { recursive: true });
  await writeFile(file, writeProjectFile(project, nodes, links, drawings, kinds));
  await saveOwnFile(file, ownText(project, nodes, links, kinds));
  const reply = await host.send('POST', '/v2/projects/load', { path: file }, requestId);
  if (reply.status === 403) return makeByRequests(host, lab, requestId);
  if (reply.status >= 300) throw new Error(`the lab cannot be loaded: ${messageIn(reply)}`);
};

const makeByRequests = async (host: ReplayHost, lab: Lab, requestId: string): Promise<void> => {
  const { project, nodes, links, drawings } = lab;
  const keys = SETTINGS_KEYS.filter((key) => key !== 'weather');
  const settings = Object.fromEntries(keys.map((key: keyof ProjectSettings) => [key, project[key]]));
  const requests: Request[] = [
    { method: 'POST', path: '/v2/projects', body: { ...settings, project_id: project.project_id } },
    ...nodes.map(createNode),
    ...links.map(createLink),
    ...drawings.map(createDrawing),
    ...(project.weather === undefined ? [] : [setWeather(project.project_id, project.weather)]),
  ];
  for (const { method, path: at, body } of requests) {
    const reply = await host.send(method, at, body, requestId);
    if (reply.status >= 300) throw new Error(`the lab cannot be made: ${messageIn(reply)}`);
  }
};

interface NodeAnswer {
  node_id: string;
  status: 'stopped' | 'started' | 'suspended';
}

/** Sends a request of the replay. */
type Send = (method: string, path: string, body: Bag | null) => Promise<Reply>;
/** Sends a request that may fail. */
type Attempt = (...request: Parameters<Send>) => Promise<void>;

/**
 * Brings the copy into the state in which the recording begins: nodes, NIOs, captures, settings. Resolves with sentences about what
 * could not be done: the steps that need it will differ.
 */
export const prepareLab = async (
  send: Send,
  { base }: Pick<Plan, 'base'>,
  ids: Ids,
  ports: UdpPorts,
): Promise<string[]> => {
  const problems: string[] = [];
  const project = `/v2/projects/${ids.of(base.project.project_id)}`;
  const attempt: Attempt = async (method, path, body) => {
    const reply = await send(method, path, body);
    if (reply.status >= 300) problems.push(`${method} ${path}: ${messageIn(reply)}`);
  };

  if (base.project.state === 'opened' || base.project.state === 'opening') {
    await prepareNodes(send, base, ids, attempt);
    for (const { method, path, body } of portRequests(base))
      await attempt(method, ids.forth(path), body === null ? null : await ports.forth(ids.forth(body)));
  } else await attempt('POST', `${project}/close`, null);
  const { auto_open, auto_start } = base.project;
  if (auto_open || auto_start) await attempt('PUT', project, { auto_open, auto_start });
  return problems;
};

/** Starts nodes before it stops others: any start brings up those that always run, which may have to be stopped. */
const prepareNodes = async (send: Send, base: Plan['base'], ids: Ids, attempt: Attempt): Promise<void> => {
  const nodes = `/v2/projects/${ids.of(base.project.project_id)}/nodes`;
  const statuses = async (): Promise<Map<string, NodeAnswer['status']>> => {
    const { body } = await send('GET', nodes, null);
    return new Map((body as NodeAnswer[]).map((n) => [n.node_id, n.status]));
  };
  // The files beside a session are those of its end.
  for (const { path, body } of base.nodes.filter(({ texts }) => texts !== undefined).map(giveTexts))
    await attempt('PUT', ids.forth(path), ids.forth(body));
  const before = await statuses();
  for (const { node_id, state } of base.nodes)
    if (NODE_STATES.meta(state).aim !== 'stopped' && before.get(ids.of(node_id)) === 'stopped')
      await attempt('POST', `${nodes}/${ids.of(node_id)}/start`, null);
  const after = await statuses();
  for (const { node_id, state } of base.nodes) {
    const [is, wanted] = [after.get(ids.of(node_id)), NODE_STATES.meta(state).aim];
    if (is !== wanted && wanted !== 'started')
      await attempt('POST', `${nodes}/${ids.of(node_id)}/${wanted === 'stopped' ? 'stop' : 'suspend'}`, null);
  }
};

/** Requests for the NIOs and running captures. */
const portRequests = ({ nodes, links, project }: Plan['base']) => {
  const kinds = new Map(nodes.map((n) => [n.node_id, n.kind]));
  const kindOf = (id: string): string => kinds.get(id) ?? 'unknown';
  const { project_id } = project;
  const addNio = REQUESTS['node.nio_added'];
  const startCapture = REQUESTS['capture.start_requested'];
  const ofNodes = nodes.flatMap(({ node_id, nios, captures }) => [
    ...Object.entries(nios).map(([key, nio]) => addNio?.({ project_id, node_id, ...portOf(key), nio }, kindOf)),
    ...Object.entries(captures).map(([key, capture]) =>
      startCapture?.({ project_id, node_id, link_id: null, ...portOf(key), ...capture }, kindOf),
    ),
  ]);
  const ofLinks = links.map(({ link_id, state, capture }) =>
    capture === null || state === 'idle' ? undefined : startCapture?.({ project_id, link_id, ...capture }, kindOf),
  );
  return [...ofNodes, ...ofLinks].filter((request) => request !== undefined);
};

/** Parses `<adapter>/<port>`. */
const portOf = (key: string): { adapter_number: number; port_number: number } => {
  const [adapter_number = 0, port_number = 0] = key.split('/').map(Number);
  return { adapter_number, port_number };
};
