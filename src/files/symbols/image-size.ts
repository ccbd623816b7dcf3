export interface ImageInfo {
  /** Media type. */
  type: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** Type and size of a PNG (RFC 2083), GIF (GIF89a) or JPEG (ITU-T T.81) picture, from its first bytes; undefined for others. */
export const imageInfo = (bytes: Buffer): ImageInfo | undefined => {
  if (bytes.length >= 24 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') {
    return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) {
    return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : undefined;
};

/** Walks the segments up to the frame header, which has height before width. */
const jpeg = (bytes: Buffer): ImageInfo | undefined => {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrameHeader(marker)) {
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    // 0xff is a fill byte; 0x01 and 0xd0 to 0xd7 stand alone; every other marker is followed by its length.
    const alone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    at += marker === 0xff ? 1 : alone ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
};

/** SOF0 to SOF15, without the three markers among them that are tables (DHT, JPG, DAC). */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
