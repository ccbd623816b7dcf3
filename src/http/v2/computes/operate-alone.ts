import { randomUUID } from 'node:crypto';
import type { Caller, NodeInput, OperationCall } from '../../../actors/commands.ts';
import { TopologError } from '../../../common/errors.ts';
import type { ComputeClient } from '../../../computes/client/client.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { Api } from '../../api.ts';
import { farCompute, farRecord } from './compute-record.ts';

/** An operation at a node that is made for it, in a project that is made for it, both of which are gone afterwards. */
export const operateAlone = async (
  { commands }: Api,
  caller: Caller,
  node: NodeInput,
  call: OperationCall,
): Promise<unknown> => {
  const { project_id } = await commands.createProject(caller, { name: nameOf(node) });
  try {
    const { node_id } = await commands.createNode(caller, project_id, node, 'make_unique');
    const at = { project_id, node_id };
    await commands.actOnNode(caller, at, 'start');
    return await commands.operateNode(caller, at, call);
  } finally {
    await commands.deleteProject(caller, project_id);
  }
};

const nameOf = ({ name }: Pick<NodeInput, 'name'>): string => `${name}-${randomUUID().slice(0, 8)}`;

interface AloneElsewhere {
  computeId: string;
  kind: Kind;
  /** As the create of its kind takes it. */
  node: { name: string; [key: string]: unknown };
  call: OperationCall;
}

/** The same at another compute, by requests there: this server has no record of that project. */
export const operateAloneElsewhere = async (
  api: Api,
  { computeId, kind, node, call: { method, path, signal } }: AloneElsewhere,
): Promise<unknown> => {
  const { client } = farCompute(api, computeId);
  const [project_id, node_id] = [randomUUID(), randomUUID()];
  const project = `/projects/${project_id}`;
  const nodes = `${project}/${kind.alias}/nodes`;
  await client.request('POST', '/projects', { body: { project_id, name: nameOf(node) }, signal });
  try {
    await createElsewhere(api, { client, kind, path: nodes, body: { ...node, node_id }, signal });
    // A GNS3 server starts it itself, and waits until it has booted.
    if (farRecord(api, computeId).capabilities?.topolog != null)
      await client.request('POST', `${nodes}/${node_id}/start`, { signal });
    return await client.request(method, `${nodes}/${node_id}/${path}`, { signal });
  } finally {
    await client.request('DELETE', project).catch((error: unknown) => {
      api.logger.warn(`project ${project_id} is left at compute ${computeId}: ${String(error)}`);
    });
  }
};

interface CreateElsewhere {
  client: ComputeClient;
  kind: Kind;
  path: string;
  body: object;
  signal: AbortSignal;
}

/** How many images one node can lack. */
const MOST_IMAGES = 8;

/** With the images that the compute lacks and this server has. */
const createElsewhere = async (
  api: Api,
  { client, kind, path, body, signal }: CreateElsewhere,
  sent = 0,
): Promise<void> => {
  try {
    await client.request('POST', path, { body, signal });
  } catch (error) {
    const image = missingImage(error);
    if (image === null || sent >= MOST_IMAGES) throw error;
    const content = await api.images.open(kind, image).catch(() => {
      throw error;
    });
    const bare = image.split('/').at(-1) ?? image;
    await client.upload(`/${kind.alias}/images/${encodeURIComponent(bare)}`, content, signal);
    await createElsewhere(api, { client, kind, path, body, signal }, sent + 1);
  }
};

const missingImage = (error: unknown): string | null => {
  if (!(error instanceof TopologError)) return null;
  const { exception, image } = error.details;
  return exception === 'ImageMissingError' && typeof image === 'string' ? image : null;
};
