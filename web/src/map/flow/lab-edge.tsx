import { BaseEdge, type EdgeProps } from '@xyflow/react';
import { memo, type ReactElement } from 'react';
import { type MapEdge, short, statesOf } from './flow.ts';
import { labelStyle } from './label-style.ts';
import { useMapTools } from '../map-tools.ts';
import { keyOfPort } from '../actions/ports.ts';

const BADGES = {
  suspended: 'M-3.5-5h3v10h-3zM1.5-5h3v10h-3z',
  filtered: 'M-6-5H6L1.5 1v5l-3-2V1z',
  capturing: 'M-1-5a4 4 0 1 0 .1 0zM2 2l4 4',
} as const;

/** A link: a line, with what is special about it in its middle, and the names of its ports. */
export const LabEdge = memo((props: EdgeProps<MapEdge>): ReactElement | null => {
  const { sourceX, sourceY, targetX, targetY, data, selected } = props;
  const { detail, withPortNames } = useMapTools();
  if (data === undefined) return null;
  const { link, mark, offset } = data;
  const length = Math.hypot(targetX - sourceX, targetY - sourceY) || 1;
  const dx = (-(targetY - sourceY) / length) * offset;
  const dy = ((targetX - sourceX) / length) * offset;
  const states = statesOf(link);
  const className = ['lab-link', link.link_type, ...states, mark ?? '', selected === true ? 'selected' : ''].join(' ');
  return (
    <g className={className}>
      <BaseEdge path={`M${sourceX + dx} ${sourceY + dy}L${targetX + dx} ${targetY + dy}`} interactionWidth={16} />
      {states.length > 0 && (
        <g transform={`translate(${(sourceX + targetX) / 2 + dx} ${(sourceY + targetY) / 2 + dy})`}>
          {states.map((state, index) => (
            <g key={state} className="link-badge" transform={`translate(${(index - (states.length - 1) / 2) * 22} 0)`}>
              <circle r={10} />
              <path d={BADGES[state]} />
            </g>
          ))}
        </g>
      )}
      {withPortNames &&
        detail === 'near' &&
        link.nodes.map((end, index) => (
          <text
            key={`${end.node_id} ${keyOfPort(end)}`}
            className="port-label"
            style={labelStyle(end.label.style)}
            {...labelPlace(data, index)}
          >
            {short(end.label.text)}
          </text>
        ))}
    </g>
  );
});
LabEdge.displayName = 'LabEdge';

/** As its file says; on the line where it would cover another name. */
const labelPlace = (
  { link, ends, hidden, offset }: NonNullable<MapEdge['data']>,
  index: number,
): { x: number; y: number; textAnchor?: 'middle' } => {
  const [here, there] = index === 0 ? ends : [ends[1], ends[0]];
  const label = link.nodes[index]?.label;
  if (hidden[index] !== true) return { x: here.x + (label?.x ?? 0), y: here.y + (label?.y ?? 0) + 12 };
  const [x, y] = [here.x + here.width / 2, here.y + here.height / 2];
  const [dx, dy] = [there.x + there.width / 2 - x, there.y + there.height / 2 - y];
  const length = Math.hypot(dx, dy) || 1;
  const reach = Math.min(length / 2, Math.max(here.width, here.height) / 2 + 18 + Math.abs(offset));
  return { x: x + (dx / length) * reach, y: y + (dy / length) * reach - 5, textAnchor: 'middle' };
};
