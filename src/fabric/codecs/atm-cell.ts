/**
 * ATM cells of 53 bytes, ITU-T I.361: 12-bit VPI as between networks (a user's 4 bits of flow control are 0, so that the
 * same reading serves both interfaces), header checksum of I.432.
 */
import { get16, get8, put16 } from './bytes.ts';

export const ATM_CELL = 53;

interface AtmCell {
  /** 0..4095 */
  vpi: number;
  /** 0..65535 */
  vci: number;
  /** Payload type 0..7; the lowest bit ends an AAL5 frame. */
  payloadType: number;
  /** Cell loss priority: may be dropped first. */
  lowPriority: boolean;
  /** 48 bytes. */
  payload: Uint8Array;
}

export function encodeAtmCell(cell: AtmCell): Uint8Array {
  const bytes = new Uint8Array(ATM_CELL);
  put16(bytes, 0, (cell.vpi << 4) | (cell.vci >>> 12));
  put16(bytes, 2, ((cell.vci & 0xfff) << 4) | (cell.payloadType << 1) | (cell.lowPriority ? 1 : 0));
  bytes[4] = headerCheck(bytes);
  bytes.set(cell.payload, 5);
  return bytes;
}

/** Null when it is not one cell or when the header checksum is wrong: a cell with a damaged header would go astray. */
export function decodeAtmCell(bytes: Uint8Array): AtmCell | null {
  if (bytes.length !== ATM_CELL || get8(bytes, 4) !== headerCheck(bytes)) return null;
  const low = get16(bytes, 2);
  return {
    vpi: get16(bytes, 0) >>> 4,
    vci: ((get16(bytes, 0) & 0x0f) << 12) | (low >>> 4),
    payloadType: (low >>> 1) & 7,
    lowPriority: (low & 1) !== 0,
    payload: bytes.subarray(5),
  };
}

/** CRC-8 (x^8 + x^2 + x + 1) of the first four bytes, plus 0x55. */
function headerCheck(bytes: Uint8Array): number {
  let crc = 0;
  for (let at = 0; at < 4; at++) {
    crc ^= get8(bytes, at);
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc ^ 0x55;
}
