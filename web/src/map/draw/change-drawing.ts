import type { ReactFlowInstance } from '@xyflow/react';
import type { Lab } from '../../store/lab.ts';
import { attempt } from '../../store/notices.ts';
import { asEdit } from '../../undo/edits.ts';
import type { Drawing, Records } from '../../store/records.ts';
import type { MapEdge, MapNode } from '../flow/flow.ts';

export type DrawingChange = Partial<Pick<Drawing, 'x' | 'y' | 'z' | 'rotation' | 'svg'>>;

const MOST_TURN = 360;

/** Places are whole pixels, and turns whole degrees. */
const whole = ({ x, y, rotation, ...rest }: DrawingChange): DrawingChange => ({
  ...rest,
  ...(x === undefined ? {} : { x: Math.round(x) }),
  ...(y === undefined ? {} : { y: Math.round(y) }),
  ...(rotation === undefined ? {} : { rotation: Math.round(rotation) % MOST_TURN }),
});

/** Changes a drawing; what is not named stays. Answers whether it worked. */
export const changeDrawing = (lab: Lab, { drawing_id }: Drawing, change: DrawingChange): Promise<boolean> =>
  attempt(() =>
    asEdit(lab, (headers) =>
      lab.client.put('/v2/projects/{project_id}/drawings/{drawing_id}', {
        path: { project_id: lab.projectId, drawing_id },
        headers,
        body: whole(change),
      }),
    ),
  );

type Canvas = ReactFlowInstance<MapNode, MapEdge>;

/** Makes a drawing and selects it once it is on the map. */
export const makeDrawing = async (
  lab: Lab,
  canvas: Canvas,
  drawing: Required<Pick<DrawingChange, 'x' | 'y' | 'z' | 'svg'>>,
): Promise<void> => {
  await attempt(async () => {
    const { drawing_id } = await asEdit(lab, (headers) =>
      lab.client.post('/v2/projects/{project_id}/drawings', {
        path: { project_id: lab.projectId },
        headers,
        body: { ...drawing, ...whole(drawing) },
      }),
    );
    await untilThere(canvas, drawing_id);
    const only = <T extends { id: string; selected?: boolean }>(one: T): T =>
      (one.selected ?? false) === (one.id === drawing_id) ? one : { ...one, selected: one.id === drawing_id };
    canvas.setNodes((nodes) => nodes.map(only));
    canvas.setEdges((edges) => edges.map(only));
  });
};

/** Frames of the screen that the map has to show what the feed tells. */
const MOST_FRAMES = 120;

const untilThere = async (canvas: Canvas, id: string): Promise<void> => {
  for (let frame = 0; canvas.getNode(id) === undefined && frame < MOST_FRAMES; frame++)
    await new Promise((resolve) => requestAnimationFrame(resolve));
};

/** The layer in front of everything, or behind. */
export const outermost = ({ nodes, drawings }: Records, side: 'front' | 'back'): number => {
  const layers = [...nodes.values(), ...drawings.values()].map(({ z }) => z);
  return side === 'front' ? Math.max(0, ...layers) + 1 : Math.min(0, ...layers) - 1;
};
