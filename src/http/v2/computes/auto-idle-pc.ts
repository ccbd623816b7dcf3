import { randomUUID } from 'node:crypto';
import { conflict } from '../../../common/errors.ts';
import type { Caller } from '../../../actors/commands.ts';
import type { Kind, NodeOperation } from '../../../actors/kinds.ts';
import type { Api } from '../../api.ts';
import { validate } from '../../server/validate.ts';

const OPERATION = 'auto_idlepc';

/**
 * An idle-PC value for an image that no node runs yet: measured at a router that is made for it, in a project that is made for it, both
 * of which are gone afterwards.
 */
export const autoIdlePc = async (
  api: Api,
  caller: Caller,
  wish: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> => {
  const { kind, operation } = measuringKind(api);
  const properties = validate(kind.properties, wish);
  const { commands } = api;
  const { project_id } = await commands.createProject(caller, { name: `AUTOIDLEPC-${randomUUID().slice(0, 8)}` });
  try {
    const node = { name: 'AUTOIDLEPC', kind: kind.name, properties };
    const { node_id } = await commands.createNode(caller, project_id, node, 'make_unique');
    const at = { project_id, node_id };
    await commands.actOnNode(caller, at, 'start');
    return await commands.operateNode(caller, at, { ...operation, args: {}, signal });
  } finally {
    await commands.deleteProject(caller, project_id);
  }
};

const measuringKind = ({ kinds }: Api): { kind: Kind; operation: NodeOperation } => {
  for (const kind of kinds.all())
    for (const operation of kind.nodeOperations ?? []) if (operation.path === OPERATION) return { kind, operation };
  throw conflict('no kind of node here can measure idle-PC values');
};
