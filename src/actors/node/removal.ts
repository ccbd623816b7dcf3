import type { RecordView } from '../../projections/records.ts';
import type { CaptureActor } from '../capture/actor.ts';
import type { Caller } from '../commands.ts';
import type { Directory } from '../directory.ts';
import type { NodeActor } from './actor.ts';

/** A node stops, and captures at it end, before its deletion is decided. For callers that are already alone. */
export const standStill = async (
  pending: RecordView,
  directory: Directory,
  caller: Caller,
  node: NodeActor,
): Promise<void> => {
  if (node.state !== 'stopped') await node.perform(caller, 'stop');
  const captures = (): CaptureActor[] => capturesAt(pending, directory, node);
  for (let on = captures(); on.length > 0; on = captures()) for (const capture of on) await capture.end(caller);
};

/** At its ports, and at the other ends of its links. */
const capturesAt = (pending: RecordView, directory: Directory, node: NodeActor): CaptureActor[] => {
  const links = new Set(pending.linksOf(node.id).map(({ link_id }) => link_id));
  const concerns = ({ port }: CaptureActor): boolean =>
    port.node_id === node.id || (port.link_id !== null && links.has(port.link_id));
  return directory.capturesOf(node.record().project_id).filter(concerns);
};
