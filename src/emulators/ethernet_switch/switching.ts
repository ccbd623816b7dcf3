import { popTag } from '../../fabric/codecs/ethernet.ts';
import { ingress, isTagged, egress, type Passage } from '../../fabric/models/switches/switch-passage.ts';
import type { SwitchPort } from '../../fabric/models/switches/switch-ports.ts';
import type { Arrival, Departure, Passing } from '../kit/contract.ts';

/** A switch as frames meet it: the passage of the model that moves them. */
export const switching = (ports: readonly SwitchPort[]): Passing => ({
  by: 'frames',
  pass(arrived, linked) {
    const into = ports.find(({ number }) => number === arrived.port_number);
    if (into === undefined) return [];
    const isOut = (port: SwitchPort): boolean =>
      port !== into && linked({ adapter_number: port.adapter, port_number: port.number });
    return ports.filter(isOut).map((out) => through(into, out, arrived));
  },
});

const through = (into: SwitchPort, out: SwitchPort, { frame }: Arrival): Departure => {
  const passage = ingress(into, frame);
  const place = { adapter_number: out.adapter, port_number: out.number };
  if (passage === null)
    return { ...place, frame, kept: `takes no frame of that VLAN at ${into.name}, which is ${portText(into)}` };
  const left = egress(out, passage);
  if (left !== null) return { ...place, frame: left, vlan: passage.vlan };
  const kept = `takes the frames into VLAN ${passage.vlan} at ${into.name}, and ${out.name} is ${portText(out)}`;
  return { ...place, frame: plain(passage), vlan: passage.vlan, kept };
};

/** As it would leave if it were let out. */
const plain = ({ frame, tagged }: Passage): Uint8Array => (tagged && isTagged(frame) ? popTag(frame) : frame);

const portText = ({ type, vlan }: SwitchPort): string =>
  type === 'access' ? `access in VLAN ${vlan}` : type === 'qinq' ? `a tunnel in VLAN ${vlan}` : `a trunk`;
