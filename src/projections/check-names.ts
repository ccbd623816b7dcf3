import type { CheckForm, LinkName } from '../common/forms/check.ts';
import type { RecordView } from './records.ts';

type Names = Pick<RecordView, 'get'>;
const nodeName = (view: Names, id: string): string => view.get('node', id)?.name ?? id;

export const linkName = (view: Names, id: LinkName): string =>
  typeof id === 'string'
    ? (view
        .get('link', id)
        ?.nodes.map(({ node_id }) => nodeName(view, node_id))
        .join(' – ') ?? 'a link that is gone')
    : id.join(' – ');

/** Name of a check for people: its own, or a description of what it tests. */
export const nameOf = (view: Names, check: CheckForm): string => {
  const { reach, loss, console, capture, state, counter, exec, ospf, bgp, vlan, vrrp } = check;
  const node = (id: string): string => nodeName(view, id);
  if (check.name !== undefined) return check.name;
  if (reach) {
    const { from, to, size } = reach;
    const verb = reach.not === true ? 'does not reach' : 'reaches';
    return `${node(from)} ${verb} ${node(to)}${size === undefined ? '' : ` with ${size} octets`}`;
  }
  if (loss) return `loss between ${node(loss.from)} and ${node(loss.to)} is under ${loss.under} %`;
  if (console)
    return `${node(console.node)} ${console.not === true ? 'does not show' : 'shows'} ${console.shows ?? console.matches ?? ''}`;
  if (capture)
    return `${capture.filter} is ${capture.is === 'never' ? 'never seen' : 'seen'} at ${linkName(view, capture.link)}`;
  if (state) return `${node(state.node)} is ${state.is}`;
  if (counter) return `${counter.of} at ${linkName(view, counter.link)}`;
  if (ospf) return `${node(ospf.node)} has ${ospf.neighbors ?? 'some'} neighbors of OSPF`;
  if (bgp) return `${node(bgp.node)} has ${bgp.neighbors ?? 'some'} neighbors of BGP`;
  if (vlan) return `${vlan.interface} of ${node(vlan.node)} carries VLAN ${vlan.vlan}`;
  if (vrrp) return `${node(vrrp.node)} is ${vrrp.is} of VRRP group ${vrrp.group}`;
  if (exec?.node !== undefined) return `${exec.run} at ${node(exec.node)}`;
  return exec?.run ?? 'a check';
};
