import { MAX_LINE } from './format.ts';

export type Source = string | AsyncIterable<string | Uint8Array>;

/** One line without its LF. `ended`: there was one. `tooLong`: it goes on beyond `MAX_LINE`, and nothing follows. */
export interface Line {
  bytes: Buffer;
  ended: boolean;
  tooLong: boolean;
}

const LF = 0x0a;

/** Lines of a text in blocks, as bytes: what is not UTF-8 must not be altered by decoding it. Holds one line at a time. */
export async function* linesOf(source: Source): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const block of bytesOf(source)) {
    let start = 0;
    for (let end = block.indexOf(LF); ; end = block.indexOf(LF, start)) {
      const part = block.subarray(start, end === -1 ? block.length : end);
      size += part.length;
      if (size > MAX_LINE) {
        yield { bytes: Buffer.alloc(0), ended: false, tooLong: true };
        return;
      }
      // Blocks may be views of a buffer that its owner uses again.
      parts.push(end === -1 ? Buffer.from(part) : part);
      if (end === -1) break;
      yield { bytes: Buffer.concat(parts), ended: true, tooLong: false };
      parts = [];
      size = 0;
      start = end + 1;
    }
  }
  if (size > 0) yield { bytes: Buffer.concat(parts), ended: false, tooLong: false };
}

async function* bytesOf(source: Source): AsyncGenerator<Buffer> {
  if (typeof source === 'string') {
    yield Buffer.from(source);
    return;
  }
  // A pair of surrogates may come in two blocks.
  let half = '';
  for await (const block of source) {
    if (typeof block !== 'string') {
      yield Buffer.from(block.buffer, block.byteOffset, block.byteLength);
      continue;
    }
    const text = half + block;
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
    yield Buffer.from(half === '' ? text : text.slice(0, -1));
  }
  if (half !== '') yield Buffer.from(half);
}
