import { reporting } from '../../common/errors.ts';
import { isLoopback } from '../../common/loopback.ts';
import type { FabricEvent } from '../../fabric/client/keeper.ts';
import { type LabContext, warn } from '../context.ts';

/** After this time without an answer it is asked again: the fabric that was asked may have ended. Milliseconds. */
const ASK_AGAIN_MS = 30_000;

/**
 * Has the path to a host looked at over which a project's frames go, if it is another machine: where a long frame does not fit, the
 * project gets a warning, once for each address. Never throws, never waits.
 */
export const watchPath = (context: LabContext, projectId: string, host: string): void => {
  if (isLoopback(host)) return;
  const { pathsWaiting: waiting, pathsSeen: seen } = context.caches;
  const asked = seen.get(keyOf(projectId, host));
  if (asked === 'known' || (asked !== undefined && performance.now() - asked < ASK_AGAIN_MS)) return;
  seen.set(keyOf(projectId, host), performance.now());
  waiting.set(host, (waiting.get(host) ?? new Set()).add(projectId));
  context.plumbing.probePath(host).catch(reporting(context.logger, { project_id: projectId }, `the path to ${host}`));
};

type Probed = Extract<FabricEvent, { type: 'path.probed' }>;

/** What the fabric has found out about a path. */
export const pathProbed = (context: LabContext, { host, address, mtu, needed }: Probed): void => {
  const { pathsWaiting: waiting, pathsSeen: seen } = context.caches;
  const projects = waiting.get(host) ?? [];
  waiting.delete(host);
  for (const projectId of projects) {
    seen.set(keyOf(projectId, host), 'known');
    if (mtu === null || mtu >= needed || seen.get(keyOf(projectId, address, 'address')) === 'known') continue;
    seen.set(keyOf(projectId, address, 'address'), 'known');
    if (context.committed.get('project', projectId) !== undefined)
      warn(context, projectId, sentence(address, mtu, needed));
  }
};

const keyOf = (projectId: string, place: string, of: 'host' | 'address' = 'host'): string =>
  `${projectId} ${of} ${place}`;

const sentence = (address: string, mtu: number, needed: number): string =>
  `the path to ${address} takes packets of ${mtu} octets, and a frame of 1,500 octets needs ${needed}: ` +
  'larger frames travel in fragments, which costs speed, and some firewalls drop them';
