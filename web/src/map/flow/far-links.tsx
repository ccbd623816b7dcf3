import { ViewportPortal } from '@xyflow/react';
import { memo, type ReactElement } from 'react';
import type { MapEdge } from './flow.ts';
import { statesOf } from './flow.ts';

/** Kinds of lines, each drawn as one path however many links there are. */
const kindOf = ({ data, selected }: MapEdge): string => {
  if (data === undefined) return 'plain';
  const special = data.mark ?? statesOf(data.link)[0] ?? data.link.link_type;
  return selected === true ? 'selected' : special;
};

const lineOf = ({ data }: MapEdge): string => {
  if (data === undefined) return '';
  const [a, b] = data.ends.map(({ x, y, width, height }) => `${x + width / 2} ${y + height / 2}`);
  return `M${a}L${b}`;
};

/** The paths of links by what is special about them. */
export const pathsOf = (edges: readonly MapEdge[]): ReadonlyMap<string, string> => {
  const paths = new Map<string, string[]>();
  for (const edge of edges) {
    const kind = kindOf(edge);
    const lines = paths.get(kind) ?? [];
    lines.push(lineOf(edge));
    paths.set(kind, lines);
  }
  return new Map([...paths].map(([kind, lines]) => [kind, lines.join('')]));
};

/** All links of a large lab seen from far away, where none can be told from the next: a few paths instead of thousands of elements. */
export const FarLinks = memo(({ edges }: { edges: readonly MapEdge[] }): ReactElement => (
  <ViewportPortal>
    <svg className="far-links" width="1" height="1" aria-hidden="true">
      {[...pathsOf(edges)].map(([kind, path]) => (
        <g key={kind} className={`lab-link ${kind}`}>
          <path className="react-flow__edge-path" d={path} />
        </g>
      ))}
    </svg>
  </ViewportPortal>
));
FarLinks.displayName = 'FarLinks';
