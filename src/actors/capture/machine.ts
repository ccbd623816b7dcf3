import { fromCallback, setup } from 'xstate';
import type { AnyFact } from '../../events/facts.ts';

export type CaptureFact = Extract<AnyFact, { type: `capture.${string}` }>;
export type CaptureEffect = 'start' | 'stop';

export interface CaptureEffects {
  run(effect: CaptureEffect, fact: CaptureFact): void;
}

const effect = (name: CaptureEffect) =>
  fromCallback<CaptureFact, { effects: CaptureEffects; fact: CaptureFact }>(({ input }) => {
    input.effects.run(name, input.fact);
  });

const invoke = <S extends CaptureEffect>(src: S) => ({
  src,
  input: ({ context, event }: { context: { effects: CaptureEffects }; event: CaptureFact }) => ({
    effects: context.effects,
    fact: event,
  }),
});

/** A capture at one port, asked for at a link or at a node's port. It outlives restarts of the node. */
export const captureMachine = setup({
  types: {
    context: {} as { effects: CaptureEffects },
    input: {} as { effects: CaptureEffects },
    events: {} as CaptureFact,
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
