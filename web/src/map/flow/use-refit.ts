import { useStore } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import type { MapNode } from './flow.ts';
import type { MapScope } from './use-map-scope.ts';

type Fitting = Pick<MapScope, 'fitted' | 'refit'>;

/**
 * Shows everything again when the map gets another size, as long as that is what is shown: a dock that opens hides nothing. Answers what
 * to call when somebody looks elsewhere.
 */
export const useRefit = ({ fitted, refit }: Fitting): (() => void) => {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    if (fitted.current) refit();
  }, [width, height, fitted, refit]);
  return useCallback(() => {
    fitted.current = false;
  }, [fitted]);
};

/** Shows everything again when there is something new out of sight, as long as everything is what is shown, and nothing is in the hand. */
export const useRefitForNew = (
  { fitted, refit, seen }: Fitting & Pick<MapScope, 'seen'>,
  nodes: readonly MapNode[],
): void => {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const before = known.current;
    // Dragging makes new objects of the same nodes, at every turn of the screen.
    if (before?.size === nodes.length) return;
    known.current = new Set(nodes.map(({ id }) => id));
    if (before === null || !fitted.current || nodes.some(({ dragging }) => dragging === true)) return;
    const { x, y, width, height } = seen();
    const isOut = ({ position, width: w = 0, height: h = 0 }: MapNode): boolean =>
      position.x < x || position.y < y || position.x + w > x + width || position.y + h > y + height;
    if (nodes.some((node) => !before.has(node.id) && node.hidden !== true && isOut(node))) refit();
  }, [nodes, fitted, refit, seen]);
};
