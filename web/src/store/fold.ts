import type { Frame, Records } from './records.ts';

type Part = 'nodes' | 'links' | 'drawings';

/** Copies each map at most once, however many frames there are. */
interface Draft {
  project: Records['project'];
  nodes: Map<string, Records['nodes'] extends ReadonlyMap<string, infer N> ? N : never>;
  links: Map<string, Records['links'] extends ReadonlyMap<string, infer L> ? L : never>;
  drawings: Map<string, Records['drawings'] extends ReadonlyMap<string, infer D> ? D : never>;
}

/** The records after the frames, which are in the order of the feed. Frames that tell of no record change nothing. */
export const foldFrames = (before: Records, frames: readonly Frame[]): Records => {
  const fresh = new Set<Part>();
  const now = { ...before } as Draft;
  const open = <P extends Part>(part: P): Draft[P] => {
    if (!fresh.has(part)) {
      fresh.add(part);
      now[part] = new Map(now[part] as Map<string, never>);
    }
    return now[part];
  };
  for (const frame of frames) foldFrame(now, open, frame);
  return fresh.size === 0 && now.project === before.project ? before : now;
};

const foldFrame = (now: Draft, open: <P extends Part>(part: P) => Draft[P], frame: Frame): void => {
  switch (frame.action) {
    case 'project.created':
    case 'project.updated':
    case 'project.opened':
    case 'project.closed':
      now.project = frame.event;
      return;
    case 'node.created':
    case 'node.updated':
      open('nodes').set(frame.event.node_id, frame.event);
      return;
    case 'node.deleted':
      open('nodes').delete(frame.event.node_id);
      return;
    case 'link.created':
    case 'link.updated':
      open('links').set(frame.event.link_id, frame.event);
      return;
    case 'link.deleted':
      open('links').delete(frame.event.link_id);
      return;
    case 'drawing.created':
      open('drawings').set(frame.event.drawing_id, frame.event);
      return;
    case 'drawing.updated': {
      // Its picture is left out unless that has changed.
      const svg = frame.event.svg ?? now.drawings.get(frame.event.drawing_id)?.svg ?? '';
      open('drawings').set(frame.event.drawing_id, { ...frame.event, svg });
      return;
    }
    case 'drawing.deleted':
      open('drawings').delete(frame.event.drawing_id);
      return;
    default:
  }
};
