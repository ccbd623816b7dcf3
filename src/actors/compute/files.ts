import { messageOf, TopologError } from '../../common/errors.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { type LabContext, toKindNode, warn } from '../context.ts';
import { kindOfNode } from '../node/engine.ts';

/** Longest transfer of one node's files. Milliseconds. */
const FETCH_MS = 3_600_000;

/**
 * Brings the directory of a node to what its compute has. Where the compute is away, or is not there any more, the files are those of the last
 * time, and a warning says so.
 */
export const fetchFiles = async (context: LabContext, record: NodeRecord): Promise<void> => {
  const { compute_id, project_id, name, node_directory } = record;
  if (context.computes.isHere(compute_id) || node_directory === null) return;
  try {
    const place = context.computes.placeOf(compute_id);
    if (place?.nodes.isPrepared(record.node_id) === true)
      await place.nodes.fetch(kindOfNode(context, record), toKindNode(context, record), AbortSignal.timeout(FETCH_MS));
  } catch (error) {
    if (!(error instanceof TopologError)) throw error;
    warn(context, project_id, `the files of ${name} are those of the last time they were fetched: ${messageOf(error)}`);
  }
};

/** Before files of a project are copied as a whole. */
export const fetchProjectFiles = async (context: LabContext, projectId: string): Promise<void> => {
  for (const record of context.committed.ofProject('node', projectId)) await fetchFiles(context, record);
};
