/** Ethernet II (RFC 894) and IEEE 802.3 frames without FCS; VLAN tags of IEEE 802.1Q and 802.1ad. */
import { get16, put16 } from './bytes.ts';
import { readMac, writeMac } from './mac-address.ts';

export const ETHERTYPE_IPV4 = 0x0800;
export const ETHERTYPE_ARP = 0x0806;
export const ETHERTYPE_IPV6 = 0x86dd;
export const ETHERTYPE_DOT1Q = 0x8100;
/** Destination, source and type. */
export const ETHERNET_HEADER = 14;
export const VLAN_TAG = 4;
/** Octets of the shortest frame, without its check sequence (IEEE 802.3, 3.2.8). */
const SHORTEST_FRAME = 60;

/** 802.1Q, 802.1ad, and the two that vendors used for an outer tag before 802.1ad. */
export const isTagType = (ethertype: number): boolean =>
  ethertype === ETHERTYPE_DOT1Q || ethertype === 0x88a8 || ethertype === 0x9100 || ethertype === 0x9200;

export interface VlanTag {
  ethertype: number;
  /** 0..4095; 0 is a priority tag. */
  vid: number;
  /** Priority code point 0..7. */
  priority: number;
  dropEligible: boolean;
}

interface EthernetFrame {
  destination: number;
  source: number;
  /** Outermost first. */
  tags: VlanTag[];
  /** Below 1536: an IEEE 802.3 length. */
  ethertype: number;
  payload: Uint8Array;
}

/**
 * Pads ARP with zeros to the shortest frame, as the interface of a real system does. IP packets say their own length and stay as they are:
 * passt takes the padding of a TCP segment for a part of it.
 */
export function encodeEthernet(frame: EthernetFrame): Uint8Array {
  const header = ETHERNET_HEADER + frame.tags.length * VLAN_TAG;
  const shortest = frame.ethertype === ETHERTYPE_ARP ? SHORTEST_FRAME : 0;
  const bytes = new Uint8Array(Math.max(shortest, header + frame.payload.length));
  writeMac(bytes, 0, frame.destination);
  writeMac(bytes, 6, frame.source);
  frame.tags.forEach((tag, index) => writeTag(bytes, 12 + index * VLAN_TAG, tag));
  put16(bytes, header - 2, frame.ethertype);
  bytes.set(frame.payload, header);
  return bytes;
}

export function decodeEthernet(bytes: Uint8Array): EthernetFrame | null {
  let at = 12;
  const tags: VlanTag[] = [];
  while (isTagType(get16(bytes, at)) && bytes.length >= at + VLAN_TAG + 2) {
    tags.push(readTag(bytes, at));
    at += VLAN_TAG;
  }
  if (bytes.length < at + 2 || isTagType(get16(bytes, at))) return null;
  return {
    destination: readMac(bytes, 0),
    source: readMac(bytes, 6),
    tags,
    ethertype: get16(bytes, at),
    payload: bytes.subarray(at + 2),
  };
}

/** A copy with one more tag outside. */
export function pushTag(frame: Uint8Array, ethertype: number, vid: number): Uint8Array {
  const bytes = new Uint8Array(frame.length + VLAN_TAG);
  bytes.set(frame.subarray(0, 12), 0);
  put16(bytes, 12, ethertype);
  put16(bytes, 14, vid);
  bytes.set(frame.subarray(12), 12 + VLAN_TAG);
  return bytes;
}

/** A copy without the outermost tag, which the caller has seen to be there. */
export function popTag(frame: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(frame.length - VLAN_TAG);
  bytes.set(frame.subarray(0, 12), 0);
  bytes.set(frame.subarray(12 + VLAN_TAG), 12);
  return bytes;
}

function writeTag(bytes: Uint8Array, at: number, tag: VlanTag): void {
  put16(bytes, at, tag.ethertype);
  put16(bytes, at + 2, (tag.priority << 13) | (tag.dropEligible ? 0x1000 : 0) | tag.vid);
}

function readTag(bytes: Uint8Array, at: number): VlanTag {
  const control = get16(bytes, at + 2);
  return {
    ethertype: get16(bytes, at),
    vid: control & 0xfff,
    priority: control >>> 13,
    dropEligible: (control & 0x1000) !== 0,
  };
}
