import type { MapScope } from '../map-scope.ts';
import type { ReactFlowInstance } from '@xyflow/react';
import type { RefObject } from 'react';
import type { LabScope, View } from '../../app/lab-context.tsx';
import { attempt } from '../../store/notices.ts';
import { asEdit, takeBack } from '../../undo/edits.ts';
import { arrange, type Box, type Place } from '../actions/arrange.ts';
import { movePlaces } from '../actions/object-actions.ts';
import { putGroups } from '../groups/group-actions.ts';
import { withMemberIds } from '../groups/draw-groups.ts';
import { groupsOf, membersAfter, withMembers } from '../groups/groups.ts';
import { placesOf, unitsOf } from '../groups/units.ts';
import type { MapEdge, MapNode } from '../flow/flow.ts';
import type { Flow } from '../flow/use-flow.ts';

/** Members from which the map's scope is made. */
export interface MapParts extends Pick<
  MapScope,
  'lab' | 'workbench' | 'together' | 'isReadOnly' | 'isPast' | 'ask' | 'fitted' | 'pointer'
> {
  readonly frame: LabScope['frame'];
  readonly canvas: ReactFlowInstance<MapNode, MapEdge>;
  /** As they are at the moment. */
  readonly now: RefObject<{ readonly flow: Flow; readonly view: View }>;
  readonly gathered: Gathered;
}

interface Moving extends Pick<MapScope, 'move' | 'drop' | 'arrangeChosen' | 'takeBack'> {
  /** Moves what is chosen, or what is seen of the map. */
  readonly nudge: (dx: number, dy: number) => void;
}

const PAN_FACTOR = 4;

export const createMoving = (on: MapParts): Moving => {
  const { now, canvas, fitted, gathered, isReadOnly, lab } = on;
  /** `members`: which nodes come to which groups by it. */
  const move = (places: readonly Place[], members: ReadonlyMap<string, string | null> = new Map()): void => {
    if (isReadOnly) return;
    now.current.flow.place(places);
    const work = (): Promise<void> =>
      asEdit(lab, async (headers) => {
        await movePlaces(lab, places, headers);
        if (members.size > 0) await putGroups(lab, (groups) => withMembers(groups, members), headers);
      });
    void attempt(work).then((worked) => {
      if (!worked) now.current.flow.reset();
    });
  };
  return {
    move,
    drop: (ids) => {
      const dropped = new Set(withMemberIds(now.current.flow.nodes, ids));
      const members = membersAfter(groupsOf(lab.state.get().records.project), placedIn(now.current.flow.nodes), ids);
      const places = now.current.flow.nodes
        .filter(({ id }) => dropped.has(id))
        .map(({ id, position }) => ({ id, ...position }));
      move(places, members);
    },
    arrangeChosen: (arrangement) => {
      const units = unitsOf(now.current.flow.nodes);
      if (units.length > 1) move(placesOf(units, arrange(units, arrangement)));
    },
    takeBack: (what, position) => {
      gathered.flush();
      void takeBack(lab, what, position);
    },
    nudge: (dx, dy) => {
      const places = unitsOf(now.current.flow.nodes)
        .filter(({ isLocked }) => !isLocked)
        .flatMap(({ parts }) => parts.map(({ id, x, y }) => ({ id, x: x + dx, y: y + dy })));
      if (places.length > 0) {
        now.current.flow.place(places);
        gathered.put(places, move);
        return;
      }
      const { x, y, zoom } = canvas.getViewport();
      fitted.current = false;
      void canvas.setViewport({ x: x - dx * PAN_FACTOR, y: y - dy * PAN_FACTOR, zoom });
    },
  };
};

/** Nodes of the lab: where they are seen, and where their records say. */
const placedIn = (nodes: readonly MapNode[]): ReadonlyMap<string, Box & { readonly was: Pick<Box, 'x' | 'y'> }> =>
  new Map(
    nodes.flatMap(({ id, position, data }) =>
      'node' in data
        ? [[id, { id, ...position, width: data.node.width, height: data.node.height, was: data.node }] as const]
        : [],
    ),
  );

interface Gathered {
  put(places: readonly Place[], tell: (places: readonly Place[]) => void): void;
  /** Tells at once what waits. */
  flush(): void;
}

/** Keys that follow each other within this time are one move. Milliseconds. */
const GATHER_MS = 350;

/** Places that come one after the other, told together. */
export const createGathered = (): Gathered => {
  const waiting = new Map<string, Place>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flush = (): void => undefined;
  return {
    put(places, tell) {
      for (const place of places) waiting.set(place.id, place);
      clearTimeout(timer);
      flush = () => {
        clearTimeout(timer);
        const all = [...waiting.values()];
        waiting.clear();
        if (all.length > 0) tell(all);
      };
      timer = setTimeout(flush, GATHER_MS);
    },
    flush: () => flush(),
  };
};
