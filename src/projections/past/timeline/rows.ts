/** One line of a time line: an event, or similar events of one request. */
export interface Row {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Position of its first event. */
  readonly position: number;
  /** Difference to the position of its last event. */
  readonly span: number;
  /** Number of events. */
  readonly count: number;
  /** Numbers in the tables of the index; 0 for no object and no note. */
  readonly kind: number;
  readonly type: number;
  readonly who: number;
  readonly object: number;
  readonly note: number;
}

export type Column = keyof Row;

const MAKERS = {
  at: (size: number) => new Float64Array(size),
  position: (size: number) => new Float64Array(size),
  span: (size: number) => new Uint32Array(size),
  count: (size: number) => new Uint32Array(size),
  kind: (size: number) => new Uint8Array(size),
  type: (size: number) => new Uint8Array(size),
  who: (size: number) => new Uint32Array(size),
  object: (size: number) => new Uint32Array(size),
  note: (size: number) => new Uint32Array(size),
} satisfies Record<Column, (size: number) => Float64Array | Uint32Array | Uint8Array>;

export const COLUMNS = Object.keys(MAKERS) as Column[];

/** Longer idle times are compressed to this length. Milliseconds. */
export const IDLE_MS = 10_000;
const FIRST_SIZE = 256;

type Columns = Record<Column, Float64Array | Uint32Array | Uint8Array>;

const columnsOf = (size: number): Columns =>
  Object.fromEntries(COLUMNS.map((name) => [name, MAKERS[name](size)])) as Columns;

/** Rows stored as columns of numbers: some 40 octets per row. */
export class Rows {
  length = 0;
  #columns = columnsOf(FIRST_SIZE);
  /** Milliseconds from the first row, with idle times compressed. */
  #places = new Float64Array(FIRST_SIZE);

  get(column: Column, row: number): number {
    return this.#columns[column][row] ?? 0;
  }

  column(column: Column): ArrayLike<number> {
    return this.#columns[column];
  }

  place(row: number): number {
    return this.#places[row] ?? 0;
  }

  add(row: Row): void {
    this.append(1, row);
  }

  /** Appends rows column by column; a number is the value of all rows. */
  append(length: number, given: Readonly<Record<Column, number | ArrayLike<number>>>): void {
    const from = this.length;
    if (from + length > this.#places.length) this.#grow(Math.ceil((from + length) * 1.3));
    for (const name of COLUMNS) {
      const column = this.#columns[name];
      const values = given[name];
      if (typeof values === 'number') column.fill(values, from, from + length);
      else column.set(values, from);
    }
    const at = this.#columns.at;
    for (let row = Math.max(1, from); row < from + length; row++) {
      const gap = Math.max(0, (at[row] ?? 0) - (at[row - 1] ?? 0));
      this.#places[row] = this.place(row - 1) + Math.min(gap, IDLE_MS);
    }
    this.length += length;
  }

  /** Reserves space for about so many rows. */
  expect(length: number): void {
    if (length > this.#places.length) this.#grow(length);
  }

  /** Adds one more event to the last row. */
  extend(position: number): void {
    const last = this.length - 1;
    this.#columns.count[last] = this.get('count', last) + 1;
    this.#columns.span[last] = position - this.get('position', last);
  }

  #grow(size: number): void {
    const old = this.#columns;
    this.#columns = columnsOf(size);
    for (const name of COLUMNS) this.#columns[name].set(old[name]);
    const places = new Float64Array(size);
    places.set(this.#places);
    this.#places = places;
  }

  /** First row whose value is at least this; the length where there is none. For columns that never decrease. */
  firstFrom(column: 'at' | 'position', value: number): number {
    return this.#search((row) => this.get(column, row) >= value);
  }

  #search(holds: (row: number) => boolean): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * Place of a time on the compressed axis. Before the first and after the last row there is room for one idle time.
   */
  placeOf(time: number): number {
    if (this.length === 0) return 0;
    const right = this.#search((row) => this.get('at', row) > time);
    if (right === 0) return Math.max(time - this.get('at', 0), -IDLE_MS);
    const [before, start] = [this.get('at', right - 1), this.place(right - 1)];
    if (right === this.length) return start + Math.min(time - before, IDLE_MS);
    const [after, end] = [this.get('at', right), this.place(right)];
    return start + ((time - before) / (after - before)) * (end - start);
  }

  /** Time of a place on that axis. */
  timeOf(place: number): number {
    if (this.length === 0) return 0;
    const right = this.#search((row) => this.place(row) > place);
    if (right === 0) return this.get('at', 0) + place;
    const [before, start] = [this.get('at', right - 1), this.place(right - 1)];
    if (right === this.length) return before + (place - start);
    const [after, end] = [this.get('at', right), this.place(right)];
    return before + ((place - start) / (end - start)) * (after - before);
  }
}
