import { Handle, type NodeProps, Position } from '@xyflow/react';
import { type CSSProperties, memo, type ReactElement } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import type { Node } from '../../store/records.ts';
import { failureOf } from '../actions/failure.ts';
import { type LabFlowNode, short } from './flow.ts';
import { labelStyle } from './label-style.ts';
import { useMapTools } from '../map-tools.ts';
import { useSymbol } from './symbols.ts';

/** Shapes tell states as well as colours do. */
const STATE_PATHS: Readonly<Record<Node['status'], string>> = {
  started: 'M5 3l9 5-9 5z',
  stopped: 'M4 4h8v8H4z',
  suspended: 'M4 3h3v10H4zM9 3h3v10H9z',
};
const FAILED_PATH = 'M8 1 15 14H1zM7.2 5h1.6v4.5H7.2zM7.2 10.8h1.6v1.6H7.2z';

/** A node of the lab: its symbol, its name, its state. */
export const LabNode = memo((props: NodeProps<LabFlowNode>): ReactElement =>
  useMapTools().detail === 'far' ? <FarNode {...props} /> : <NearNode {...props} />,
);
LabNode.displayName = 'LabNode';

/** One of very many: its state only, as colour and as fill. */
const FarNode = ({ data: { node, mark }, selected }: NodeProps<LabFlowNode>): ReactElement => (
  <div
    className={`lab-node dot ${failureOf(node) === null ? node.status : 'failed'}${selected ? ' selected' : ''}${mark === undefined ? '' : ` ${mark}`}`}
    style={{ width: node.width, height: node.height }}
  >
    <Handle type="source" position={Position.Top} className="middle-handle" />
  </div>
);

const NearNode = ({ data: { node, mark }, selected }: NodeProps<LabFlowNode>): ReactElement => {
  const { lab } = useScope();
  const picture = useSymbol(lab.client, node.symbol);
  const failure = failureOf(node);
  const style: CSSProperties = { width: node.width, height: node.height };
  return (
    <div
      className={`lab-node ${node.status}${selected ? ' selected' : ''}${mark === undefined ? '' : ` ${mark}`}`}
      style={style}
      title={failure === null ? undefined : `${short(node.name)}: ${failure}`}
    >
      {picture === null ? (
        <span className="no-picture" />
      ) : (
        <img src={picture} alt="" draggable={false} width={node.width} height={node.height} />
      )}
      <NodeLabel node={node} />
      <svg className={`state ${failure === null ? node.status : 'failed'}`} viewBox="0 0 16 16" aria-hidden="true">
        <path fillRule="evenodd" d={failure === null ? STATE_PATHS[node.status] : FAILED_PATH} />
      </svg>
      {node.locked && <span className="locked-mark" aria-hidden="true" />}
      <Handle type="source" position={Position.Top} className="middle-handle" />
    </div>
  );
};

const NodeLabel = ({ node: { label, name, width } }: { node: Node }): ReactElement => {
  const isCentred = label.x === null || label.x === undefined;
  const place: CSSProperties = isCentred
    ? { left: width / 2, top: label.y ?? -25, transform: 'translateX(-50%)' }
    : { left: label.x ?? 0, top: label.y ?? -25, transform: `rotate(${label.rotation ?? 0}deg)` };
  return (
    <span className="node-label" style={{ ...labelStyle(label.style), ...place }}>
      {short(label.text === '' ? name : label.text)}
    </span>
  );
};
