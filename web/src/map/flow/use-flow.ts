import { applyEdgeChanges, applyNodeChanges, type OnEdgesChange, type OnNodesChange } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import type { Records } from '../../store/records.ts';
import { select } from '../../store/workbench.ts';
import type { Place } from '../actions/arrange.ts';
import { type MapEdge, type MapNode, mergeEdges, mergeNodes, resetNodes, type Seen } from './flow.ts';

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

/** The map's nodes and links: those of the view, with what the hand does to them at the moment. `places`: names of other computes. */
export const useFlow = (places: NonNullable<Seen['places']>): Flow => {
  const { records, marks, isReadOnly } = useView();
  const { workbench } = useScope();
  const latest = useRef<Seen & { readonly records: Records }>({ records, marks, isReadOnly, places });
  const [nodes, setNodes] = useState(() => mergeNodes([], records, { marks, isReadOnly, places }));
  const [edges, setEdges] = useState(() => mergeEdges([], records, marks));
  useEffect(() => {
    const seen = { marks, isReadOnly, places };
    latest.current = { ...seen, records };
    setNodes((before) => mergeNodes(before, records, seen));
    setEdges((before) => mergeEdges(before, records, marks));
  }, [records, marks, isReadOnly, places]);
  useEffect(() => {
    workbench.update(select([...nodes, ...edges].filter(({ selected }) => selected).map(({ id }) => id)));
  }, [workbench, nodes, edges]);
  const onNodesChange = useCallback<OnNodesChange<MapNode>>(
    (changes) => setNodes((before) => applyNodeChanges(changes, before)),
    [],
  );
  const onEdgesChange = useCallback<OnEdgesChange<MapEdge>>(
    (changes) => setEdges((before) => applyEdgeChanges(changes, before)),
    [],
  );
  const reset = useCallback(() => {
    const { records: now, ...seen } = latest.current;
    setNodes((before) => resetNodes(before, now, seen));
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
