import { useStore as useFlowStore, ViewportPortal } from '@xyflow/react';
import type { CSSProperties, ReactElement } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import type { Size } from '../map/flow/drawing-size.ts';
import type { MapNode } from '../map/flow/flow.ts';
import { drawnSize, placeIn, useSymbolPicture } from '../map/flow/symbols.ts';
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

const sizeOf = ({ width = 0, height = 0 }: MapNode): Size => ({ width, height });

const Ring = ({ name, x, y, ...size }: Size & { name: string; x: number; y: number }): ReactElement => (
  <div className="other-selected" data-name={name} style={{ transform: `translate(${x}px, ${y}px)`, ...size }} />
);

interface SymbolProps {
  readonly name: string;
  readonly node: MapNode;
  readonly symbol: string | null;
}

/** Around what is seen of a symbol, which need not fill its node. */
const RingOfSymbol = ({ name, node, symbol }: SymbolProps): ReactElement => {
  const { lab } = useScope();
  const drawn = drawnSize(sizeOf(node), useSymbolPicture(lab.client, symbol));
  const { left, top } = placeIn(sizeOf(node), drawn);
  return <Ring name={name} x={node.position.x + left} y={node.position.y + top} {...drawn} />;
};

const OtherOnMap = ({ other: { name, shown }, nodes, zoom }: Props): ReactElement => {
  const selected = new Set(shown.selected);
  const boxes = selected.size === 0 ? [] : nodes.filter(({ id }) => selected.has(id));
  const { pointer } = shown;
  return (
    <div className={`other tint-${tintOf(name)}`} style={{ '--zoom': zoom } as CSSProperties} aria-hidden="true">
      {boxes.map((node) =>
        'node' in node.data ? (
          <RingOfSymbol key={node.id} name={name} node={node} symbol={node.data.node.symbol} />
        ) : (
          <Ring key={node.id} name={name} {...node.position} {...sizeOf(node)} />
        ),
      )}
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
