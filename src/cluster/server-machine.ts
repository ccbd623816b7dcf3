import { assign, fromCallback, fromPromise, setup } from 'xstate';
import type { Lease } from '../events/cell.ts';

/**
 * Decides what the server of this process may do: lead (it writes), stand by for another server of its cell, or only read a log whose place
 * takes no writes. It changes its role by replacing itself in this process, at the same ports. failover.ts gives it the actors of a cell,
 * healing.ts those of a log that only one server has.
 */

export type ServerEvent =
  /** This server's lease is over. */
  | { type: 'lease lost'; reason: string }
  /** Another server is to write. */
  | { type: 'hand over' }
  /** This server must not write any more. */
  | { type: 'give up'; reason: string }
  /** The lease of the cell has changed hands. */
  | { type: 'lease changed' }
  | { type: 'close' };

/** `settled`: it only reads, and nothing that it could wait for would change that. */
export type ServerRole = 'leader' | 'standby' | 'readOnly' | 'settled';

/** How an attempt to take the lease ended: with the lease; with the milliseconds to the next one; with a log that has fewer events than were read. */
export type LeaseAttempt = Lease | number | 'shorter log';

/** `pause`: milliseconds to the next attempt of what was tried last. */
interface ServerContext {
  role: ServerRole;
  lease: Lease | null;
  /** Why it steps down; null: for another server that is to take over. */
  reason: string | null;
  pause: number;
  isClosing: boolean;
  /** The lease has changed hands since the last attempt to take it began. */
  isLeaseChanged: boolean;
}

/** Between two attempts to replace the server. Milliseconds. */
export const RETRY_MS = 500;
/** Longest wait for another writer after a handover. Milliseconds. */
export const HANDED_OVER_MS = 10_000;
/** Between two checks whether the place of the log takes writes: at first, and at most after starts that changed nothing. Milliseconds. */
const CHECK_MS = 2_000;
const SLOWEST_CHECK_MS = 30_000;

const callback = fromCallback<ServerEvent, { lease: Lease | null }, ServerEvent>(() => undefined);
const notGiven = (): Promise<never> => Promise.reject(new Error('no actor was given'));
const notDone = (): Promise<void> => notGiven();

