import { messageOf, TopologError } from '../../common/errors.ts';
import type { Capture } from '../../events/fields.ts';
import { captureStateOf, type CaptureState } from '../../projections/states.ts';
import { captureKey, type CapturePort } from '../capture/actor.ts';
import { type LabContext, SYSTEM_CALLER } from '../context.ts';
import type { Directory } from '../directory.ts';
import { parsePort } from '../port/port-key.ts';
import { isAway } from './recover-node.ts';

interface WantedCapture {
  state: CaptureState;
  port: CapturePort;
  capture: Capture;
}

/** Captures of a project that its records have as on. */
const capturesOf = (context: LabContext, project_id: string): WantedCapture[] => [
  ...context.committed.ofProject('link', project_id).flatMap((link): WantedCapture[] => {
    if (link.capture === null || link.state === 'idle') return [];
    const { node_id, adapter_number, port_number, ...capture } = link.capture;
    const port = { project_id, link_id: link.link_id, node_id, adapter_number, port_number };
    return [{ state: captureStateOf(link.state), port, capture }];
  }),
  ...context.committed.ofProject('node', project_id).flatMap(({ node_id, captures }) =>
    Object.entries(captures).map(([key, { state, ...capture }]): WantedCapture => {
      const port = { project_id, link_id: null, node_id, ...parsePort(key) };
      return { state, port, capture };
    }),
  ),
];

/** Actors for the captures of a project that is about to be closed, so that closing ends them. */
export const knowCaptures = (directory: Directory, projectId: string): void => {
  for (const { port } of capturesOf(directory.context, projectId)) directory.capture(port, 'capturing');
};

/**
 * Captures that ran go on in the same file; one that was half-way through starting is started, one half-way through stopping
 * is off. Returns how many go on and how many could not. `at`: only those at these nodes; absent: all but those of nodes that are away.
 */
export const recoverCaptures = async (
  directory: Directory,
  projectId: string,
  at?: ReadonlySet<string>,
): Promise<{ captures: number; failed: number }> => {
  const { context } = directory;
  const wanted = capturesOf(context, projectId).filter(({ port: { node_id } }) => {
    const node = context.committed.get('node', node_id);
    return at === undefined ? node === undefined || !isAway(context, node) : at.has(node_id);
  });
  const outcomes = await Promise.all(wanted.map((capture) => recoverCapture(directory, capture)));
  const count = (of: string): number => outcomes.filter((outcome) => outcome === of).length;
  return { captures: count('on'), failed: count('failed') };
};

const recoverCapture = async (
  directory: Directory,
  { port, state: recorded }: WantedCapture,
): Promise<'on' | 'off' | 'failed'> => {
  const { context } = directory;
  const actor = directory.capture(port, recorded === 'starting' ? 'starting' : 'capturing');
  const current = (): WantedCapture | undefined =>
    capturesOf(context, port.project_id).find((now) => captureKey(now.port) === captureKey(port));
  try {
    // After a request that is under way: where only the fabric was lost, that has its own outcome.
    const state = await actor.exclusive(async () => {
      await actor.idle();
      const wanted = current();
      if (wanted === undefined || wanted.state === 'stopping') return wanted?.state;
      await context.plumbing.startCapture(port, wanted.capture, true);
      if (wanted.state === 'starting') await actor.found();
      return wanted.state;
    });
    if (state === 'stopping') await actor.end(SYSTEM_CALLER);
    return state === undefined || state === 'stopping' ? 'off' : 'on';
  } catch (error) {
    // The next fabric goes on with it.
    if (error instanceof TopologError && (error.code === 'fabric_lost' || error.code === 'compute_unreachable'))
      return 'failed';
    await actor.broke(messageOf(error));
    return 'failed';
  }
};
