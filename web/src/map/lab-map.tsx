import { ReactFlow } from '@xyflow/react';
import type { ReactElement } from 'react';
import { useView } from '../app/lab-context.tsx';
import '@xyflow/react/dist/style.css';

/** The lab as a picture. */
export const LabMap = (): ReactElement => {
  const { records } = useView();
  const nodes = [...records.nodes.values()].map((node) => ({
    id: node.node_id,
    position: { x: node.x, y: node.y },
    data: { label: node.name },
  }));
  return <ReactFlow nodes={nodes} edges={[]} fitView />;
};
