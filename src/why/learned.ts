import { parseAddress } from './address.ts';
import type { Analysis, Question } from './analysis.ts';
import { type Lab, type LabNode, nodeAt, portName } from './lab.ts';
import { addressesOf, ownersOf } from './routing.ts';

/** What running nodes have learned and that does not fit the way: sentences. */
export const learned = (lab: Lab, { from, to }: Question, { request }: Analysis): string[] => {
  const ends = [from, to].flatMap((id) => (id === null ? [] : [nodeAt(lab, id)]));
  return [...ends.flatMap((node) => neighboursOf(lab, node)), ...stationsOf(lab, to, request)];
};

/** What the way owes to consoles. */
export const heard = (lab: Lab, { request, reply }: Analysis): string[] =>
  [...request.hops, ...reply.hops].flatMap(({ node_id, name }) => {
    const { heard } = nodeAt(lab, node_id);
    if (heard === undefined) return [];
    const what = heard.routes ? 'addresses and routes' : 'addresses';
    return [`the ${what} of ${name} are those that its console showed at ${new Date(heard.at).toISOString()}`];
  });

/** Somebody else answered for an address. */
const neighboursOf = (lab: Lab, { record, tables }: LabNode): string[] =>
  (tables?.neighbours ?? []).flatMap(({ address: text, mac }) => {
    const address = parseAddress(text);
    const owners = address === null ? [] : ownersOf(lab, address).filter((one) => one.mac !== null);
    if (owners.length === 0 || owners.some((one) => one.mac === mac)) return [];
    const other = nodeOfMac(lab, mac);
    return [`${record.name} has learned ${text} at ${mac}${other === null ? '' : `, which is ${other}`}`];
  });

const nodeOfMac = (lab: Lab, mac: string): string | null => {
  for (const node of lab.nodes.values()) if (addressesOf(node).some((one) => one.mac === mac)) return node.record.name;
  return null;
};

/** A switch has seen the receiver elsewhere than the way leads. */
const stationsOf = (lab: Lab, to: string | null, { hops }: Analysis['request']): string[] => {
  const macs = to === null ? [] : addressesOf(nodeAt(lab, to)).map(({ mac }) => mac);
  return hops.flatMap(({ node_id, name, out, vlan }) =>
    (nodeAt(lab, node_id).tables?.stations ?? []).flatMap((station) => {
      if (!macs.includes(station.mac) || (vlan !== null && station.vlan !== vlan)) return [];
      const { adapter_number, port_number } = station;
      const port = portName(lab, { node_id, adapter_number, port_number });
      return port === out ? [] : [`${name} has seen ${station.mac} at ${port}, and the way leads by ${out ?? 'none'}`];
    }),
  );
};
