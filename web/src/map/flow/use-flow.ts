import { applyEdgeChanges, applyNodeChanges, type OnEdgesChange, type OnNodesChange } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useView, type View } from '../../app/lab-context.tsx';
import type { Place } from '../actions/arrange.ts';
import { type MapEdge, type MapNode, mergeEdges, mergeNodes, resetNodes } from './flow.ts';

export interface Flow {
  readonly nodes: MapNode[];
  readonly edges: MapEdge[];
  readonly onNodesChange: OnNodesChange<MapNode>;
  readonly onEdgesChange: OnEdgesChange<MapEdge>;
  /** Everything where its record says. */
  readonly reset: () => void;
  /** Puts things elsewhere on the screen only. */
  readonly place: (places: readonly Place[]) => void;
  /** Chooses exactly these. */
  readonly choose: (isChosen: (id: string) => boolean) => void;
}

/** The map's nodes and links: those of the view, with what the hand does to them at the moment. */
export const useFlow = (): Flow => {
  const view = useView();
  const { records, marks, isReadOnly } = view;
  const latest = useRef<View>(view);
  const [nodes, setNodes] = useState(() => mergeNodes([], records, marks, isReadOnly));
  const [edges, setEdges] = useState(() => mergeEdges([], records, marks));
  useEffect(() => {
    latest.current = { records, marks, isReadOnly, past: null };
    setNodes((before) => mergeNodes(before, records, marks, isReadOnly));
    setEdges((before) => mergeEdges(before, records, marks));
  }, [records, marks, isReadOnly]);
  const onNodesChange = useCallback<OnNodesChange<MapNode>>(
    (changes) => setNodes((before) => applyNodeChanges(changes, before)),
    [],
  );
  const onEdgesChange = useCallback<OnEdgesChange<MapEdge>>(
    (changes) => setEdges((before) => applyEdgeChanges(changes, before)),
    [],
  );
  const reset = useCallback(() => {
    const now = latest.current;
    setNodes((before) => resetNodes(before, now.records, now.marks, now.isReadOnly));
  }, []);
  const place = useCallback((places: readonly Place[]) => {
    const wanted = new Map(places.map((one) => [one.id, one]));
    setNodes((before) =>
      before.map((node) => {
        const to = wanted.get(node.id);
        return to === undefined ? node : { ...node, position: { x: to.x, y: to.y } };
      }),
    );
  }, []);
  const choose = useCallback((isChosen: (id: string) => boolean) => {
    setNodes((before) => before.map((node) => withChoice(node, isChosen(node.id))));
    setEdges((before) => before.map((edge) => withChoice(edge, isChosen(edge.id))));
  }, []);
  return { nodes, edges, onNodesChange, onEdgesChange, reset, place, choose };
};

const withChoice = <T extends { selected?: boolean }>(one: T, selected: boolean): T =>
  (one.selected ?? false) === selected ? one : { ...one, selected };