export const serverMachine = setup({
  types: {
    context: {} as ServerContext,
    input: {} as { role: ServerRole; lease: Lease | null },
    events: {} as ServerEvent,
  },
  actors: {
    /** Tells the end of the turn of writing. */
    watchTurn: callback,
    /** Tells that the lease has changed hands. */
    watchLease: callback,
    takeLease: fromPromise<LeaseAttempt>(notGiven),
    stepDown: fromPromise((_: { input: { lease: Lease | null; reason: string | null } }) => notDone()),
    awaitLeader: fromPromise(notDone),
    /** Starts the server that follows. Rejects where it cannot: then it is no leader. */
    replace: fromPromise<ServerRole, { lease: Lease | null }>(notGiven),
    /** Rejects while the place of the log takes no writes. */
    checkLog: fromPromise(notDone),
  },
  actions: {
    fence: (_, _params: { lease: Lease | null; reason: string }) => undefined,
    warnOfNoLeader: () => undefined,
    forgetLease: assign({ lease: null }),
  },
  guards: {
    isClosing: ({ context }) => context.isClosing,
    isLeaseChanged: ({ context }) => context.isLeaseChanged,
    hasLease: ({ context }) => context.lease !== null,
    isHandover: ({ context }) => context.reason === null,
    isLeader: ({ context }) => context.role === 'leader',
    isStandby: ({ context }) => context.role === 'standby',
    isReadOnly: ({ context }) => context.role === 'readOnly',
    /** Another server has the lease. */
    isTaken: (_, attempt: LeaseAttempt) => typeof attempt === 'number',
    isLogShorter: (_, attempt: LeaseAttempt) => attempt === 'shorter log',
  },
  delays: {
    pause: ({ context }) => context.pause,
    retry: RETRY_MS,
    handedOver: HANDED_OVER_MS,
  },
}).createMachine({
  id: 'server',
  context: ({ input }) => ({ ...input, reason: null, pause: CHECK_MS, isClosing: false, isLeaseChanged: false }),
  initial: 'serving',
  on: { close: { actions: assign({ isClosing: true }) } },
  states: {
    /** Has the role that the server of this moment was started for. */
    serving: {
      always: [
        { guard: 'isClosing', target: 'closed' },
        { guard: 'isLeader', target: 'leader' },
        { guard: 'isStandby', target: 'standby' },
        { guard: 'isReadOnly', target: 'readOnly' },
        { target: 'settled' },
      ],
    },
    leader: {
      always: { guard: 'isClosing', target: 'closed' },
      invoke: { src: 'watchTurn', input: ({ context: { lease } }) => ({ lease }) },
      on: {
        'lease lost': {
          target: 'replacing',
          actions: [
            { type: 'fence', params: ({ context: { lease }, event: { reason } }) => ({ lease, reason }) },
            'forgetLease',
          ],
        },
        'hand over': { target: 'steppingDown', actions: assign({ reason: null }) },
        'give up': { target: 'steppingDown', actions: assign({ reason: ({ event }) => event.reason }) },
      },
    },
    steppingDown: {
      invoke: {
        src: 'stepDown',
        input: ({ context: { lease, reason } }) => ({ lease, reason }),
        onDone: [
          { guard: 'isHandover', target: 'handedOver', actions: 'forgetLease' },
          { target: 'replacing', actions: 'forgetLease' },
        ],
      },
    },
    handedOver: {
      always: { guard: 'isClosing', target: 'closed' },
      invoke: { src: 'awaitLeader', onDone: 'replacing' },
      after: { handedOver: { target: 'replacing', actions: 'warnOfNoLeader' } },
    },
    standby: {
      initial: 'takingLease',
      invoke: { src: 'watchLease', input: ({ context: { lease } }) => ({ lease }) },
      states: {
        takingLease: {
          entry: assign({ isLeaseChanged: false }),
          on: { 'lease changed': { actions: assign({ isLeaseChanged: true }) } },
          invoke: {
            src: 'takeLease',
            onDone: [
              {
                guard: { type: 'isTaken', params: ({ event }) => event.output },
                target: 'waiting',
                actions: assign({ pause: ({ event }) => Number(event.output) }),
              },
              {
                guard: { type: 'isLogShorter', params: ({ event }) => event.output },
                target: '#server.replacing',
              },
              { target: '#server.replacing', actions: assign({ lease: ({ event }) => event.output as Lease }) },
            ],
            onError: { target: 'waiting', actions: assign({ pause: RETRY_MS }) },
          },
        },
        waiting: {
          always: [
            { guard: 'isClosing', target: '#server.closed' },
            { guard: 'isLeaseChanged', target: 'takingLease' },
          ],
          on: { 'lease changed': 'takingLease' },
          after: { pause: 'takingLease' },
        },
      },
    },
    replacing: {
      initial: 'due',
      states: {
        due: { always: [{ guard: 'isClosing', target: '#server.closed' }, { target: 'starting' }] },
        starting: {
          invoke: {
            src: 'replace',
            input: ({ context: { lease } }) => ({ lease }),
            onDone: {
              target: '#server.serving',
              actions: assign({
                role: ({ event }) => event.output,
                pause: ({ context: { role, pause } }) =>
                  role === 'readOnly' ? Math.min(2 * pause, SLOWEST_CHECK_MS) : pause,
              }),
            },
            onError: [
              { guard: 'isReadOnly', target: '#server.readOnly' },
              // Without its lease it stands by at once: clients find nobody here meanwhile.
              { guard: 'hasLease', target: 'due', actions: 'forgetLease' },
              { target: 'failed' },
            ],
          },
        },
        failed: { after: { retry: 'due' }, always: { guard: 'isClosing', target: '#server.closed' } },
      },
    },
    readOnly: {
      always: { guard: 'isClosing', target: 'closed' },
      after: { pause: 'healing' },
    },
    healing: {
      invoke: {
        src: 'checkLog',
        onDone: 'replacing',
        onError: 'readOnly',
      },
    },
    settled: {
      always: { guard: 'isClosing', target: 'closed' },
    },
    closed: { type: 'final' },
  },
});
