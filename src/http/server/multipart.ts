import { invalid } from '../../common/errors.ts';

/** The file in a form, as browsers send it: RFC 7578, multipart/form-data. */

/** null: it is no form. */
export const boundaryOf = (mediaType: string): string | null => {
  if (!/^multipart\/form-data\b/i.test(mediaType)) return null;
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(mediaType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw invalid('the form has no boundary in its Content-Type');
  return boundary;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD = 16 * 1024;
const MAX_PARTS = 100;

/** Reads a stream up to marks. Holds no more than a mark could be long, and the block that came last. */
class Scanner {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** What comes before the mark, in blocks; the mark itself is passed over. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at !== -1) {
        if (at > 0) yield this.#held.subarray(0, at);
        this.#held = this.#held.subarray(at + mark.length);
        return;
      }
      const sure = this.#held.length - mark.length + 1;
      if (sure > 0) {
        yield this.#held.subarray(0, sure);
        this.#held = this.#held.subarray(sure);
      }
      await this.#more();
    }
  }

  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more();
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  /** Reads what is left and drops it. */
  async rest(): Promise<void> {
    while (!this.#ended) {
      this.#held = Buffer.alloc(0);
      await this.#more().catch((error: unknown) => {
        if (!this.#ended) throw error;
      });
    }
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    this.#ended = next.done === true;
    if (next.done === true) throw invalid('the form breaks off');
    this.#held = Buffer.concat([this.#held, next.value]);
  }
}

/** Content of the form's field `file`, or of its first file. Throws `invalid_request` when there is none. */
export async function* partOf(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Buffer> {
  const scanner = new Scanner(body);
  const mark = Buffer.from(`\r\n--${boundary}`);
  await drop(scanner.until(mark.subarray(2)));
  for (let n = 0; n < MAX_PARTS; n++) {
    if ((await scanner.take(2)).toString('latin1') === '--') break;
    const head = await headOf(scanner);
    if (/\bname="?file"?(?:[;\s]|$)/i.test(head) || /\bfilename\*?=/i.test(head)) {
      yield* scanner.until(mark);
      await scanner.rest();
      return;
    }
    await drop(scanner.until(mark));
  }
  throw invalid('the form has no field named file');
}

const headOf = async (scanner: Scanner): Promise<string> => {
  const blocks: Buffer[] = [];
  let size = 0;
  for await (const block of scanner.until(HEAD_END)) {
    size += block.length;
    if (size > MAX_HEAD) throw invalid('a part of the form has a head without an end');
    blocks.push(block);
  }
  return Buffer.concat(blocks).toString('latin1');
};

const drop = async (blocks: AsyncIterable<Buffer>): Promise<void> => {
  for await (const _ of blocks);
};
