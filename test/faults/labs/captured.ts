/** Who asks whom, by IPv4 addresses, with so many octets of data. */
interface Ends {
  from: string;
  to: string;
  size: number;
}

interface Frame {
  /** Milliseconds since 1970. */
  at: number;
  bytes: Buffer;
}

/** Records of a pcap file of microseconds, little-endian (draft-ietf-opsawg-pcap); one that is cut off is left out. */
export const framesOf = (file: Buffer): Frame[] => {
  const frames: Frame[] = [];
  for (let offset = 24; offset + 16 <= file.length;) {
    const length = file.readUInt32LE(offset + 8);
    const at = file.readUInt32LE(offset) * 1000 + file.readUInt32LE(offset + 4) / 1000;
    if (offset + 16 + length > file.length) break;
    frames.push({ at, bytes: file.subarray(offset + 16, offset + 16 + length) });
    offset += 16 + length;
  }
  return frames;
};

const octets = (address: string): string => Buffer.from(address.split('.').map(Number)).toString('hex');

interface Said {
  /** Equal for a question and its answer, and for all questions of one look. */
  key: string;
  look: string;
  isAnswer: boolean;
}

/** What a frame asks or answers; null: it is about something else. */
const saidBy = ({ at, bytes }: Frame, { from, to, size }: Ends): Said | null => {
  const hex = (begin: number, end: number): string => bytes.toString('hex', begin, end);
  const [own, other] = [octets(from), octets(to)];
  const type = bytes.readUInt16BE(12);
  if (type === 0x0806) {
    const isAnswer = bytes.readUInt16BE(20) === 2;
    const [sender, target] = isAnswer ? [other, own] : [own, other];
    return hex(28, 32) === sender && hex(38, 42) === target
      ? { key: 'address', look: `address ${at}`, isAnswer }
      : null;
  }
  if (type !== 0x0800 || bytes[23] !== 1) return null;
  const kind = bytes[34];
  const isAnswer = kind === 0;
  const [sender, target] = isAnswer ? [other, own] : [own, other];
  if ((kind !== 0 && kind !== 8) || hex(26, 30) !== sender || hex(30, 34) !== target) return null;
  return bytes.readUInt16BE(16) === 20 + 8 + size ? { key: hex(38, 42), look: hex(38, 40), isAnswer } : null;
};

/** An answer within so long is in time for every look, and a later one may not be: looks wait for 500 ms by a clock of their own. */
const IN_TIME_MS = 250;

/**
 * When the first requests passed of the looks that may have found nothing: those that were answered late, and the first that nobody
 * answered, which is the last of them. Empty: all were answered in time.
 */
export const unanswered = (
  file: Buffer,
  ends: Ends,
  { after, before }: { after: number; before: number },
): number[] => {
  const said = framesOf(file).flatMap((frame) => {
    const one = saidBy(frame, ends);
    return one === null ? [] : [{ ...one, at: frame.at }];
  });
  const looks = new Map<string, { at: number; waited: number }>();
  for (const { isAnswer, key, look, at } of said) {
    if (isAnswer) continue;
    const answer = said.find((other) => other.isAnswer && other.key === key && other.at >= at);
    const waited = answer === undefined ? Infinity : answer.at - at;
    const known = looks.get(look);
    looks.set(look, { at: known?.at ?? at, waited: Math.min(waited, known?.waited ?? Infinity) });
  }
  const found = [...looks.values()].filter(({ at, waited }) => at >= after && at <= before && waited > IN_TIME_MS);
  const last = found.findIndex(({ waited }) => waited === Infinity);
  return found.slice(0, last < 0 ? found.length : last + 1).map(({ at }) => at);
};
