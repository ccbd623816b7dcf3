import { Handle, type NodeProps, Position } from '@xyflow/react';
import { type CSSProperties, memo, type ReactElement } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { type GroupFlowNode, short } from '../flow/flow.ts';
import { StateMark } from '../flow/marks.tsx';
import { changeGroups } from './group-actions.ts';
import { withChanged, worstOf } from './groups.ts';
import './groups.css';

/** A group: a frame with a head around its nodes, or one symbol for all of them. */
export const GroupNode = memo(({ data: { group, members }, selected }: NodeProps<GroupFlowNode>): ReactElement => {
  const { lab } = useScope();
  const { isReadOnly } = useView();
  const { name, collapsed } = group;
  const style = { '--group-colour': group.color } as CSSProperties;
  const nodes = members.map(({ data }) => data.node);
  const turn = (
    <IconButton
      icon={collapsed ? 'maximise' : 'minus'}
      label={collapsed ? t('Expand {name}', { name: short(name) }) : t('Collapse {name}', { name: short(name) })}
      disabled={isReadOnly}
      onClick={() => void changeGroups(lab, (now) => withChanged(now, group.group_id, { collapsed: !collapsed }))}
    />
  );
  if (!collapsed)
    return (
      <div className={`group-frame${selected ? ' selected' : ''}`} style={style}>
        <span className="group-head">
          <span className="group-name">{short(name)}</span>
          <span className="group-count" aria-hidden="true">
            {nodes.length}
          </span>
          <span className="nodrag">{turn}</span>
        </span>
      </div>
    );
  const state = worstOf(nodes);
  return (
    <div className={`group-symbol${selected ? ' selected' : ''}`} style={style}>
      <span className="group-total">{nodes.length}</span>
      <span className="nodrag">{turn}</span>
      <StateMark state={state} />
      <span className="group-name">{short(name)}</span>
      <Handle type="source" position={Position.Top} className="middle-handle" isConnectable={false} />
    </div>
  );
});
GroupNode.displayName = 'GroupNode';
