import path from 'node:path';
import type { Caller, NamePolicy, NodeInput } from '../../../actors/commands.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import { conflict, TopologError } from '../../../common/errors.ts';
import type { NodeRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';

/** Where a node goes, and what is taken for properties that the controller leaves out. */
interface Place {
  caller: Caller;
  projectId: string;
  names: NamePolicy;
  defaults: Readonly<Record<string, unknown>>;
}

/**
 * A node as a controller asks for it, which does so whenever it opens a project: one that is there is answered, with what it takes of the body; a console port is a wish; an image that is missing is said at once, and in words by which the controller sends it.
 */
export const createForController = async (
  api: Api,
  kind: Kind,
  { caller, projectId, names, defaults }: Place,
  input: NodeInput,
): Promise<NodeRecord> => {
  const known = input.node_id === undefined ? undefined : api.records.get('node', input.node_id);
  if (known?.project_id === projectId && known.kind === kind.name) return takeBack(api, caller, known, input);
  await needImages(api, kind, input.properties ?? {});
  const create = (given: NodeInput): Promise<NodeRecord> => api.commands.createNode(caller, projectId, given, names);
  const full = { ...input, properties: { ...defaults, ...input.properties } };
  const { console: wished, ...free } = full;
  return wished == null
    ? create(full)
    : create(full).catch((error: unknown) => {
        if (isAbout(error, 'console')) return create(free);
        throw error;
      });
};

const isAbout = (error: unknown, field: string): boolean =>
  error instanceof TopologError && error.code === 'conflict' && error.details['field'] === field;

/** A node that runs keeps what it cannot change now. */
const takeBack = async (api: Api, caller: Caller, known: NodeRecord, input: NodeInput): Promise<NodeRecord> => {
  const { kind: _kind, node_id: _id, console: _console, ...changes } = input;
  try {
    return await api.commands.updateNode(caller, known, changes, 'make_unique');
  } catch (error) {
    if (known.state !== 'stopped' && error instanceof TopologError && error.code === 'conflict')
      return api.find.node(known.project_id, known.node_id);
    throw error;
  }
};

const needImages = async (
  { images }: Api,
  kind: Kind,
  properties: Readonly<Record<string, unknown>>,
): Promise<void> => {
  for (const field of kind.images?.fields ?? []) {
    const name = properties[field];
    // A file elsewhere is looked at when the node starts.
    if (typeof name !== 'string' || name === '' || path.isAbsolute(name)) continue;
    const image = await images.open(kind, name).catch((error: unknown) => {
      if (!(error instanceof TopologError && error.code === 'not_found')) throw error;
      throw conflict(`The image ${name} is missing`, { field, exception: 'ImageMissingError', image: name });
    });
    image.destroy();
  }
};
