import { createHash } from 'node:crypto';
import { dissect, type Taken } from '../fields/dissect.ts';

/** What changes on the way: addresses of links and tags, and of packets how far they may still go, with the sum over that. */
const AT_IPV4: readonly (readonly [number, number])[] = [
  [8, 1],
  [10, 2],
];
const AT_IPV6: readonly (readonly [number, number])[] = [[7, 1]];
const BELOW = new Set(['frame', 'eth', 'vlan', 'ieee8021ad', 'llc', 'fr', 'chdlc', 'ppp']);

/** The same for a frame wherever it is met: behind switches, tags and routers. */
export const tokenOf = (linkType: number, frame: Taken): string => {
  const layers = dissect(linkType, frame);
  const first = layers.find(({ name }) => !BELOW.has(name));
  const at = first?.at ?? 0;
  const rest = Uint8Array.from(frame.bytes.subarray(at));
  const changing = first?.name === 'ip' ? AT_IPV4 : first?.name === 'ipv6' ? AT_IPV6 : [];
  for (const [offset, length] of changing) rest.fill(0, offset, offset + length);
  // Ethernet fills short frames up, and a link of another kind does not.
  const total = first?.name === 'ip' ? Number(first.fields.find(({ name }) => name === 'ip.len')?.value ?? 0) : 0;
  return createHash('sha256')
    .update(total > 0 ? rest.subarray(0, total) : rest)
    .digest('base64');
};
