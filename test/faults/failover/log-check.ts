import { isDeepStrictEqual } from 'node:util';
import type { Cell } from '../../../src/events/cell.ts';
import { openCell } from '../../../src/events/open-cell.ts';
import { GENESIS } from '../../../src/events/encoding.ts';
import { follows } from '../../../src/events/log/startup.ts';
import { eachEvent, readRecords } from '../../../src/events/read.ts';
import type { AnyEvent } from '../../../src/events/schemas.ts';
import { type Store, streamOf } from '../../../src/events/store/store.ts';
import { Records } from '../../../src/projections/store.ts';
import type { Note } from './databases.ts';

type Last = Pick<AnyEvent, 'version' | 'hash' | 'type'>;

/** Reads a log on as it grows, past all servers, and holds it against all that must be so of it. */
export class LogCheck {
  readonly #name: string;
  readonly #records = new Records();
  readonly #streams = new Map<string, Last>();
  readonly #keys = new Map<string, string>();
  /** How often each mark of a write was met since the last look. */
  readonly marks = new Map<string, number>();
  /** The user that each epoch belongs to, and the last of them. */
  readonly #epochs = new Map<number, string>();
  #epoch = 0;
  position = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** What is wrong with the events that are new, and with the records. */
  async look(log: string, notes: readonly Note[]): Promise<string[]> {
    const cell = await openCell({ log, name: this.#name, key: null, leaseMs: 1_000, create: false });
    try {
      return await this.#lookAt(cell, notes);
    } finally {
      await cell.close();
    }
  }

  async #lookAt(cell: Cell, notes: readonly Note[]): Promise<string[]> {
    const moment = await cell.moment();
    try {
      const problems: string[] = [];
      const first = this.position + 1;
      this.marks.clear();
      await eachEvent(moment, (event) => problems.push(...this.#take(event)), first);
      problems.push(...(await this.#differences(moment)), ...this.#compare(notes, first));
      return problems;
    } finally {
      await moment.close();
    }
  }

  /** Each is there, as it was hashed, or reading it throws. */
  #take(event: AnyEvent): string[] {
    const stream = streamOf(event.project_id);
    const last = this.#streams.get(stream) ?? { version: 0, hash: GENESIS, type: '' };
    this.#streams.set(stream, event);
    this.#records.advance(event);
    this.position = event.position;
    for (const mark of this.#marksOf(event)) this.marks.set(mark, (this.marks.get(mark) ?? 0) + 1);
    return follows(event, last) ? [] : [`position ${event.position} does not follow version ${last.version}`];
  }

  #marksOf(event: AnyEvent): string[] {
    const key = this.#keys.get(event.request_id ?? '');
    switch (event.type) {
      case 'request.keyed':
        this.#keys.set(event.request_id ?? '', event.data.key);
        return [];
      case 'request.answered':
        return event.data.status < 300 ? [`answered ${key}`] : [];
      case 'drawing.created':
        return [`drawn ${event.data.svg}`];
      case 'drawing.updated':
        return [`moved ${event.data.drawing_id} ${event.data.changes.x}`];
      case 'drawing.deleted':
        return [`erased ${event.data.drawing_id}`];
      case 'node.updated':
        return event.data.changes.name === undefined ? [] : [`named ${event.data.node_id} ${event.data.changes.name}`];
      case 'node.start_requested':
        // The server itself starts again what was lost.
        return key === undefined ? [] : [`start ${key}`];
      case 'node.stop_requested':
        return key === undefined ? [] : [`stop ${key}`];
      default:
        return [];
    }
  }

  /** The stored records against the fold of all events. */
  async #differences(store: Store): Promise<string[]> {
    const problems: string[] = [];
    const right = new Map([...this.#records.all()].map(([name, id, record]) => [`${name}/${id}`, record]));
    for await (const [name, id, stored] of readRecords(store)) {
      const key = `${name}/${id}`;
      if (!isDeepStrictEqual(stored, JSON.parse(JSON.stringify(right.get(key) ?? null))))
        problems.push(
          `record ${key} is ${JSON.stringify(stored)}, and its events say ${JSON.stringify(right.get(key))}`,
        );
      right.delete(key);
    }
    return [...problems, ...[...right.keys()].map((key) => `record ${key} is missing`)];
  }

  /** Each event was made once, in order, by the one writer of an epoch that is not older than that before. */
  #compare(notes: readonly Note[], first: number): string[] {
    const problems: string[] = [];
    let expected = first;
    for (const note of notes) {
      const { position, epoch, who, done } = note;
      if (done !== 'INSERT' || position !== expected) problems.push(`${JSON.stringify(note)} comes before ${expected}`);
      if (epoch < this.#epoch) problems.push(`${JSON.stringify(note)} comes after epoch ${this.#epoch}`);
      const owner = this.#epochs.get(epoch) ?? who;
      if (owner !== who) problems.push(`${JSON.stringify(note)} is not of ${owner}, whose epoch that is`);
      this.#epochs.set(epoch, owner);
      this.#epoch = epoch;
      expected = position + 1;
    }
    return problems;
  }
}
