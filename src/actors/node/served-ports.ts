import type { NodeRecord } from '../../projections/records.ts';
import { type LabContext, toKindNode } from '../context.ts';
import type { Directory } from '../directory.ts';
import { reporting } from '../../common/errors.ts';
import { engineOf, kindOfNode } from './engine.ts';

/** Milliseconds in which programs are up, or gone. */
const SERVE_MS = 30_000;

/** Nodes that serve ports only while they are linked, after links or NIOs of theirs came. Throws what one lacks here: then all is as before. */
export const serveLinked = (directory: Directory, nodeIds: Iterable<string>): Promise<void> =>
  eachServing(directory, nodeIds, async (record) => {
    const { context } = directory;
    // A start would be refused for the same.
    await context.engines.forNode(kindOfNode(context, record), toKindNode(context, record));
    await follow(context, record);
  });

/** The same after links or NIOs went. */
export const leaveUnlinked = (directory: Directory, nodeIds: Iterable<string>): Promise<void> =>
  eachServing(directory, nodeIds, async (record) => {
    const about = { project_id: record.project_id, node_id: record.node_id };
    await follow(directory.context, record).catch(reporting(directory.context.logger, about));
  });

const follow = async (context: LabContext, record: NodeRecord): Promise<void> =>
  engineOf(context, record)?.update(toKindNode(context, record), AbortSignal.timeout(SERVE_MS));

const eachServing = async (
  directory: Directory,
  nodeIds: Iterable<string>,
  change: (record: NodeRecord) => Promise<void>,
): Promise<void> => {
  const { committed, kinds, computes } = directory.context;
  for (const id of new Set(nodeIds)) {
    const found = committed.get('node', id);
    if (found === undefined || kinds.get(found.kind)?.capabilities.serves_linked !== true) continue;
    if (!computes.isHere(found.compute_id)) continue;
    await directory.findNode(id)?.exclusive(async () => {
      const record = committed.get('node', id);
      if (record?.state === 'started') await change(record);
    });
  }
};
