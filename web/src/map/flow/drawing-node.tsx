import type { NodeProps } from '@xyflow/react';
import { memo, type ReactElement, useEffect, useState } from 'react';
import type { DrawingFlowNode } from './flow.ts';
import { drawnSize } from './drawing-size.ts';
import { pictureOf } from './safe-svg.ts';

/** It would be a negative in the dark. */
const hasPhotograph = (svg: string): boolean => /<image\b/i.test(svg);

/** A drawing as an inert picture. */
export const DrawingNode = memo(({ data: { drawing, mark }, selected }: NodeProps<DrawingFlowNode>): ReactElement => {
  const [picture, setPicture] = useState<string | null>(null);
  useEffect(() => {
    const url = pictureOf(drawing.svg);
    setPicture(url);
    return () => {
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [drawing.svg]);
  const { width, height } = drawnSize(drawing.svg);
  return (
    <div
      className={`drawing-node${hasPhotograph(drawing.svg) ? '' : ' plain'}${selected ? ' selected' : ''}${mark === undefined ? '' : ` ${mark}`}`}
      style={{ width, height, transform: `rotate(${drawing.rotation}deg)` }}
    >
      {picture !== null && <img src={picture} alt="" draggable={false} width={width} height={height} />}
    </div>
  );
});
DrawingNode.displayName = 'DrawingNode';
