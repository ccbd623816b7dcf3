/** Frame relay, two-byte address of ITU-T Q.922 section 3.2 (no FCS, no flags: as emulators carry frames). */
import { get8 } from './bytes.ts';

interface FrameRelayAddress {
  /** 0..1023 */
  dlci: number;
  commandResponse: boolean;
  /** Forward and backward explicit congestion notification, discard eligibility. */
  fecn: boolean;
  becn: boolean;
  discardEligible: boolean;
}

const FRAME_RELAY_ADDRESS = 2;

export function encodeFrameRelayAddress(address: FrameRelayAddress): Uint8Array {
  const bytes = new Uint8Array(FRAME_RELAY_ADDRESS);
  bytes[0] = ((address.dlci >>> 4) << 2) | (address.commandResponse ? 2 : 0);
  bytes[1] =
    ((address.dlci & 0x0f) << 4) |
    (address.fecn ? 8 : 0) |
    (address.becn ? 4 : 0) |
    (address.discardEligible ? 2 : 0) |
    1;
  return bytes;
}

export function decodeFrameRelayAddress(frame: Uint8Array): FrameRelayAddress | null {
  const dlci = readDlci(frame);
  if (dlci === null) return null;
  const low = get8(frame, 1);
  return {
    dlci,
    commandResponse: (get8(frame, 0) & 2) !== 0,
    fecn: (low & 8) !== 0,
    becn: (low & 4) !== 0,
    discardEligible: (low & 2) !== 0,
  };
}

/** Null when the frame is too short or its address is not of two bytes. */
export function readDlci(frame: Uint8Array): number | null {
  const [high, low] = [get8(frame, 0), get8(frame, 1)];
  if (frame.length < FRAME_RELAY_ADDRESS || (high & 1) !== 0 || (low & 1) !== 1) return null;
  return ((high >>> 2) << 4) | (low >>> 4);
}

/** A copy with another DLCI; the other bits stay. */
export function withDlci(frame: Uint8Array, dlci: number): Uint8Array {
  const copy = frame.slice();
  copy[0] = ((dlci >>> 4) << 2) | (get8(frame, 0) & 3);
  copy[1] = ((dlci & 0x0f) << 4) | (get8(frame, 1) & 0x0f);
  return copy;
}
