import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as untilImmediate } from 'node:timers/promises';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import {
  HANDED_OVER_MS,
  type LeaseAttempt,
  RETRY_MS,
  serverMachine,
  type ServerRole,
} from '../../src/cluster/server-machine.ts';
import { withResolvers } from '../../src/common/promises.ts';
import type { Lease } from '../../src/events/cell.ts';

const LEASE = { epoch: 7 } as Lease;

/** A server whose steps end as the test says; `did` has them in their order. */
const server = (t: TestContext, role: ServerRole, steps: { take?: LeaseAttempt[]; start?: (ServerRole | null)[] }) => {
  const did: string[] = [];
  const clock = new SimulatedClock();
  const held: { step: string; end: () => void }[] = [];
  /** Goes on when the test lets it. */
  const step = async (name: string): Promise<void> => {
    did.push(name);
    const { promise, resolve } = withResolvers();
    held.push({ step: name, end: () => resolve() });
    await promise;
  };
  const next = <T>(results: (T | null)[] | undefined): T => {
    const result = results?.shift();
    if (result == null) throw new Error('it fails');
    return result;
  };
  const machine = serverMachine.provide({
    actors: {
      takeLease: fromPromise(async () => (await step('take the lease'), next(steps.take))),
      stepDown: fromPromise(() => step('step down')),
      awaitLeader: fromPromise(() => step('await a leader')),
      replace: fromPromise(async ({ input: { lease } }) => {
        await step(lease === null ? 'start without a lease' : 'start with the lease');
        return next(steps.start);
      }),
      checkLog: fromPromise(() => step('check the log')),
    },
    actions: { fence: () => void did.push('fence'), warnOfNoLeader: () => void did.push('warn') },
  });
  const actor = createActor(machine, { clock, input: { role, lease: role === 'leader' ? LEASE : null } });
  actor.subscribe({ error: assert.ifError });
  actor.start();
  t.after(() => actor.stop());
  return {
    did,
    clock,
    actor,
    /** Lets the step that is under way end; its state is then the one given. */
    async end(name: string, state: string) {
      const { step: is, end } = held.pop() ?? { step: 'nothing', end: () => undefined };
      assert.equal(is, name);
      end();
      const [outer = '', inner] = state.split('.');
      const value = inner === undefined ? outer : { [outer]: inner };
      await untilImmediate();
      assert.ok(actor.getSnapshot().matches(value as 'leader'), JSON.stringify(actor.getSnapshot().value));
    },
  };
};

describe('the machine of a server', () => {
  it('is fenced off and stands by when its lease is lost', async (t) => {
    const one = server(t, 'leader', { start: ['standby'] });
    one.actor.send({ type: 'lease lost', reason: 'the database is away' });
    await one.end('start without a lease', 'standby');
    assert.deepEqual(one.did, ['fence', 'start without a lease', 'take the lease']);
    assert.equal(one.actor.getSnapshot().context.lease, null);
  });

  it('waits for the next leader after a handover, and says when none comes', async (t) => {
    const one = server(t, 'leader', { start: ['standby'] });
    one.actor.send({ type: 'hand over' });
    await one.end('step down', 'handedOver');
    one.clock.increment(HANDED_OVER_MS - 1);
    assert.ok(!one.did.includes('warn'));
    one.clock.increment(1);
    assert.deepEqual(one.did, ['step down', 'await a leader', 'warn', 'start without a lease']);
  });

  it('gives up without waiting for another leader', async (t) => {
    const one = server(t, 'leader', { start: ['standby'] });
    one.actor.send({ type: 'give up', reason: 'writes can be lost' });
    await one.end('step down', 'replacing');
    assert.deepEqual(one.did, ['step down', 'start without a lease']);
  });

  it('tries again at once when the lease changed hands during an attempt, and after a pause when it did not', async (t) => {
    const one = server(t, 'standby', { take: [300, 300, LEASE], start: ['leader'] });
    one.actor.send({ type: 'lease changed' });
    await one.end('take the lease', 'standby');
    assert.deepEqual(one.did, ['take the lease', 'take the lease']);
    await one.end('take the lease', 'standby.waiting');
    one.clock.increment(299);
    assert.equal(one.did.length, 2);
    one.clock.increment(1);
    await one.end('take the lease', 'replacing');
    await one.end('start with the lease', 'leader');
    assert.equal(one.actor.getSnapshot().context.lease, LEASE);
  });

  it('stands by when it could not start with the lease', async (t) => {
    const one = server(t, 'standby', { take: [LEASE], start: [null, null, 'standby'] });
    await one.end('take the lease', 'replacing');
    await one.end('start with the lease', 'replacing.starting');
    await one.end('start without a lease', 'replacing.failed');
    one.clock.increment(RETRY_MS);
    await one.end('start without a lease', 'standby');
  });

  it('finishes a start before it closes, and takes no lease afterwards', async (t) => {
    const one = server(t, 'standby', { take: [LEASE, LEASE], start: ['standby'] });
    await one.end('take the lease', 'replacing');
    one.actor.send({ type: 'close' });
    assert.equal(one.actor.getSnapshot().status, 'active');
    await one.end('start with the lease', 'closed');
    const during = server(t, 'standby', { take: [LEASE] });
    during.actor.send({ type: 'close' });
    await during.end('take the lease', 'closed');
    assert.deepEqual(during.did, ['take the lease']);
    // Closing the server gives it back.
    assert.equal(during.actor.getSnapshot().context.lease, LEASE);
  });

  it('looks at a log that takes no writes until it does, with longer pauses after starts in vain', async (t) => {
    const one = server(t, 'readOnly', { start: ['readOnly', null, 'leader'] });
    one.clock.increment(2_000);
    await one.end('check the log', 'replacing');
    await one.end('start without a lease', 'readOnly');
    one.clock.increment(3_999);
    assert.equal(one.actor.getSnapshot().value, 'readOnly');
    one.clock.increment(1);
    await one.end('check the log', 'replacing');
    await one.end('start without a lease', 'readOnly');
    one.clock.increment(4_000);
    await one.end('check the log', 'replacing');
    await one.end('start without a lease', 'leader');
    one.actor.send({ type: 'close' });
    assert.equal(one.actor.getSnapshot().status, 'done');
  });
});
