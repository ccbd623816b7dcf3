import { fromCallback, setup } from 'xstate';
import type { AnyEvent } from '../../events/schemas.ts';

export type CaptureEvent = Extract<AnyEvent, { type: `capture.${string}` }>;
export type CaptureEffect = 'start' | 'stop';

export interface CaptureEffects {
  run(effect: CaptureEffect, event: CaptureEvent): void;
}

const effect = (name: CaptureEffect) =>
  fromCallback<CaptureEvent, { effects: CaptureEffects; event: CaptureEvent }>(({ input }) => {
    input.effects.run(name, input.event);
  });

const invoke = <S extends CaptureEffect>(src: S) => ({
  src,
  input: ({ context, event }: { context: { effects: CaptureEffects }; event: CaptureEvent }) => ({
    effects: context.effects,
    event: event,
  }),
});

/** A capture at one port, asked for at a link or at a node's port. It outlives restarts of the node. */
export const captureMachine = setup({
  types: {
    context: {} as { effects: CaptureEffects },
    input: {} as { effects: CaptureEffects },
    events: {} as CaptureEvent,
  },
  actors: { start: effect('start'), stop: effect('stop') },
}).createMachine({
  id: 'capture',
  context: ({ input }) => ({ effects: input.effects }),
  initial: 'off',
  states: {
    off: { on: { 'capture.start_requested': 'starting' } },
    starting: { invoke: invoke('start'), on: { 'capture.started': 'capturing', 'capture.failed': 'off' } },
    capturing: { on: { 'capture.stop_requested': 'stopping', 'capture.failed': 'off' } },
    stopping: { invoke: invoke('stop'), on: { 'capture.stopped': 'off' } },
  },
});
