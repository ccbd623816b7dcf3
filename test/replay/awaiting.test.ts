import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SYSTEM } from '../../src/events/event.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { createAwaiting } from '../../src/replay/pacing.ts';
import { PROJECT } from '../support/events.ts';

const side = { text: (text: string) => text, udpPort: (port: number) => port, engines: true };

const verdict = (position: number, type: 'check.met' | 'check.broken', check_id = 'c'): AnyEvent => {
  const data = { project_id: PROJECT, check_id, name: check_id, after_ms: 1, text: 'x', evidence: {} };
  const rest = { version: position, project_id: PROJECT, v: 1, prev: '', hash: '', by: SYSTEM, request_id: null };
  return { ...rest, position, at: new Date(position).toISOString(), type, data, cause: null };
};

/** Waits while events come: those of one list a look. */
const waited = async (awaits: AnyEvent[], looks: AnyEvent[][], lasting: AnyEvent[] | null): Promise<string[][]> => {
  const told: string[][] = [];
  const signal = new AbortController().signal;
  const events = { since: () => Promise.resolve(looks.shift() ?? assert.fail('it waits for more')) };
  const sides = { recorded: side, now: side };
  const awaiting = createAwaiting({ events, begin: 0, sides, signal, patienceMs: 600_000, lasting });
  await awaiting(awaits, { tell: (missing) => told.push([...missing]) });
  assert.deepEqual(looks, []);
  return told;
};

describe('the wait for what happened by itself', () => {
  it('says what it waits for, whenever that is something else', async () => {
    const awaits = [verdict(1, 'check.met'), verdict(2, 'check.broken', 'd')];
    const looks = [[], [], [verdict(11, 'check.met')], [], [verdict(12, 'check.broken', 'd')]];
    assert.deepEqual(await waited(awaits, looks, null), [['check.met c', 'check.broken d'], ['check.broken d']]);
  });

  it('says nothing where everything is there', async () => {
    assert.deepEqual(await waited([verdict(1, 'check.met')], [[verdict(11, 'check.met')]], null), []);
  });

  it('is for each verdict of a check, or for the one that it has in the end', async () => {
    const [met, broken] = [verdict(11, 'check.met'), verdict(12, 'check.broken')];
    assert.deepEqual(await waited([verdict(1, 'check.met')], [[met, broken]], null), []);
    const lasting = [verdict(1, 'check.met')];
    assert.deepEqual(await waited(lasting, [[met, broken], [verdict(13, 'check.met')]], lasting), [['check.met c']]);
  });
});
