import { fromCallback, setup } from 'xstate';
import type { AnyFact } from '../../events/facts.ts';

export type ProjectFact = Extract<AnyFact, { type: `project.${string}` }>;
export type ProjectEffect = 'open' | 'close' | 'restore';

export interface ProjectEffects {
  run(effect: ProjectEffect, fact: ProjectFact): void;
}

const effect = (name: ProjectEffect) =>
  fromCallback<ProjectFact, { effects: ProjectEffects; fact: ProjectFact }>(({ input }) => {
    input.effects.run(name, input.fact);
  });

const invoke = <S extends ProjectEffect>(src: S) => ({
  src,
  input: ({ context, event }: { context: { effects: ProjectEffects }; event: ProjectFact }) => ({
    effects: context.effects,
    fact: event,
  }),
});

/**
 * A project. Opening brings its wires and always-on nodes up; closing stops every node and takes the wires down. Restoring does both,
 * with the records and files of a snapshot in between.
 */
export const projectMachine = setup({
  types: {
    context: {} as { effects: ProjectEffects },
    input: {} as { effects: ProjectEffects },
    events: {} as ProjectFact,
  },
  actors: { open: effect('open'), close: effect('close'), restore: effect('restore') },
}).createMachine({
  id: 'project',
  context: ({ input }) => ({ effects: input.effects }),
  initial: 'closed',
  states: {
    closed: {
      on: { 'project.open_requested': 'opening', 'project.replaced': 'closed', 'project.deleted': 'deleted' },
    },
    opening: { invoke: invoke('open'), on: { 'project.opened': 'opened', 'project.open_failed': 'closed' } },
    opened: { on: { 'project.close_requested': 'closing', 'project.restore_requested': 'restoring' } },
    restoring: {
      invoke: invoke('restore'),
      on: { 'project.restored': 'opening', 'project.restore_failed': 'opened' },
    },
    closing: { invoke: invoke('close'), on: { 'project.closed': 'closed' } },
    deleted: { type: 'final' },
  },
});
