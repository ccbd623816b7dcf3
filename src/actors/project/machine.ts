import { fromCallback, setup } from 'xstate';
import type { AnyEvent } from '../../events/schemas.ts';

export type ProjectEvent = Extract<AnyEvent, { type: `project.${string}` }>;
export type ProjectEffect = 'open' | 'close' | 'restore';

export interface ProjectEffects {
  run(effect: ProjectEffect, event: ProjectEvent): void;
}

const effect = (name: ProjectEffect) =>
  fromCallback<ProjectEvent, { effects: ProjectEffects; event: ProjectEvent }>(({ input }) => {
    input.effects.run(name, input.event);
  });

const invoke = <S extends ProjectEffect>(src: S) => ({
  src,
  input: ({ context, event }: { context: { effects: ProjectEffects }; event: ProjectEvent }) => ({
    effects: context.effects,
    event: event,
  }),
});

/**
 * A project. Opening brings its cables and always-on nodes up; closing stops every node and takes the cables down. Restoring does both,
 * with the records and files of a snapshot in between.
 */
export const projectMachine = setup({
  types: {
    context: {} as { effects: ProjectEffects },
    input: {} as { effects: ProjectEffects },
    events: {} as ProjectEvent,
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
