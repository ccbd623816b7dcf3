import { useCallback, useMemo, useRef } from 'react';
import { useView } from '../../app/lab-context.tsx';
import type { GroupFlowNode } from '../flow/flow.ts';
import type { Flow } from '../flow/use-flow.ts';
import { changesOfMembers, framesOf, linksTo, withFrames } from './draw-groups.ts';
import { groupsOf } from './groups.ts';

const NONE: readonly GroupFlowNode[] = [];

/** The map with its groups: a frame or a symbol is where its nodes are, and is selected when all of them are. */
export const useGroups = (flow: Flow): Flow => {
  const { records } = useView();
  const groups = groupsOf(records.project);
  const { nodes, edges, onNodesChange, choose } = flow;
  const last = useRef(NONE);
  const frames = useMemo(() => (groups.length === 0 ? NONE : framesOf(groups, nodes, last.current)), [groups, nodes]);
  last.current = frames;
  const shownNodes = useMemo(() => (frames.length === 0 ? nodes : withFrames(nodes, frames)), [nodes, frames]);
  const shownEdges = useMemo(() => (frames.length === 0 ? edges : linksTo(edges, frames)), [edges, frames]);
  const change = useCallback<Flow['onNodesChange']>(
    (changes) => onNodesChange(changesOfMembers(changes, last.current)),
    [onNodesChange],
  );
  const chooseAll = useCallback<Flow['choose']>(
    (isChosen) => {
      const of = last.current.filter(({ id }) => isChosen(id)).flatMap(({ data }) => data.members.map(({ id }) => id));
      const members = new Set(of);
      choose((id) => members.has(id) || isChosen(id));
    },
    [choose],
  );
  return { ...flow, nodes: shownNodes, edges: shownEdges, onNodesChange: change, choose: chooseAll };
};
