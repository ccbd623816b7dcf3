import { type AnyStateMachine, fromCallback, setup } from 'xstate';
import { conflict } from '../../common/errors.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import {
  CAPTURE_EVENTS,
  CAPTURE_STATES,
  type CaptureEffect,
  type CaptureState,
  NODE_EVENTS,
  NODE_STATES,
  type NodeEffect,
  type NodeState,
  PROJECT_EVENTS,
  PROJECT_STATES,
  type ProjectEffect,
  type ProjectState,
  type StateTable,
} from '../../projections/states.ts';

/** Does what a state asks for; its outcome comes back as an event. The signal is aborted when the state is left, with a TopologError. */
export interface Effects {
  run(effect: string, event: AnyEvent, left: AbortSignal): void;
}

const ANY = 'any';

/** One for all: an error of its own, with its stack, is a good part of what leaving a state costs. */
const LEFT = conflict('it was interrupted');

const effect = (name: string) =>
  fromCallback<AnyEvent, { effects: Effects; event: AnyEvent }>(({ input }) => {
    const abort = new AbortController();
    input.effects.run(name, input.event, abort.signal);
    return () => abort.abort(LEFT);
  });

const invoke = (src: string) => ({
  src,
  input: ({ context, event }: { context: { effects: Effects }; event: AnyEvent }) => ({
    effects: context.effects,
    event,
  }),
});

type Target = string | { guard: string; target: string }[];

/** Transitions by event: of those that are possible in a state, or in any. */
const transitions = (table: StateTable<string>, state: string): Record<string, Target> => {
  const anywhere = state === ANY;
  const target = (name: string): string => (anywhere ? `.${name}` : name);
  const found: Record<string, Target> = {};
  for (const [type, { from, to }] of Object.entries(table.events)) {
    if (anywhere ? from !== ANY : from === ANY || !from.includes(state)) continue;
    found[type] =
      typeof to === 'string' ? target(to) : to.map((name) => ({ guard: `to ${name}`, target: target(name) }));
  }
  return found;
};

/**
 * The machine of a table. Its events are already on disk; entering a state invokes its effect, and the effect's outcome is the next
 * event.
 */
const machineOf = <State extends string>(id: string, table: StateTable<State>): AnyStateMachine => {
  const states = Object.entries<{ effect?: string }>(table.states);
  const effects = states.flatMap(([, { effect }]) => effect ?? []);
  const named = Object.values(table.events).flatMap(({ to }) => (typeof to === 'string' ? [] : to));
  const anywhere = transitions(table, ANY);
  const isDeleted = Object.values(table.events).some(({ to }) => to === 'deleted');
  return setup({
    types: {
      context: {} as { effects: Effects },
      input: {} as { effects: Effects },
      events: {} as AnyEvent,
    },
    actors: Object.fromEntries(effects.map((name) => [name, effect(name)])),
    guards: Object.fromEntries(
      named.map((name) => [
        `to ${name}`,
        ({ event }: { event: AnyEvent }) => (event.data as { state?: string }).state === name,
      ]),
    ),
  }).createMachine({
    id,
    context: ({ input }) => ({ effects: input.effects }),
    initial: states[0]?.[0] ?? '',
    ...(Object.keys(anywhere).length === 0 ? {} : { on: anywhere }),
    states: Object.fromEntries([
      ...states.map(([name, { effect }]) => [
        name,
        { ...(effect === undefined ? {} : { invoke: invoke(effect) }), on: transitions(table, name) },
      ]),
      ...(isDeleted ? [['deleted', { type: 'final' as const }]] : []),
    ]) as Record<string, object>,
  });
};

export const nodeTable: StateTable<NodeState, NodeEffect> = { states: NODE_STATES, events: NODE_EVENTS };
export const nodeMachine = machineOf('node', nodeTable);

/** Restoring closes and opens, with the records and files of a snapshot in between. */
export const projectTable: StateTable<ProjectState, ProjectEffect> = { states: PROJECT_STATES, events: PROJECT_EVENTS };
export const projectMachine = machineOf('project', projectTable);

/** A capture at one port, asked for at a link or at a node's port. It outlives restarts of the node. */
export const captureTable: StateTable<CaptureState, CaptureEffect> = { states: CAPTURE_STATES, events: CAPTURE_EVENTS };
export const captureMachine = machineOf('capture', captureTable);
