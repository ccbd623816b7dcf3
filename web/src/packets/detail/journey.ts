import type { Link, Records } from '../../store/records.ts';
import type { Met } from '../server.ts';

/** A link that a packet went over, from its first end to its second or back. */
export interface Hop {
  readonly linkId: string;
  readonly isBack: boolean;
}

const endsOf = (link: Link): readonly string[] => link.nodes.map(({ node_id }) => node_id);

/** Whether it came from the second end, by the MAC addresses of the ports. */
const comesBack = (records: Records, link: Link, macs: { readonly from: string; readonly to: string }): boolean => {
  const [first, second] = link.nodes.map((end) => {
    const ports = records.nodes.get(end.node_id)?.ports ?? [];
    return ports.find((port) => port.adapter_number === end.adapter_number && port.port_number === end.port_number)
      ?.mac_address;
  });
  return (second !== undefined && second === macs.from) || (first !== undefined && first === macs.to);
};

/** The links in the order of time; each is left at the node that it has in common with the next one. */
export const hopsOf = (
  records: Records,
  journey: readonly Met[],
  macs: { readonly from: string; readonly to: string },
): Hop[] => {
  const links = journey.flatMap(({ link_id: id }) => (id === null ? [] : (records.links.get(id) ?? [])));
  return links.map((link, index) => {
    const [first = '', second = ''] = endsOf(link);
    const [next, previous] = [links[index + 1], links[index - 1]];
    const ahead = next === undefined ? [] : endsOf(next);
    const behind = previous === undefined ? [] : endsOf(previous);
    const isForth = ahead.includes(second) || behind.includes(first);
    const isBack = ahead.includes(first) || behind.includes(second);
    return { linkId: link.link_id, isBack: isForth === isBack ? comesBack(records, link, macs) : isBack };
  });
};
