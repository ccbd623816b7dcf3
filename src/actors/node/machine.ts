import { fromCallback, setup } from 'xstate';
import type { AnyEvent } from '../../events/schemas.ts';

export type NodeEvent = Extract<AnyEvent, { type: `node.${string}` }>;
export type NodeEffect = 'start' | 'stop' | 'suspend' | 'resume' | 'reload';

/** Does what a state asks for; its outcome comes back as an event. The signal is aborted when the state is left. */
export interface NodeEffects {
  run(effect: NodeEffect, event: NodeEvent, signal: AbortSignal): void;
}

/** One for all: an error of its own, with its stack, is a good part of what leaving a state costs. */
const LEFT = new DOMException('the node has left this state', 'AbortError');

const effect = (name: NodeEffect) =>
  fromCallback<NodeEvent, { effects: NodeEffects; event: NodeEvent }>(({ input }) => {
    const abort = new AbortController();
    input.effects.run(name, input.event, abort.signal);
    return () => abort.abort(LEFT);
  });

const invoke = <S extends NodeEffect>(src: S) => ({
  src,
  input: ({ context, event }: { context: { effects: NodeEffects }; event: NodeEvent }) => ({
    effects: context.effects,
    event: event,
  }),
});

const gone = { 'node.exited': 'stopped', 'node.lost': 'stopped' } as const;

/**
 * A node. Its events are events that are already on disk; entering a state is what invokes an effect, and the effect's outcome
 * is the next event.
 */
export const nodeMachine = setup({
  types: {
    context: {} as { effects: NodeEffects },
    input: {} as { effects: NodeEffects },
    events: {} as NodeEvent,
  },
  actors: {
    start: effect('start'),
    stop: effect('stop'),
    suspend: effect('suspend'),
    resume: effect('resume'),
    reload: effect('reload'),
  },
  guards: {
    foundSuspended: ({ event }) => event.type === 'node.adopted' && event.data.state === 'suspended',
  },
}).createMachine({
  id: 'node',
  context: ({ input }) => ({ effects: input.effects }),
  initial: 'stopped',
  on: { 'node.adopted': [{ guard: 'foundSuspended', target: '.suspended' }, { target: '.started' }] },
  states: {
    stopped: { on: { 'node.start_requested': 'starting', 'node.deleted': 'deleted' } },
    starting: {
      invoke: invoke('start'),
      on: { 'node.started': 'started', 'node.start_failed': 'stopped', 'node.lost': 'stopped' },
    },
    started: {
      on: {
        'node.stop_requested': 'stopping',
        'node.suspend_requested': 'suspending',
        'node.reload_requested': 'reloading',
        ...gone,
      },
    },
    suspending: {
      invoke: invoke('suspend'),
      on: { 'node.suspended': 'suspended', 'node.suspend_failed': 'started', ...gone },
    },
    suspended: { on: { 'node.resume_requested': 'resuming', 'node.stop_requested': 'stopping', ...gone } },
    resuming: {
      invoke: invoke('resume'),
      on: { 'node.resumed': 'started', 'node.resume_failed': 'suspended', ...gone },
    },
    reloading: {
      invoke: invoke('reload'),
      on: { 'node.reloaded': 'started', 'node.reload_failed': 'started', ...gone },
    },
    stopping: {
      invoke: invoke('stop'),
      on: { 'node.stopped': 'stopped', 'node.stop_failed': 'started', 'node.lost': 'stopped' },
    },
    deleted: { type: 'final' },
  },
});
