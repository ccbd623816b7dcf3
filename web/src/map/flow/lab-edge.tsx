import type { Point } from '../actions/free-place.ts';
import { BaseEdge, type EdgeProps, type InternalNode, useInternalNode } from '@xyflow/react';
import { memo, type ReactElement, type SVGAttributes } from 'react';
import { type MapEdge, type MapNode, short, statesOf } from './flow.ts';
import { ASCENT, LABEL_MARGIN, labelBox, labelSize, labelStyle } from './label-style.ts';
import { besideLine, besideNode, isOutside, type Line, lineStyle, pathOf } from './link-line.ts';
import { useMapTools } from '../map-tools.ts';
import { keyOfPort } from '../actions/ports.ts';
import { useHighlights } from './marks.tsx';

const BADGES = {
  suspended: 'M-3.5-5h3v10h-3zM1.5-5h3v10h-3z',
  filtered: 'M-6-5H6L1.5 1v5l-3-2V1z',
  capturing: 'M-1-5a4 4 0 1 0 .1 0zM2 2l4 4',
  broken: 'M-4-4l8 8M4-4l-8 8',
  storm: 'M1.500-6l-5 7h6l-3.500 6',
  end: 'M0-6v7M0 4.500v.5',
} as const;

/** Highlights that have a badge of their own. */
const LIGHTS = ['broken', 'storm', 'end'] as const;

/** A link: a line, with what is special about it in its middle, and the names of its ports. */
export const LabEdge = memo((props: EdgeProps<MapEdge>): ReactElement | null => {
  const { source, target, data, selected } = props;
  const { detail, withPortNames } = useMapTools();
  const lights = useHighlights(props.id);
  // Not where the handles are: one begins a link beside its node.
  const from = middleOf(useInternalNode<MapNode>(source));
  const to = middleOf(useInternalNode<MapNode>(target));
  if (data === undefined || from === null || to === null) return null;
  const { link, mark, offset } = data;
  const line = besideLine([from, to], offset);
  const [begin, end] = line;
  const states = statesOf(link);
  const badges = [...states, ...LIGHTS.filter((light) => lights.includes(`lit-${light}`))];
  const className = [
    'lab-link',
    link.link_type,
    ...states,
    mark ?? '',
    selected === true ? 'selected' : '',
    lights,
  ].join(' ');
  return (
    <g className={className} style={lineStyle(link)}>
      <BaseEdge path={pathOf(line, link.link_type)} interactionWidth={16} />
      {badges.length > 0 && (
        <g transform={`translate(${(begin.x + end.x) / 2} ${(begin.y + end.y) / 2})`}>
          {badges.map((badge, index) => (
            <g
              key={badge}
              className={`link-badge ${badge}`}
              transform={`translate(${(index - (badges.length - 1) / 2) * 22} 0)`}
            >
              <circle r={10} />
              <path d={BADGES[badge]} />
            </g>
          ))}
        </g>
      )}
      {withPortNames && detail === 'near' && <PortNames data={data} line={line} />}
    </g>
  );
});
LabEdge.displayName = 'LabEdge';

/** Where the hand has it, if it has. */
const middleOf = (node: InternalNode<MapNode> | undefined): Point | null => {
  if (node === undefined) return null;
  const { x, y } = node.internals.positionAbsolute;
  return { x: x + (node.measured.width ?? 0) / 2, y: y + (node.measured.height ?? 0) / 2 };
};

interface NamesProps {
  readonly data: NonNullable<MapEdge['data']>;
  readonly line: Line;
}

const PortNames = ({ data, line }: NamesProps): ReactElement => (
  <>
    {data.link.nodes.map((end, index) => (
      <text
        key={`${end.node_id} ${keyOfPort(end)}`}
        className="port-label"
        style={labelStyle(end.label.style)}
        {...labelPlace(data, line, index)}
      >
        {short(end.label.text)}
      </text>
    ))}
  </>
);

type Place = Pick<SVGAttributes<SVGTextElement>, 'x' | 'y' | 'textAnchor' | 'transform'>;

/** As its file says; on the line where that is on the node, or would cover another name. */
const labelPlace = ({ link, ends, hidden }: NamesProps['data'], [from, to]: Line, index: number): Place => {
  const end = link.nodes[index];
  const node = index === 0 ? ends[0] : ends[1];
  if (end === undefined) return {};
  const { x = 0, y = 0, rotation = 0, style } = end.label;
  const size = labelSize(style);
  const [left, middle] = index === 0 ? [from, to] : [to, from];
  if (hidden[index] === true || !isOutside(end, node)) {
    const place = besideNode(node, [left, middle]);
    const top = place.y - labelBox('', size).height / 2;
    return { x: place.x, y: top + LABEL_MARGIN + size * ASCENT, textAnchor: 'middle' };
  }
  const [dx, dy] = [node.x + (x ?? 0), node.y + y];
  return {
    x: dx + LABEL_MARGIN,
    y: dy + LABEL_MARGIN + size * ASCENT,
    ...(rotation === 0 ? {} : { transform: `rotate(${rotation} ${dx} ${dy})` }),
  };
};
