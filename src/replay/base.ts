import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NodeFields, ProjectFields, ProjectSettings } from '../events/fields.ts';
import { SETTINGS_KEYS } from '../files/fields/settings-fields.ts';
import { ownText, saveOwnFile } from '../files/write/own-file.ts';
import { writeProjectFile } from '../files/write/write.ts';
import type { Base, SessionFile } from '../session/format.ts';
import { messageIn, type ReplayHost } from './host.ts';
import type { Ids } from './compare/ids.ts';
import { type Bag, createDrawing, createLink, createNode, type Request, setWeather } from './perform/requests.ts';
import type { Plan } from './perform/steps.ts';

/** The lab before the first step, with ids and a directory of its own. */
export interface Lab {
  project: ProjectFields;
  nodes: NodeFields[];
  links: Base['links'];
  drawings: Base['drawings'];
}

export interface LabOptions {
  ids: Ids;
  /** Of the copy. */
  name: string;
  directory: string;
  /** Which engine every node is given; null: as it was. */
  engine: string | null;
}

/** Pure. */
export const labOf = ({ base }: Pick<Plan, 'base'>, { ids, name, directory, engine }: LabOptions): Lab => ({
  project: {
    ...ids.forth(base.project),
    name,
    path: directory,
    filename: 'project.gns3',
    // Nothing is to start before the lab is as it was.
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

/** Puts the nodes' files beside the lab, those of nodes that come later too. Throws when a file cannot be written. */
export const writeFiles = async (
  files: readonly SessionFile[],
  directories: ReadonlyMap<string, string>,
  { ids, directory }: Pick<LabOptions, 'ids' | 'directory'>,
): Promise<void> => {
  for (const { node_id, path: name, content } of files) {
    const inside = directories.get(node_id);
    if (inside === undefined || content === null) continue;
    const file = path.join(directory, ids.forth(inside), name);
    // A session may come from anybody.
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

/** Events of one session can tell whole paths first, and later ones relative to the directory of files. */
const insideOf = (projectPath: string, directory: string): string =>
  path.isAbsolute(projectPath) === path.isAbsolute(directory)
    ? path.relative(projectPath, directory)
    : directory.split(path.sep).slice(-3).join(path.sep);

/**
 * Makes the lab in the server: as a project file that it loads, which keeps everything; where the server loads none, by requests
 * for each of its parts.
 */
export const makeLab = async (host: ReplayHost, lab: Lab, requestId: string): Promise<void> => {
  const { project, nodes, links, drawings } = lab;
  const file = path.join(project.path, project.filename);
  // Nobody but this server reads it, so it may have neutral names and every property.
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
