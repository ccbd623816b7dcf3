import { LINK_TYPES } from '../../capture/pcap.ts';
import { ethernet, frameRelay, hdlc, llc, ppp } from './ethernet.ts';
import type { CapturedFrame } from '../packet.ts';
import { data, type Dissection, type Field, Layer } from './field.ts';

/**
 * A frame as a tree of protocols and fields, with Wireshark's names. Never throws: a truncated frame ends early, unknown content is
 * `data`. `linkType`: of the capture file.
 */
export const dissect = (linkType: number, { number, time, length, bytes }: CapturedFrame): readonly Field[] => {
  const frame: Dissection = { bytes, layers: [], depth: 0 };
  const layer = new Layer(frame.layers, bytes, 'frame', { at: 0, end: bytes.length });
  layer.put('frame.number', 0, 0, number);
  layer.put('frame.time_epoch', 0, 0, time);
  layer.put('frame.len', 0, 0, length);
  layer.put('frame.cap_len', 0, 0, bytes.length);
  decoderOf(linkType)(frame, 0, bytes.length);
  return frame.layers;
};

const decoderOf = (linkType: number): typeof data => {
  switch (linkType) {
    case LINK_TYPES.DLT_EN10MB:
      return ethernet;
    case LINK_TYPES.DLT_FRELAY:
      return frameRelay;
    case LINK_TYPES.DLT_C_HDLC:
      return hdlc;
    case LINK_TYPES.DLT_PPP_SERIAL:
      return ppp;
    case LINK_TYPES.DLT_ATM_RFC1483:
      return llc;
    default:
      return data;
  }
};
