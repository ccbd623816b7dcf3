import { get16 } from '../../codecs/bytes.ts';
import { ETHERNET_HEADER, ETHERTYPE_DOT1Q, isTagType, popTag, pushTag, VLAN_TAG } from '../../codecs/ethernet.ts';
import type { SwitchPort } from './switch-ports.ts';

/** A frame inside the switch, between its ingress and its egress. */
export interface Passage {
  frame: Uint8Array;
  vlan: number;
  /** The frame begins with the tag of its VLAN. */
  tagged: boolean;
  /** Ethertype of the tag that a trunk puts in front. */
  ethertype: number;
  /** From a tunnel: trunks tag it even in their native VLAN, or the customer's own tag would be taken for the tunnel's. */
  tunnelled: boolean;
  /** The frame with its tag added or removed, once a port has needed it. */
  other: Uint8Array | null;
}

/** 4095 is reserved. */
const LARGEST_VID = 4094;

export const isTagged = (frame: Uint8Array): boolean => isTagType(get16(frame, 12));

/** Null when the port refuses the frame. */
export function ingress(port: SwitchPort, frame: Uint8Array): Passage | null {
  if (port.type === 'qinq') return { ...untagged(port, frame), ethertype: port.ethertype, tunnelled: true };
  if (!isTagged(frame)) return untagged(port, frame);
  if (frame.length < ETHERNET_HEADER + VLAN_TAG) return null;
  const vid = get16(frame, 14) & 0xfff;
  // A tag with VLAN 0 carries a priority only.
  if (vid === 0) return untagged(port, popTag(frame));
  if (vid > LARGEST_VID) return null;
  // An access port treats the tag as content, so that a switch with access ports only can connect two trunks like a cable.
  if (port.type === 'access') return { ...untagged(port, frame), tunnelled: true };
  return { ...untagged(port, frame), vlan: vid, tagged: true };
}

/** The frame as it leaves by a port; null when it does not. */
export function egress(port: SwitchPort, passage: Passage): Uint8Array | null {
  switch (port.type) {
    case 'dot1q':
      return port.vlan === passage.vlan && !passage.tunnelled ? withoutTag(passage) : withTag(passage);
    case 'qinq':
    case 'access':
      return port.vlan === passage.vlan ? withoutTag(passage) : null;
  }
}

const untagged = (port: SwitchPort, frame: Uint8Array): Passage => ({
  frame,
  vlan: port.vlan,
  tagged: false,
  ethertype: ETHERTYPE_DOT1Q,
  tunnelled: false,
  other: null,
});

const withTag = (passage: Passage): Uint8Array =>
  passage.tagged ? passage.frame : (passage.other ??= pushTag(passage.frame, passage.ethertype, passage.vlan));

const withoutTag = (passage: Passage): Uint8Array =>
  passage.tagged ? (passage.other ??= popTag(passage.frame)) : passage.frame;
