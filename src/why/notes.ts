import path from 'node:path';
import { parseAddress } from './address.ts';
import type { Analysis, Question } from './packet-path.ts';
import { type Lab, type LabLink, type LabNode, linkName, nodeAt, portName } from './lab.ts';
import { addressesOf, ownersOf } from './routing.ts';

/** Counts the frames of a capture that match a display filter; `last`: time of the last one, seconds since 1970. */
export type CountFrames = (
  at: { projectPath: string; name: string },
  filter: string,
) => Promise<{ found: number; last: number | null; complete: boolean }>;

/** Sentences about these packets in running captures. */
export const captureNotes = async (
  lab: Lab,
  { request, reply, between }: Analysis,
  count: CountFrames,
): Promise<string[]> => {
  const { source, destination } = between;
  if (source === null || destination === null) return [];
  const ids = new Set([...request.hops, ...reply.hops].map(({ link_id }) => link_id));
  const links = new Set(
    [...lab.links.values()]
      .flatMap((ports) => [...ports.values()].flat())
      .filter(({ record }) => ids.has(record.link_id)),
  );
  const [own, other] = [source.text, destination.text];
  const layer = source.family === 4 ? 'ip' : 'ipv6';
  const onLink = async ({ record, isGone }: LabLink): Promise<string[]> => {
    if (isGone || record.state !== 'capturing' || record.capture === null) return [];
    const at = { projectPath: lab.project.path, name: path.basename(record.capture.file_name) };
    const way = (from: string, to: string) => count(at, `${layer}.src == ${from} && ${layer}.dst == ${to}`);
    const [there, back] = await Promise.all([way(own, other), way(other, own)]).catch(() => [null, null]);
    if (there?.complete !== true || back?.complete !== true) return [];
    const when = there.last === null ? '' : `, the last at ${new Date(there.last * 1000).toISOString()}`;
    return [
      `the capture of ${linkName(lab, record)} has ${packets(there.found)} from ${own} to ${other}${when}, and ${back.found === 0 ? 'none' : back.found} back`,
    ];
  };
  return (await Promise.all([...links].map(onLink))).flat();
};

const packets = (count: number): string => (count === 0 ? 'no packet' : count === 1 ? '1 packet' : `${count} packets`);

/** Sentences about tables of running nodes that contradict the path. */
export const tableNotes = (lab: Lab, { from, to }: Question, { request }: Analysis): string[] => {
  const ends = [from, to].flatMap((id) => (id === null ? [] : [nodeAt(lab, id)]));
  return [...ends.flatMap((node) => neighboursOf(lab, node)), ...stationsOf(lab, to, request)];
};

/** Sentences about nodes on the path whose addresses are known from their console. */
export const consoleNotes = (lab: Lab, { request, reply }: Analysis): string[] =>
  [...request.hops, ...reply.hops].flatMap(({ node_id, name }) => {
    const { heard } = nodeAt(lab, node_id);
    if (heard === undefined) return [];
    const what = heard.routes ? 'addresses and routes' : 'addresses';
    return [`the ${what} of ${name} are those that its console showed at ${new Date(heard.at).toISOString()}`];
  });

/** Sentences that say what would settle an answer that is not known. */
export const settledBy = (lab: Lab, { from, to, port }: Question, { request, reply }: Analysis): string[] => {
  const hops = new Map([...request.hops, ...reply.hops].filter((hop) => hop.unknown).map((hop) => [hop.node_id, hop]));
  const asked = [...hops.values()].map(({ node_id, name }) => {
    const { leadsOut, heard } = nodeAt(lab, node_id);
    if (leadsOut) return `look at what is beyond ${name}`;
    const again = heard === undefined ? '' : 'again ';
    return `record the console of ${name}, and ask there ${again}for its addresses and routes`;
  });
  const listens =
    port === null || to === null
      ? []
      : [`look whether ${nodeAt(lab, to).record.name} listens at ${port.protocol}/${port.number}`];
  return [`let ${nodeAt(lab, from).record.name} try it`, ...asked, ...listens];
};

/** Neighbour entries in which another node answered for an address. */
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

/** Switches that have learned the receiver at another port than that of the path. */
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
