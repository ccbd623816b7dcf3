import type { LogEvent } from '../../../events/event.ts';
import { asData, ENTRY_KINDS, kindOf } from './kinds.ts';
import { type Collection, Names, namingOf, type ObjectRef, objectOf, short } from './names.ts';
import { Rows } from './rows.ts';

/** Numbers for texts, each text once. */
class Table {
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #most: number;

  /** `most`: when it is full, new texts get the number 0. */
  constructor(first: readonly string[] = [], most = Infinity) {
    this.#most = most;
    for (const text of first) this.number(text);
  }

  get size(): number {
    return this.#texts.length;
  }

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    if (this.#texts.length >= this.#most) return 0;
    this.#numbers.set(text, this.#texts.length);
    this.#texts.push(text);
    return this.#texts.length - 1;
  }

  /** -1: not there. */
  find(text: string): number {
    return this.#numbers.get(text) ?? -1;
  }

  text(number: number): string {
    return this.#texts[number] ?? '';
  }

  from(number: number): string[] {
    return this.#texts.slice(number);
  }

  all(): readonly string[] {
    return this.#texts;
  }
}

/** Maximum of different notes, which are only for searching. */
const NOTES = 50_000;

const FAILURE = ENTRY_KINDS.indexOf('failure');
/**
 * Rows before a refused request in which the failure that caused it is searched, and characters of its note that are
 * compared.
 */
const NEAR = 50;
const ALIKE = 24;

/**
 * Index of the events of a project: a row of numbers for each event, and the names of objects. It grows event by
 * event and holds only what is in the log.
 */
export class TimeIndex {
  readonly rows = new Rows();
  readonly people = new Table();
  readonly types = new Table();
  /** `collection id`; number 0 is none. */
  readonly objects = new Table(['']);
  /** Details of events for searching: reason, file, fields. Number 0 is none. */
  readonly notes = new Table([''], NOTES);
  readonly names = new Names();
  /** Version, position and hash of the last event. */
  version = 0;
  position = 0;
  hash = '';
  #request: string | null = null;

  /** Adds the next event of the stream. */
  add(event: LogEvent): void {
    const naming = namingOf(event);
    if (naming !== null) this.names.add(naming);
    const who = this.people.number(this.#personOf(event));
    const type = this.types.number(event.type);
    const kind = ENTRY_KINDS.indexOf(kindOf(event));
    const note = this.notes.number(noteOf(event));
    const ref = objectOf(event.data);
    const object = ref === null ? 0 : this.objects.number(`${ref.collection} ${ref.id}`);
    const last = this.rows.length - 1;
    const isMore =
      !this.isClosedBefore(event) &&
      isTogether(event) &&
      this.rows.get('type', last) === type &&
      this.rows.get('kind', last) === kind &&
      this.rows.get('note', last) === note &&
      this.rows.get('who', last) === who;
    if (isMore) this.rows.extend(event.position);
    else if (!this.#isTold(event, who, object)) {
      const { position } = event;
      this.rows.add({ at: Date.parse(event.at), position, span: 0, count: 1, kind, type, who, object, note });
    }
    this.#request = event.request_id;
    this.version = event.version;
    this.position = event.position;
    this.hash = event.hash;
  }

  /** Whether an event begins a new row in any case. */
  isClosedBefore({ request_id }: Pick<LogEvent, 'request_id'>): boolean {
    return request_id === null || request_id !== this.#request || this.rows.length === 0;
  }

  /** Whether a request was refused because of a failure that has a row already. */
  #isTold({ type, data }: LogEvent, who: number, object: number): boolean {
    const { reason, count } = asData(data);
    if (type !== 'request.refused' || typeof reason !== 'string' || count !== 1) return false;
    for (let row = this.rows.length - 1; row >= Math.max(0, this.rows.length - NEAR); row--) {
      if (this.rows.get('who', row) !== who || this.rows.get('object', row) !== object) continue;
      if (this.rows.get('kind', row) !== FAILURE) continue;
      const note = this.notes.text(this.rows.get('note', row)).slice(0, ALIKE);
      if (note !== '' && reason.includes(note)) return this.types.text(this.rows.get('type', row)) !== type;
    }
    return false;
  }

  /** Actions of the server are attributed to the person who caused them. */
  #personOf({ by, cause }: LogEvent): string {
    if (by.principal !== 'system' || cause === null) return by.principal;
    const row = this.rowAt(cause);
    return row === null ? by.principal : this.people.text(this.rows.get('who', row));
  }

  /** Row of the event at a position; null: not of this project. */
  rowAt(position: number): number | null {
    const row = this.rows.firstFrom('position', position + 1) - 1;
    return row >= 0 && this.rows.get('position', row) + this.rows.get('span', row) >= position ? row : null;
  }

  object(number: number): ObjectRef | null {
    const [collection = '', id] = this.objects.text(number).split(' ');
    return id === undefined ? null : { collection: collection as Collection, id };
  }

  /** Name for people, e.g. `PC1 – SW1` of a link; null: none. */
  nameAt(id: string, position: number): string | null {
    const found = this.names.at(id, position);
    if (found === null || typeof found === 'string') return found;
    return found.map(([node]) => this.nameAt(node, position) ?? '?').join(' – ');
  }
}

/** Whether events of this type and of one request share a row. */
const isTogether = ({ type, data }: LogEvent): boolean =>
  /^(node|link|drawing)\.(created|updated|deleted|restored)$/.test(type) &&
  asData(asData(data)['changes'])['name'] === undefined;

const NOTED_KEYS = ['message', 'reason', 'filename', 'file', 'path', 'destination', 'operation', 'action'] as const;

/** Note for searching, which also keeps different events in different rows. */
const noteOf = (event: LogEvent): string => {
  if (kindOf(event) === 'move') return '';
  const { failure, failed, changes, ...data } = asData(event.data);
  const told = [
    asData(failure)['message'],
    ...(Array.isArray(failed) ? failed.slice(0, 3).map((one) => asData(asData(one)['failure'])['message']) : []),
    ...NOTED_KEYS.map((key) => data[key]),
    ...Object.keys(asData(changes)),
    asData(changes)['name'],
  ];
  return short(told.filter((one) => typeof one === 'string').join(' '));
};
