import type { Point } from '../map/actions/free-place.ts';
import type { MapScope } from '../map/map-scope.ts';
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useEffectEvent } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import type { Flow } from '../map/flow/use-flow.ts';
import { keyOf, openBehind, type Workbench } from '../store/workbench.ts';
import { createRemoteDrags, createFollower } from './together.ts';

/** Shows the others what one does here, and does here what they show: their dragging, and everything of who is followed. */
export const useTogether = (scope: MapScope, flow: Flow): { readonly showPointer: (at: Point | null) => void } => {
  const { together } = useScope();
  const { screenToFlowPosition } = useReactFlow();
  useShowing();
  useCarrying(flow);
  useFollowing(scope, flow);
  const showPointer = useCallback(
    (at: Point | null) => together.show({ pointer: at === null ? null : screenToFlowPosition(at) }),
    [together, screenToFlowPosition],
  );
  return { showPointer };
};

const consolesOf = ({ panels, active }: Workbench): string[] =>
  panels
    .toSorted((a, b) => Number(keyOf(b) === active) - Number(keyOf(a) === active))
    .flatMap((panel) => (panel.kind === 'console' ? [panel.nodeId] : []));

const useShowing = (): void => {
  const { together, workbench } = useScope();
  const canvas = useStoreApi();
  useEffect(() => {
    const tell = (): void => {
      const { selected } = workbench.get();
      together.show({ selected: [...selected], consoles: consolesOf(workbench.get()) });
    };
    const tellView = (): void => {
      const { transform, width, height } = canvas.getState();
      const [x, y, zoom] = transform;
      if (width === 0 || height === 0) return;
      // Two who follow each other would go further and further away.
      const isLed = together.following.get() !== null;
      const seen = [-x, -y, width, height].map((length) => Math.round(length / zoom));
      const [left = 0, top = 0, wide = 1, high = 1] = seen;
      together.show({ view: isLed ? null : { x: left, y: top, width: wide, height: high } });
    };
    tell();
    tellView();
    const ends = [workbench.subscribe(tell), together.following.subscribe(tellView), canvas.subscribe(tellView)];
    return () => {
      for (const end of ends) end();
    };
  }, [together, workbench, canvas]);
};

const useCarrying = (flow: Flow): void => {
  const { together, lab } = useScope();
  const { isReadOnly } = useView();
  const held = useEffectEvent(
    () => new Set(flow.nodes.filter(({ dragging }) => dragging === true).map(({ id }) => id)),
  );
  const { place } = flow;
  useEffect(() => {
    // In the past everything is where it was.
    if (isReadOnly) return undefined;
    const carrying = createRemoteDrags({ place, held: () => held(), records: () => lab.state.get().records });
    const tell = (): void => carrying.take(together.others.get());
    const end = together.others.subscribe(tell);
    tell();
    return () => {
      end();
      carrying.end();
    };
  }, [together, lab, place, isReadOnly]);
};

const useFollowing = (scope: MapScope, { choose }: Flow): void => {
  const { together, workbench, lab } = useScope();
  const { fitBounds } = useReactFlow();
  const { fitted } = scope;
  useEffect(() => {
    const follower = createFollower({
      see: (view) => {
        fitted.current = false;
        void fitBounds(view, { padding: 0 });
      },
      select: (ids) => choose((id) => ids.includes(id)),
      openConsoles: ([front, ...behind]) => {
        const { nodes } = lab.state.get().records;
        const known = [front, ...behind].filter((id) => id !== undefined && nodes.has(id));
        const panels = known.flatMap((nodeId) => (nodeId === undefined ? [] : [{ kind: 'console' as const, nodeId }]));
        workbench.update(openBehind(panels));
        const [first] = panels;
        if (first !== undefined) workbench.update((now) => ({ ...now, active: keyOf(first), isQuiet: true }));
      },
    });
    const tell = (): void => {
      const id = together.following.get();
      follower.take(together.others.get().find((other) => other.id === id) ?? null);
    };
    const ends = [together.following.subscribe(tell), together.others.subscribe(tell)];
    return () => {
      for (const end of ends) end();
    };
  }, [together, workbench, lab, fitBounds, choose, fitted]);
};
