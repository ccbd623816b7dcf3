import type { CaptureActor } from '../capture/actor.ts';
import type { Caller } from '../caller.ts';
import type { Directory } from '../directory.ts';
import type { NodeActor } from './actor.ts';

/** A node stops, and captures at it end, before its deletion or its move is decided. For callers that are already alone. */
export const standStill = async (
  directory: Directory,
  caller: Caller,
  node: NodeActor,
  restart = false,
): Promise<void> => {
  if (node.state !== 'stopped') await node.perform(caller, 'stop', {}, { restart });
  await endCapturesAt(directory, caller, node);
};

export const endCapturesAt = async (directory: Directory, caller: Caller, node: NodeActor): Promise<void> => {
  const captures = (): CaptureActor[] => capturesAt(directory, node);
  for (let on = captures(); on.length > 0; on = captures()) for (const capture of on) await capture.end(caller);
};

/** At its ports, and at the other ends of its links. */
const capturesAt = (directory: Directory, node: NodeActor): CaptureActor[] => {
  const links = new Set(directory.context.pending.linksOf(node.id).map(({ link_id }) => link_id));
  const concerns = ({ port }: CaptureActor): boolean =>
    port.node_id === node.id || (port.link_id !== null && links.has(port.link_id));
  return directory.capturesOf(node.record().project_id).filter(concerns);
};
