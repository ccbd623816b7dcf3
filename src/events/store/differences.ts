import { blocks, type Range, type Store, type StoreOp } from './store.ts';

type Readable = Pick<Store, 'iterator'>;

/** A part of two ranges that were compared. */
export interface Compared {
  /** What makes the second range like the first. */
  ops: StoreOp[];
  /** Entries of the first range, and octets of their keys and values. */
  entries: number;
  octets: number;
}

/** Reads a range row by row: only where a block ends is anything waited for. */
class Rows {
  readonly #blocks: AsyncGenerator<[string, string][]>;
  #block: [string, string][] = [];
  #at = 0;

  constructor(store: Readable, range: Range) {
    this.#blocks = blocks(store, range);
  }

  /** Undefined after `fill`: the range has ended. */
  get row(): [string, string] | undefined {
    return this.#block[this.#at];
  }

  async fill(): Promise<void> {
    if (this.#at < this.#block.length) return;
    const next = await this.#blocks.next();
    this.#block = next.done === true ? [] : next.value;
    this.#at = 0;
  }

  /** Whether the block goes on. */
  step(): boolean {
    return ++this.#at < this.#block.length;
  }

  async close(): Promise<void> {
    await this.#blocks.return(undefined);
  }
}

/** In the order of octets, as keys are stored. */
const order = (a: string, b: string): number => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** Up to the end of a block of either. */
const compare = (from: Rows, to: Rows): Compared => {
  const found: Compared = { ops: [], entries: 0, octets: 0 };
  for (let goesOn = true; goesOn;) {
    const [a, b] = [from.row, to.row];
    if (a === undefined && b === undefined) return found;
    const which = a === undefined ? 1 : b === undefined ? -1 : order(a[0], b[0]);
    if (a !== undefined && which <= 0) {
      found.entries++;
      found.octets += Buffer.byteLength(a[0]) + Buffer.byteLength(a[1]);
      if (which < 0 || a[1] !== b?.[1]) found.ops.push({ type: 'put', key: a[0], value: a[1] });
      goesOn = from.step();
    }
    if (b !== undefined && which >= 0) {
      if (which > 0) found.ops.push({ type: 'del', key: b[0] });
      goesOn = to.step() && goesOn;
    }
  }
  return found;
};

/** Compares a range of two stores, part by part; what of the second is changed by the ops of a part is not read again. */
export async function* differences(from: Readable, to: Readable, range: Range): AsyncGenerator<Compared> {
  const [a, b] = [new Rows(from, range), new Rows(to, range)];
  try {
    for (;;) {
      await Promise.all([a.fill(), b.fill()]);
      if (a.row === undefined && b.row === undefined) return;
      yield compare(a, b);
    }
  } finally {
    await Promise.all([a.close(), b.close()]);
  }
}
