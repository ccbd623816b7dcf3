import { randomUUID } from 'node:crypto';
import type { Caller, NodeInput, OperationCall } from '../../../actors/commands.ts';
import type { Api } from '../../api.ts';

/** An operation at a node that is made for it, in a project that is made for it, both of which are gone afterwards. */
export const operateAlone = async (
  { commands }: Api,
  caller: Caller,
  node: NodeInput,
  call: OperationCall,
): Promise<unknown> => {
  const { project_id } = await commands.createProject(caller, { name: `${node.name}-${randomUUID().slice(0, 8)}` });
  try {
    const { node_id } = await commands.createNode(caller, project_id, node, 'make_unique');
    const at = { project_id, node_id };
    await commands.actOnNode(caller, at, 'start');
    return await commands.operateNode(caller, at, call);
  } finally {
    await commands.deleteProject(caller, project_id);
  }
};
