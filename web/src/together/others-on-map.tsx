import { useStore as useFlowStore, ViewportPortal } from '@xyflow/react';
import type { CSSProperties, ReactElement } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import type { MapNode } from '../map/flow/flow.ts';
import { useStore } from '../store/use-store.ts';
import { personName, tintOf } from '../ui/avatar.tsx';
import type { Other } from './together.ts';
import './together.css';

/** Pointers of the others, and what they have selected. The past is everybody’s own. */
export const OthersOnMap = ({ nodes }: { nodes: readonly MapNode[] }): ReactElement | null => {
  const { together } = useScope();
  const { past } = useView();
  const others = useStore(together.others);
  const zoom = useFlowStore(({ transform }) => transform[2]);
  if (past !== null || others.length === 0) return null;
  return (
    <ViewportPortal>
      {others.map((other) => (
        <OtherOnMap key={other.id} other={other} nodes={nodes} zoom={zoom} />
      ))}
    </ViewportPortal>
  );
};

interface Props {
  readonly other: Other;
  readonly nodes: readonly MapNode[];
  readonly zoom: number;
}

const OtherOnMap = ({ other: { name, shown }, nodes, zoom }: Props): ReactElement => {
  const selected = new Set(shown.selected);
  const boxes = selected.size === 0 ? [] : nodes.filter(({ id }) => selected.has(id));
  const { pointer } = shown;
  return (
    <div className={`other tint-${tintOf(name)}`} style={{ '--zoom': zoom } as CSSProperties} aria-hidden="true">
      {boxes.map(({ id, position, width = 0, height = 0 }) => (
        <div
          key={id}
          className="other-selected"
          data-name={name}
          style={{ transform: `translate(${position.x}px, ${position.y}px)`, width, height }}
        />
      ))}
      {pointer !== null && (
        <div
          className="other-pointer"
          data-name={name}
          style={{ transform: `translate(${pointer.x}px, ${pointer.y}px) scale(${1 / zoom})` }}
        >
          <svg viewBox="0 0 16 20">
            <path d="M1 1v15l4-4 3 7 3-1.500-3-6.500h6z" />
          </svg>
          <span>{personName(name)}</span>
        </div>
      )}
    </div>
  );
};
