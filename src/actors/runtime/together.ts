import type { EventLog } from '../../events/log/log.ts';
import type { AnyDraft, AnyEvent } from '../../events/schemas.ts';
import { inChunks } from './chunks.ts';
import { inAll } from '../../common/mailbox.ts';
import type { Batch, Runtime } from './runtime.ts';

type Event = AnyDraft | AnyEvent;

export type Append = (batch: Batch) => Promise<void>;

/**
 * A batch with events of several machines, by the id that `idOf` an event tells: each is asked whether its own are possible before they
 * are appended, and gets them afterwards. `work` runs where no other event of theirs waits, and appends once.
 */
export const together = async <S extends string, E extends string, T>(
  log: EventLog,
  machines: ReadonlyMap<string, Runtime<S, E>>,
  idOf: (event: Event) => string | undefined,
  work: (append: Append) => Promise<T>,
): Promise<T> => {
  const append = async (batch: Batch): Promise<void> => {
    const drafts = byId<Event>('events' in batch ? batch.events : batch, idOf);
    for (const [id, machine] of machines) machine.check(drafts.get(id) ?? []);
    const events = byId(await log.append(batch), idOf);
    await inChunks([...machines], async ([id, machine], turn) => {
      await turn;
      await machine.take(events.get(id) ?? []);
    });
  };
  const queues = [...machines.values()].map(({ queue }) => queue);
  // A log that cannot be written says so at once, whatever waits for it.
  return inAll(log.writable ? queues : [], () => work(append));
};

const byId = <E>(events: readonly E[], idOf: (event: E) => string | undefined): Map<string | undefined, E[]> => {
  const found = new Map<string | undefined, E[]>();
  for (const event of events) {
    const id = idOf(event);
    const known = found.get(id);
    if (known === undefined) found.set(id, [event]);
    else known.push(event);
  }
  return found;
};
