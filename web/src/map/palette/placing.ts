import { useReactFlow } from '@xyflow/react';
import { type DragEvent, useMemo } from 'react';
import type { Lab } from '../../store/lab.ts';
import { asEdit, type EditHeaders } from '../../undo/edits.ts';
import { freePlace, type Rect, type Point } from '../actions/free-place.ts';
import { TEMPLATE_TYPE } from './templates.ts';

/** Where new nodes are wanted. */
export type Wanted =
  | { readonly at: Point }
  /** The next free place in what is seen of the map. */
  | { readonly view: Rect };

/** A node of a template, before its picture is known. */
const SIZE = { width: 60, height: 60 };
/** Between nodes that are added one after the other; and between places where one is dropped. */
const STEP = 120;
const DROP_STEP = 12;
const EDGE = 30;

export interface Wish {
  readonly template_id: string;
  /** Null: the template says it. */
  readonly where: string | null;
  readonly count: number;
}

export interface Placer {
  /** Answers the names of the nodes. Throws what the server says; those before it are there. */
  readonly add: (wish: Wish, wanted: Wanted) => Promise<string[]>;
}

/** Adds nodes of templates, each on a place of its own, one after the other; those of a wish are one edit. */
export const createPlacer = (lab: Lab): Placer => {
  /** Nodes of which the feed has not told yet. */
  const coming = new Map<string, Rect>();
  const taken = (): Rect[] => {
    const { nodes } = lab.state.get().records;
    for (const id of coming.keys()) if (nodes.has(id)) coming.delete(id);
    return [...nodes.values(), ...coming.values()];
  };
  const addOne = async ({ template_id, where }: Wish, wanted: Wanted, headers: EditHeaders): Promise<string> => {
    const place = onGrid(lab, placeFor(taken(), wanted));
    const { name, node_id, x, y, width, height } = await lab.client.post(
      '/v2/projects/{project_id}/templates/{template_id}',
      {
        path: { project_id: lab.projectId, template_id },
        headers,
        body: { ...place, ...(where === null ? {} : { compute_id: where }) },
      },
    );
    coming.set(node_id, { x, y, width, height });
    return name;
  };
  return {
    add: (wish, wanted) =>
      asEdit(lab, async (headers) => {
        const names: string[] = [];
        for (let index = 0; index < wish.count; index++) names.push(await addOne(wish, wanted, headers));
        return names;
      }),
  };
};

/** The middle of what is seen is where somebody looks. */
const placeFor = (taken: readonly Rect[], wanted: Wanted): Point => {
  if ('at' in wanted) {
    const { x, y } = wanted.at;
    return freePlace(
      taken,
      { x: Math.round(x - SIZE.width / 2), y: Math.round(y - SIZE.height / 2), ...SIZE },
      DROP_STEP,
    );
  }
  const { x, y, width, height } = wanted.view;
  const middle = inRow(taken, { x: x + (width - SIZE.width) / 2, y: y + (height - SIZE.height) / 2 });
  const within = { x: x + EDGE, y: y + EDGE, width: width - 2 * EDGE, height: height - 2 * EDGE };
  return freePlace(taken, { ...middle, ...SIZE }, STEP, within);
};

/** In rows and columns with the node that is nearest. */
const inRow = (taken: readonly Rect[], { x, y }: Point): Point => {
  const distance = (one: Rect): number => Math.hypot(one.x - x, one.y - y);
  const nearest = taken.reduce<Rect | null>(
    (best, one) => (best === null || distance(one) < distance(best) ? one : best),
    null,
  );
  if (nearest === null) return { x: Math.round(x), y: Math.round(y) };
  const along = (from: number, to: number): number => from + Math.round((to - from) / STEP) * STEP;
  return { x: along(nearest.x, x), y: along(nearest.y, y) };
};

const onGrid = (lab: Lab, { x, y }: Point): Point => {
  const { project } = lab.state.get().records;
  if (project?.snap_to_grid !== true) return { x, y };
  const grid = Math.max(5, project.grid_size);
  return { x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid };
};

export type AddTemplate = (templateId: string, wanted: Wanted) => void;

/** Templates that are dropped on the map. */
export const useDrop = (add: { readonly current: AddTemplate | null }) => {
  const canvas = useReactFlow();
  return useMemo(
    () => ({
      onDragOver: (event: DragEvent): void => {
        if (!event.dataTransfer.types.includes(TEMPLATE_TYPE)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDrop: (event: DragEvent): void => {
        const id = event.dataTransfer.getData(TEMPLATE_TYPE);
        if (id === '') return;
        event.preventDefault();
        add.current?.(id, { at: canvas.screenToFlowPosition({ x: event.clientX, y: event.clientY }) });
      },
    }),
    [canvas, add],
  );
};
