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

/** Longest wait for an answer. Milliseconds. */
const WAIT_MS = 500;

/** When the first request passed of the first look of which nobody answered any request in time; null: there is none. */
export const firstUnanswered = (
  file: Buffer,
  ends: Ends,
  { after, before }: { after: number; before: number },
): number | null => {
  const said = framesOf(file).flatMap((frame) => {
    const one = saidBy(frame, ends);
    return one === null ? [] : [{ ...one, at: frame.at }];
  });
  const answered = new Set(
    said
      .filter((one) => !one.isAnswer)
      .filter(({ key, at }) =>
        said.some((other) => other.isAnswer && other.key === key && other.at >= at && other.at <= at + WAIT_MS),
      )
      .map(({ look }) => look),
  );
  const first = said.find(({ isAnswer, look, at }) => !isAnswer && at >= after && at <= before && !answered.has(look));
  return first?.at ?? null;
};
