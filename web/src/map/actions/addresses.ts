import type { Schemas } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import { attempt, notify } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import { asEdit } from '../../undo/edits.ts';
import { t } from '../../words/words.ts';
import { postBatch } from './object-actions.ts';
import { readStartUps, readText, type StartUp } from './start-up.ts';

/** A network of IPv4: its first address as a number, and how many bits name it. */
export interface Subnet {
  readonly network: number;
  readonly prefix: number;
}
type Step = Schemas['Batch']['steps'][number];

const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const SUBNET = new RegExp(`^\\s*${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}\\s*/\\s*(\\d{1,2})\\s*$`);
/** Room for two nodes at least. */
const LONGEST_PREFIX = 30;

/** Null: it is no network in which nodes can have addresses. */
export const subnetOf = (text: string): Subnet | null => {
  const [, a, b, c, d, bits] = SUBNET.exec(text) ?? [];
  const prefix = Number(bits);
  if (bits === undefined || prefix < 1 || prefix > LONGEST_PREFIX) return null;
  const address = ((Number(a) * 256 + Number(b)) * 256 + Number(c)) * 256 + Number(d);
  const size = 2 ** (32 - prefix);
  return { network: address - (address % size), prefix };
};

/** How many nodes can have an address in it. */
export const roomOf = ({ prefix }: Subnet): number => 2 ** (32 - prefix) - 2;

/** The address with that number in a network, from 1. */
export const addressOf = ({ network }: Subnet, number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor((network + number) / 2 ** shift) % 256).join('.');

/** A text with the line that gives the address: in place of the one it has, else as its first. */
export const withAddress = (text: string, line: string, { prefix }: Subnet, address: string): string => {
  const written = line.replaceAll('{address}', address).replaceAll('{prefix}', `${prefix}`);
  const start = line.slice(0, Math.max(0, line.indexOf('{')));
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const isOld = (one: string): boolean => one.startsWith(start) && /^(\d|dhcp\b)/.test(one.slice(start.length).trim());
  const at = lines.findIndex(isOld);
  const others = lines.filter((one) => !isOld(one));
  return `${[...others.slice(0, Math.max(0, at)), written, ...others.slice(Math.max(0, at))].join('\n')}\n`;
};

const byName = (a: Node, b: Node): number => a.name.localeCompare(b.name, undefined, { numeric: true });

/** Nodes that can be given an address, by name, with the way to give it. */
export const addressable = async (lab: Lab, nodes: readonly Node[]): Promise<(readonly [Node, StartUp])[]> => {
  const startUps = await readStartUps(lab.client);
  return nodes.toSorted(byName).flatMap((node) => {
    const startUp = startUps.get(node.node_type)?.find(({ addressLine }) => addressLine !== null);
    return startUp === undefined ? [] : [[node, startUp] as const];
  });
};

/** Writes one address after the other into what the nodes run at their start, all or nothing. */
export const giveAddresses = (
  lab: Lab,
  given: readonly (readonly [Node, StartUp])[],
  subnet: Subnet,
): Promise<boolean> =>
  attempt(async () => {
    const steps = await Promise.all(
      given.map(async ([node, { property, file, addressLine }], index): Promise<Step> => {
        const text = await readText(lab.client, node, file);
        const next = withAddress(text, addressLine ?? '', subnet, addressOf(subnet, index + 1));
        return { action: 'update', type: 'node', id: node.node_id, record: { properties: { [property]: next } } };
      }),
    );
    await asEdit(lab, (headers) => postBatch(lab, steps, headers));
    const isAnyRunning = given.some(
      ([{ node_id }]) => lab.state.get().records.nodes.get(node_id)?.status === 'started',
    );
    notify(
      'success',
      isAnyRunning
        ? t(
            '{count, plural, one {# node has its address} other {# nodes have their addresses}} after the next start.',
            {
              count: given.length,
            },
          )
        : t('{count, plural, one {# node has its address.} other {# nodes have their addresses.}}', {
            count: given.length,
          }),
    );
  });
