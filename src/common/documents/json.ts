import { atOnce, type Steps } from '../slices.ts';

/** Documents that come from outside: how large they may be is looked at before anything is made of them, which costs many times as much. */
export interface Bounds {
  /** Characters. */
  size: number;
  /** Objects and lists within one another. */
  depth: number;
  /** Objects, lists, texts, numbers and so on, all together. */
  values: number;
}

export const BOUNDS = {
  /** Body of a request; its octets have a bound of their own. */
  body: { size: Infinity, depth: 64, values: 2_000_000 },
  /** Project file of a lab with the most nodes, links and drawings that there can be. */
  projectFile: { size: 64 * 1024 ** 2, depth: 100, values: 4_000_000 },
  /** Documents beside a project file or in an archive. */
  besideIt: { size: 16 * 1024 ** 2, depth: 64, values: 500_000 },
  /** Of a compute: lists of all its nodes are the largest. */
  answer: { size: 64 * 1024 ** 2, depth: 64, values: 4_000_000 },
  /** Of a feed, and what says why something is refused. */
  message: { size: 1024 ** 2, depth: 64, values: 50_000 },
} as const;

/** A document beyond its bounds; the message goes behind what it is: "is nested deeper than 64 levels". */
export class TooMuch extends Error {}

/** Parses JSON. Throws `TooMuch`, or a SyntaxError. */
export const boundedJson = (text: string, bounds: Bounds): unknown => {
  atOnce(checkJson(text, bounds));
  return JSON.parse(text) as unknown;
};

/** Characters between two steps. */
const STEP = 1 << 18;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [BRACKET, END_BRACKET, BRACE, END_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads a text once, and makes nothing of it. Whether it is JSON, its parser says. */
export function* checkJson(text: string, bounds: Bounds): Steps<void> {
  if (text.length > bounds.size) throw new TooMuch(`has more than ${bounds.size} characters`);
  const reading = { at: 0, depth: 0, values: 1 };
  while (reading.at < text.length) {
    readOn(text, reading, bounds);
    yield;
  }
}

/** One step; a text within the document is not cut. */
const readOn = (
  text: string,
  reading: { at: number; depth: number; values: number },
  { depth: deepest, values: most }: Bounds,
): void => {
  let { at, depth, values } = reading;
  const end = Math.min(text.length, at + STEP);
  for (; at < end; at++) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) at = endOfText(text, at) - 1;
    else if (c === COMMA) values++;
    else if (c === BRACE || c === BRACKET) {
      values++;
      if (++depth > deepest) throw new TooMuch(`is nested deeper than ${deepest} levels`);
    } else if (c === END_BRACE || c === END_BRACKET) depth--;
    if (values > most) throw new TooMuch(`has more than ${most} values`);
  }
  Object.assign(reading, { at, depth, values });
};

/** Behind the text in quotation marks that begins there. */
export const endOfText = (text: string, quote: number): number => {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let from = end;
    while (text.charCodeAt(from - 1) === BACKSLASH) from--;
    // Each second backslash stands for itself.
    if ((end - from) % 2 === 0) return end + 1;
  }
  return text.length;
};

/** A stream as text, of at most `most` octets. Throws `TooMuch`, and ends the stream then. */
export const boundedText = async (stream: AsyncIterable<Uint8Array>, most: number): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let octets = 0;
  for await (const piece of stream) {
    octets += piece.length;
    if (octets > most) throw new TooMuch(`has more than ${most} octets`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};

/** Lines of a stream of UTF-8, of at most `most` octets each, without the last one where it has no end. Throws `TooMuch`. */
export async function* boundedLines(stream: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string> {
  let rest: Uint8Array[] = [];
  let octets = 0;
  for await (const piece of stream) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, end)]).toString();
      [rest, octets, from] = [[], 0, end + 1];
    }
    rest.push(piece.subarray(from));
    octets += piece.length - from;
    if (octets > most) throw new TooMuch(`has more than ${most} octets`);
  }
}

const LINE_FEED = 10;
