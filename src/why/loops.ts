import type { Steps } from '../common/slices.ts';
import type { Obstacle, Place } from './contract.ts';
import { type Probe, tagsOf } from './frames.ts';
import { isAt, type Lab, type LabLink, linkedPorts, linkName, linksAt, nodeAt, placeKey } from './lab.ts';
import { effectOf } from './link.ts';
import { stateOf } from './segment.ts';

/** A frame that arrives at a port by a link. */
interface Visit {
  place: Place;
  frame: Uint8Array;
  link: LabLink;
}

interface Walk extends Visit {
  key: string;
  next: Visit[];
}

/**
 * Finds a ring of hubs and switches in which a broadcast that leaves by a port circulates for ever, as none of them speaks spanning tree;
 * null without one. Depth-first search.
 */
export function* findLoop(lab: Lab, start: Place, { packet }: Probe): Steps<Obstacle | null> {
  const done = new Set<string>();
  const path: Walk[] = [];
  const on = new Set<string>();
  const enter = (visit: Visit): Obstacle | null => {
    const key = keyOf(visit);
    if (on.has(key)) return loopOf(lab, path.slice(path.findIndex((one) => one.key === key)));
    if (done.has(key)) return null;
    on.add(key);
    path.push({ ...visit, key, next: passedOn(lab, visit) });
    return null;
  };
  for (const visit of over(lab, start, packet)) enter(visit);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    yield;
    const next = top.next.pop();
    if (next === undefined) {
      path.pop();
      on.delete(top.key);
      done.add(top.key);
      continue;
    }
    const found = enter(next);
    if (found !== null) return found;
  }
  return null;
}

const keyOf = ({ place, frame }: Visit): string => `${placeKey(place)} ${tagsOf(frame).join('.')}`;

const passedOn = (lab: Lab, { place, frame }: Visit): Visit[] => {
  const { forwarding, record } = nodeAt(lab, place.node_id);
  if (forwarding?.by !== 'frames') return [];
  return forwarding
    .pass({ ...place, frame }, linkedPorts(lab, record.node_id))
    .filter(({ kept }) => kept === undefined)
    .flatMap((left) => over(lab, { ...left, node_id: record.node_id }, left.frame));
};

/** Sends a frame to the other end of the link at a port, if nothing stops it. */
const over = (lab: Lab, out: Place, frame: Uint8Array): Visit[] =>
  linksAt(lab, out).flatMap((link) => {
    const [a, b] = link.record.nodes;
    if (a === undefined || b === undefined) return [];
    const isForth = isAt(a, out);
    const place = isForth ? b : a;
    const node = lab.nodes.get(place.node_id);
    if (node === undefined || (!lab.isSteady && stateOf(node).length > 0)) return [];
    return effectOf(lab, link, isForth ? 0 : 1, [frame]).obstacle === null ? [{ place, frame, link }] : [];
  });

const loopOf = (lab: Lab, ring: readonly Walk[]): Obstacle => {
  const links = [...new Map(ring.map(({ link }) => [link.record.link_id, link])).values()];
  const names = links.map(({ record }) => linkName(lab, record));
  const through = [...new Set(ring.map(({ place }) => nodeAt(lab, place.node_id).record.name))];
  return {
    // Some packets come through a storm.
    maybe: true,
    code: 'loop',
    key: `loop:${links
      .map(({ record }) => record.link_id)
      .sort()
      .join(',')}`,
    sentence: `${through.join(', ')} form a loop, in which every broadcast goes round for ever (${names.join('; ')})`,
    ...(links[0] === undefined ? {} : { link_id: links[0].record.link_id }),
  };
};
