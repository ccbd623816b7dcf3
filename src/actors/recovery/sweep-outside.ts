import { endProcesses } from '../../processes/end.ts';
import { findMarked, markOf } from '../../processes/marker.ts';
import { messageOf } from '../../common/errors.ts';
import type { LabContext } from '../context.ts';

/**
 * At the start, after recovery: ends processes and takes away interfaces, namespaces and containers that an earlier server of this data directory
 * has left for nodes that do not run, e.g. because it was killed while they stopped. What belongs to others has another mark. `at`: the
 * server itself, when it stands by.
 */
export const sweepOutside = async (context: LabContext, at?: string): Promise<void> => {
  const { committed, engines, logger, settings } = context;
  const running = committed
    .projects()
    .filter(({ state }) => state !== 'closed')
    .flatMap(({ project_id }) => committed.ofProject('node', project_id))
    .filter(({ state, server }) => state !== 'stopped' && server === at);
  const known = new Set(running.map(({ node_id }) => node_id));
  try {
    const left = (await findMarked(await markOf(settings.dataDir))).filter(({ node_id }) => !known.has(node_id));
    const stay = await endProcesses(left);
    if (left.length > 0) logger.info(`${left.length - stay.length} processes of nodes that do not run were ended`);
    const taken = await engines.sweep(running, true, (line) => logger.warn(line));
    for (const line of taken) logger.info(`left over, taken away: ${line}`);
  } catch (error) {
    logger.error(`what was left over could not be taken away: ${messageOf(error)}`);
  }
};
