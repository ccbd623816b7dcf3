import type { NodeProps } from '@xyflow/react';
import { type CSSProperties, memo, type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { changeDrawing } from '../draw/change-drawing.ts';
import { readShape, resizeShape } from '../draw/edit-shape.ts';
import type { Placed } from '../draw/geometry.ts';
import { Handles } from '../draw/handles.tsx';
import type { DrawingFlowNode } from './flow.ts';
import { drawnSize } from './drawing-size.ts';
import { returnPicture, takePicture } from './safe-svg.ts';

/** It would be a negative in the dark. */
const hasPhotograph = (svg: string): boolean => /<image\b/i.test(svg);

/** A drawing as an inert picture. */
export const DrawingNode = memo((props: NodeProps<DrawingFlowNode>): ReactElement => {
  const { drawing, mark } = props.data;
  const { selected, draggable } = props;
  const { lab } = useScope();
  const [picture, setPicture] = useState<string | null>(null);
  const [draft, setDraft] = useState<Placed | null>(null);
  useEffect(() => {
    setPicture(takePicture(drawing.svg));
    return () => returnPicture(drawing.svg);
  }, [drawing.svg]);
  useEffect(() => setDraft(null), [drawing]);
  const { x, y, rotation } = drawing;
  const size = drawnSize(drawing.svg);
  const placed = { x, y, ...size, rotation };
  const { width, height } = draft ?? size;
  const change = (to: Placed): void => {
    const isResized = to.width !== size.width || to.height !== size.height;
    const svg = isResized ? { svg: resizeShape(drawing.svg, size, to) } : {};
    void changeDrawing(lab, drawing, { x: to.x, y: to.y, rotation: to.rotation, ...svg }).then((worked) => {
      if (!worked) setDraft(null);
    });
  };
  return (
    <div
      className={`drawing-node${hasPhotograph(drawing.svg) ? '' : ' plain'}${selected ? ' selected' : ''}${mark === undefined ? '' : ` ${mark}`}`}
      style={styleOf(placed, draft)}
    >
      {picture !== null && <img src={picture} alt="" draggable={false} width={width} height={height} />}
      {selected && draggable && (
        <Handles
          placed={placed}
          cornersOnly={readShape(drawing.svg)?.shape === 'text'}
          onDraft={setDraft}
          onDone={change}
        />
      )}
    </div>
  );
});
DrawingNode.displayName = 'DrawingNode';

/** Where it is, or where the hand has it. */
const styleOf = (placed: Placed, draft: Placed | null): CSSProperties => {
  const { x, y, width, height, rotation } = draft ?? placed;
  const moved = draft === null ? '' : `translate(${x - placed.x}px, ${y - placed.y}px) `;
  return { width, height, transform: `${moved}rotate(${rotation}deg)` };
};
