import { Handle, type NodeProps, Position } from '@xyflow/react';
import { type CSSProperties, memo, type ReactElement } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import type { ComputeLook } from '../../computes/compute-look.ts';
import { isHere, unreachableOf } from '../../computes/computes.ts';
import type { Node } from '../../store/records.ts';
import { t } from '../../words/words.ts';
import { failureOf } from '../actions/failure.ts';
import { type MapTools, useMapTools } from '../map-tools.ts';
import { NAME_Y } from './fit.ts';
import { type LabFlowNode, short } from './flow.ts';
import { labelStyle } from './label-style.ts';
import { StateMark, useHighlights } from './marks.tsx';
import { drawnSize, placeIn, useSymbolPicture } from './symbols.ts';

/** A line that is broken in its middle. */
const AWAY_PATH = 'M1 8h4M11 8h4M6 4l-2 8M12 4l-2 8';

/** A node of the lab: its symbol, its name, its state. */
export const LabNode = memo((props: NodeProps<LabFlowNode>): ReactElement =>
  useMapTools().detail === 'far' ? <FarNode {...props} /> : <NearNode {...props} />,
);
LabNode.displayName = 'LabNode';

/** One of very many is seen on the picture of all (FarLayer); this is what the hand gets hold of. */
const FarNode = ({ data: { node } }: NodeProps<LabFlowNode>): ReactElement => (
  <div className="lab-node" style={{ width: node.width, height: node.height }} title={short(node.name)}>
    <Handle type="source" position={Position.Top} className="middle-handle" />
  </div>
);

const classesOf = (node: Node, selected: boolean, mark: string | undefined): string[] => [
  ...(selected ? ['selected'] : []),
  ...(unreachableOf(node) === null ? [] : ['unreachable']),
  ...(mark === undefined ? [] : [mark]),
];

/** Null: colours by compute are not asked for. */
const lookOf = ({ looks, withComputes }: MapTools, { compute_id }: Node): ComputeLook | null =>
  (withComputes ? looks.get(compute_id) : undefined) ?? null;

const ComputeFrame = ({ look: { colour, line } }: { look: ComputeLook }): ReactElement => (
  <span className="compute-frame" style={{ borderColor: colour, borderStyle: line }} aria-hidden="true" />
);

/** Shown when pointed at: why it failed, why it is unreachable, where it runs. */
const titleOf = (node: Node, { looks }: MapTools): string | undefined => {
  const failure = failureOf(node);
  const unreachable = unreachableOf(node);
  const place = isHere(node.compute_id) ? undefined : looks.get(node.compute_id)?.name;
  const lines = [
    ...(failure === null ? [] : [`${short(node.name)}: ${failure}`]),
    ...(unreachable === null
      ? []
      : [t('{name} is unreachable: {reason}', { name: short(node.name), reason: unreachable })]),
    ...(place === undefined ? [] : [t('On {place}', { place: short(place) })]),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
};

/** A check of it does not hold, the way that is followed ends here, the weather has ended it. */
const LIGHT_MARKS = {
  'lit-storm': 'M9 2l-5 7h6l-3 6',
  'lit-broken': 'M4 4l8 8M12 4l-8 8',
  'lit-end': 'M8 2.500v7M8 13v.5',
} as const;

const LightMarks = ({ lights }: { lights: string }): ReactElement[] =>
  (['lit-broken', 'lit-end', 'lit-storm'] as const)
    .filter((light) => lights.includes(light))
    .map((light) => (
      <svg key={light} className={`light-mark ${light}`} viewBox="0 0 16 16" aria-hidden="true">
        <path d={LIGHT_MARKS[light]} />
      </svg>
    ));

const NearNode = ({ data: { node, mark }, selected }: NodeProps<LabFlowNode>): ReactElement => {
  const { lab } = useScope();
  const lights = useHighlights(node.node_id);
  const picture = useSymbolPicture(lab.client, node.symbol);
  const drawn = drawnSize(node, picture);
  const tools = useMapTools();
  const look = lookOf(tools, node);
  const failure = failureOf(node);
  const isAway = unreachableOf(node) !== null;
  const place = placeIn(node, drawn);
  const style: CSSProperties & Record<'--seen-right', string> = {
    width: node.width,
    height: node.height,
    // Where the handle of links stands.
    '--seen-right': `${place.left + drawn.width}px`,
  };
  return (
    <div
      className={['lab-node', node.status, ...classesOf(node, selected, mark), lights].join(' ').trim()}
      style={style}
      title={titleOf(node, tools)}
    >
      {look !== null && <ComputeFrame look={look} />}
      {/* Badges stand at what is seen of a symbol, which need not fill its node. */}
      <span className="node-symbol" style={{ ...drawn, ...place }}>
        {picture === null ? (
          <span className="no-picture" />
        ) : (
          <img src={picture.url} alt="" draggable={false} {...drawn} />
        )}
        <StateMark state={failure === null ? node.status : 'failed'} />
        {isAway && (
          <svg className="away-mark" viewBox="0 0 16 16" aria-hidden="true">
            <path d={AWAY_PATH} />
          </svg>
        )}
        <LightMarks lights={lights} />
        {node.locked && <span className="locked-mark" aria-hidden="true" />}
      </span>
      <NodeLabel node={node} />
      {(look !== null || isAway) && (
        <span className="node-place">
          {look !== null && <span>{short(look.name)}</span>}
          {isAway && <strong>{t('unreachable')}</strong>}
        </span>
      )}
      <Handle type="source" position={Position.Top} className="middle-handle" />
    </div>
  );
};

const NodeLabel = ({ node: { label, name, width } }: { node: Node }): ReactElement => {
  const isCentred = label.x === null || label.x === undefined;
  const place: CSSProperties = isCentred
    ? { left: width / 2, top: label.y ?? NAME_Y, transform: 'translateX(-50%)' }
    : { left: label.x ?? 0, top: label.y ?? NAME_Y, transform: `rotate(${label.rotation ?? 0}deg)` };
  const text = short(label.text === '' ? name : label.text);
  return (
    <span className="node-label nodrag" style={{ ...labelStyle(label.style), ...place }} data-text={text}>
      {text}
    </span>
  );
};
