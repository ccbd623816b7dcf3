/** Frame relay, two-byte address of ITU-T Q.922 section 3.2 (no FCS, no flags: as emulators carry frames). */
import { concat, get8 } from './bytes.ts';

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

/**
 * Local management of frame relay: a router asks by STATUS ENQUIRY every 10 s or so, the network answers by STATUS.
 * - `ansi`: ANSI T1.617 Annex D, on DLCI 0, with a locking shift to codeset 5
 * - `q933`: ITU-T Q.933 Annex A, on DLCI 0
 * - `cisco`: the "gang of four" Frame Relay Specification with Extensions (1990), on DLCI 1023
 */
export type LmiType = 'ansi' | 'q933' | 'cisco';

interface LmiMessage {
  type: LmiType;
  message: 'status_enquiry' | 'status';
  /** 0 full status, 1 sequence numbers only. */
  report: number;
  sendSequence: number;
  receiveSequence: number;
  /** DLCIs reported active, in a STATUS of report 0. */
  active: number[];
}

const MESSAGE = { status_enquiry: 0x75, status: 0x7d } as const;
const UNNUMBERED_INFORMATION = 0x03;
const LOCKING_SHIFT_5 = 0x95;
const ACTIVE = 0x02;

interface Dialect {
  dlci: number;
  discriminator: number;
  /** Identifiers of the information elements. */
  report: number;
  sequences: number;
  pvc: number;
}

const DIALECTS: Record<LmiType, Dialect> = {
  ansi: { dlci: 0, discriminator: 0x08, report: 0x01, sequences: 0x03, pvc: 0x07 },
  q933: { dlci: 0, discriminator: 0x08, report: 0x51, sequences: 0x53, pvc: 0x57 },
  cisco: { dlci: 1023, discriminator: 0x09, report: 0x01, sequences: 0x03, pvc: 0x07 },
};

/** DLCIs that carry local management, never user data. */
export const isLmiDlci = (dlci: number): boolean => dlci === 0 || dlci === 1023;

export function encodeLmi(lmi: LmiMessage): Uint8Array {
  const dialect = DIALECTS[lmi.type];
  const address = { commandResponse: false, fecn: false, becn: false, discardEligible: false };
  return concat(
    encodeFrameRelayAddress({ dlci: dialect.dlci, ...address }),
    Uint8Array.of(UNNUMBERED_INFORMATION, dialect.discriminator, 0, MESSAGE[lmi.message]),
    lmi.type === 'ansi' ? Uint8Array.of(LOCKING_SHIFT_5) : new Uint8Array(0),
    Uint8Array.of(dialect.report, 1, lmi.report),
    Uint8Array.of(dialect.sequences, 2, lmi.sendSequence, lmi.receiveSequence),
    ...lmi.active.map((dlci) => concat(Uint8Array.of(dialect.pvc), pvcStatus(lmi.type, dlci))),
  );
}

/** Null when it is not a well-formed enquiry or status of one of the three kinds. */
export function decodeLmi(frame: Uint8Array): LmiMessage | null {
  const message = get8(frame, 5);
  const type = typeOf(frame);
  if (type === null || (message !== MESSAGE.status && message !== MESSAGE.status_enquiry)) return null;
  const elements = elementsOf(frame.subarray(type === 'ansi' ? 7 : 6));
  if (elements === null) return null;
  const dialect = DIALECTS[type];
  const report = elements.find((element) => element.id === dialect.report)?.data;
  const sequences = elements.find((element) => element.id === dialect.sequences)?.data;
  if (report?.length !== 1 || sequences?.length !== 2) return null;
  return {
    type,
    message: message === MESSAGE.status ? 'status' : 'status_enquiry',
    report: get8(report, 0),
    sendSequence: get8(sequences, 0),
    receiveSequence: get8(sequences, 1),
    active: elements.filter((element) => element.id === dialect.pvc).flatMap((pvc) => activeDlci(type, pvc.data)),
  };
}

function typeOf(frame: Uint8Array): LmiType | null {
  const dlci = readDlci(frame);
  if (frame.length < 8 || get8(frame, 2) !== UNNUMBERED_INFORMATION || get8(frame, 4) !== 0) return null;
  if (dlci === DIALECTS.cisco.dlci && get8(frame, 3) === DIALECTS.cisco.discriminator) return 'cisco';
  if (dlci !== DIALECTS.ansi.dlci || get8(frame, 3) !== DIALECTS.ansi.discriminator) return null;
  return get8(frame, 6) === LOCKING_SHIFT_5 ? 'ansi' : 'q933';
}

function elementsOf(bytes: Uint8Array): { id: number; data: Uint8Array }[] | null {
  const elements: { id: number; data: Uint8Array }[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = at + 2 + get8(bytes, at + 1);
    if (end > bytes.length) return null;
    elements.push({ id: get8(bytes, at), data: bytes.subarray(at + 2, end) });
    at = end;
  }
  return elements;
}

/** Length and contents of a PVC status element; the Cisco kind has the DLCI as a plain number and three bytes of bandwidth. */
function pvcStatus(type: LmiType, dlci: number): Uint8Array {
  if (type === 'cisco') return Uint8Array.of(6, dlci >>> 8, dlci & 0xff, ACTIVE, 0, 0, 0);
  return Uint8Array.of(3, dlci >>> 4, 0x80 | ((dlci & 0x0f) << 3), 0x80 | ACTIVE);
}

function activeDlci(type: LmiType, data: Uint8Array): number[] {
  if (data.length < 3 || (get8(data, 2) & ACTIVE) === 0) return [];
  if (type === 'cisco') return [((get8(data, 0) << 8) | get8(data, 1)) & 0x3ff];
  return [((get8(data, 0) & 0x3f) << 4) | ((get8(data, 1) & 0x78) >>> 3)];
}
