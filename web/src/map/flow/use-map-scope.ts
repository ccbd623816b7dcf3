import type { Point } from '../actions/free-place.ts';
import { useReactFlow } from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { isNarrow } from '../../app/use-is-narrow.ts';
import { linkNodes } from '../actions/links.ts';
import { meaningOf, runShortcut } from '../map-keys.ts';
import { type Chosen, chosenOf } from '../actions/object-actions.ts';
import { createCopyPaste } from '../clipboard/copy-paste.ts';
import { nodeAt } from '../far/far-nodes.ts';
import { shownAs, withMemberIds } from '../groups/draw-groups.ts';
import { reveal } from '../layers/layers.ts';
import type { MapDialog, MapScope } from '../map-scope.ts';
import { fitting } from './fit.ts';
import type { MapEdge, MapNode } from './flow.ts';
import { createGathered, createMoving, type MapParts } from '../drag/moving.ts';
import type { Flow } from './use-flow.ts';

/** Pixels of the screen beside a node at which it is still meant. */
const SLACK = 3;

const focusOn = (id: string): void =>
  document.querySelector<HTMLElement>(`.react-flow [data-id="${CSS.escape(id)}"]`)?.focus();

/** Everything that can be done on the map, for its menus, its toolbar and its keys. The same object for as long as the view is alike. */
export const useMapScope = (flow: Flow, ask: (asked: MapDialog) => void): MapScope => {
  const { lab, workbench, frame, together } = useScope();
  const view = useView();
  const canvas = useReactFlow<MapNode, MapEdge>();
  const fitted = useRef(true);
  const pointer = useRef<Point | null>(null);
  const now = useRef({ flow, view });
  useEffect(() => {
    now.current = { flow, view };
  });
  const isReadOnly = view.isReadOnly;
  const isPast = view.past !== null;
  const [gathered] = useState(createGathered);
  return useMemo(
    () =>
      createMapScope({
        lab,
        workbench,
        frame,
        together,
        isReadOnly,
        isPast,
        ask,
        canvas,
        fitted,
        pointer,
        now,
        gathered,
      }),
    [gathered, lab, workbench, frame, together, isReadOnly, isPast, ask, canvas],
  );
};

const createMapScope = (on: MapParts): MapScope => {
  const { lab, workbench, frame, together, isReadOnly, isPast, ask, pointer } = on;
  const { toggle, ...choosing } = createChoosing(on);
  const { nudge, ...moving } = createMoving(on);
  const onFailed: MapScope['onFailed'] = (failed) => ask({ what: 'failed', failed });
  const plain = { lab, workbench, isReadOnly, isPast, ask, onFailed };
  const looking = createLooking(on);
  const scope: Omit<MapScope, 'press'> = {
    ...plain,
    ...looking,
    ...choosing,
    ...moving,
    ...createCopyPaste(on, choosing),
    pointer,
    together,
    openPalette: () => {
      // In a narrow window both lie over the map, one over the other.
      frame.update((now) => ({ ...now, hasPalette: true, hasLayers: now.hasLayers && !isNarrow() }));
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.palette [type=search]')?.focus());
    },
    openLayers: () => {
      frame.update((now) => ({ ...now, hasLayers: true, hasPalette: now.hasPalette && !isNarrow() }));
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.layers-panel .layer-name')?.focus());
    },
    link: (from, to, withPorts) => {
      const among = withMemberIds(on.now.current.flow.nodes, [to]).filter((id) => id !== to);
      if (among.length > 0) ask({ what: 'link', from, to: null, among });
      else if (withPorts) ask({ what: 'link', from, to });
      else void linkNodes(lab, chosenOf(on.now.current.view.records, [from, to]).nodes);
    },
  };
  const { chosen } = scope;
  const withFocus = (id: string | null): Chosen =>
    scope.chosenIds().length > 0 || id === null
      ? chosen()
      : chosenOf(on.now.current.view.records, withMemberIds(on.now.current.flow.nodes, [id]));
  /** The one that has the focus, whatever else is chosen. */
  const drawingAt = (id: string | null): Chosen => {
    const focused = chosenOf(on.now.current.view.records, id === null ? [] : [id]);
    return focused.drawings.length > 0 ? focused : chosen();
  };
  return {
    ...scope,
    press(event, focused) {
      const meaning = meaningOf(event);
      if (meaning === null) return false;
      if (meaning.do === 'move') nudge(meaning.dx, meaning.dy);
      else if (meaning.do === 'toggle') toggle(focused);
      else if (meaning.do === 'menu') scope.askMenu(focused, placeOf(focused));
      else runShortcut(scope, meaning.do, meaning.do === 'edit' ? drawingAt(focused) : withFocus(focused));
      return true;
    },
  };
};

type Choosing = Pick<
  MapScope,
  'chosenIds' | 'chosen' | 'chooseOne' | 'chooseIds' | 'chooseAll' | 'chooseNone' | 'askMenu' | 'askMapMenu'
>;

const createChoosing = ({ now, canvas, ask }: MapParts): Choosing & { toggle: (id: string | null) => void } => {
  const choose: Flow['choose'] = (isChosen) => now.current.flow.choose(isChosen);
  const chosenIds = (): string[] =>
    [...now.current.flow.nodes, ...now.current.flow.edges].filter(({ selected }) => selected).map(({ id }) => id);
  const toggle = (id: string | null): void => {
    if (id === null) return;
    const ids = new Set(chosenIds());
    const isOn = ids.has(id);
    for (const one of withMemberIds(now.current.flow.nodes, [id])) {
      if (isOn) ids.delete(one);
      else ids.add(one);
    }
    choose((one) => ids.has(one));
  };
  return {
    chosenIds,
    chooseOne: (id, isMore) => (isMore ? toggle(id) : choose((one) => one === id)),
    chosen: () => chosenOf(now.current.view.records, chosenIds()),
    chooseIds: (ids) => {
      const wanted = new Set(ids);
      choose((one) => wanted.has(one));
    },
    chooseAll: () => choose(() => true),
    chooseNone: () => choose(() => false),
    askMenu: (id, at) => {
      const isAmong = id === null || chosenIds().includes(id);
      if (!isAmong) choose((one) => one === id);
      ask({
        what: 'menu',
        ids: isAmong ? chosenIds() : withMemberIds(now.current.flow.nodes, [id]),
        at,
        place: canvas.screenToFlowPosition(at),
      });
    },
    askMapMenu: (at) => {
      choose(() => false);
      ask({ what: 'menu', ids: [], at, place: canvas.screenToFlowPosition(at) });
    },
    toggle,
  };
};

type Looking = Pick<
  MapScope,
  'fit' | 'fitted' | 'refit' | 'middle' | 'seen' | 'show' | 'zoom' | 'nodes' | 'place' | 'nodeUnder'
>;

/** Shows these as large as they fit. Not by the flow's own means: from far away it has but a few of a large lab. */
const fitTo = async (canvas: MapParts['canvas'], nodes: readonly MapNode[], duration = 0): Promise<void> => {
  const box = document.querySelector('.react-flow')?.getBoundingClientRect();
  const view = box === undefined || box.width === 0 ? null : fitting(nodes, box);
  if (view !== null) await canvas.setViewport(view, { duration });
};

const createLooking = ({ now, canvas, fitted, workbench }: MapParts): Looking => ({
  fitted,
  fit: () => {
    fitted.current = true;
    void fitTo(canvas, now.current.flow.nodes, 200);
  },
  refit: () => void fitTo(canvas, now.current.flow.nodes),
  nodes: () => now.current.flow.nodes,
  place: (places) => now.current.flow.place(places),
  nodeUnder: (at) => nodeAt(now.current.flow.nodes, canvas.screenToFlowPosition(at), SLACK / canvas.getZoom()),
  middle: () => canvas.screenToFlowPosition(placeOf(null)),
  seen: () => {
    const box = document.querySelector('.react-flow')?.getBoundingClientRect() ?? new DOMRect();
    const { x, y } = canvas.screenToFlowPosition({ x: box.left, y: box.top });
    const { zoom } = canvas.getViewport();
    return { x, y, width: box.width / zoom, height: box.height / zoom };
  },
  show: (wanted) => {
    fitted.current = false;
    reveal(workbench, now.current.view.records, wanted);
    const id = shownAs(now.current.flow.nodes, wanted);
    now.current.flow.choose((one) => one === id);
    const { nodes } = now.current.flow;
    void fitTo(
      canvas,
      nodes.filter((node) => node.id === id),
      200,
    ).then(() => focusOn(id));
  },
  zoom: (by) => {
    fitted.current = false;
    void (by === 'in' ? canvas.zoomIn() : canvas.zoomOut());
  },
});

/** Point of the screen: the middle of an object, or of the map. */
const placeOf = (id: string | null): Point => {
  const element = id === null ? null : document.querySelector(`.react-flow [data-id="${CSS.escape(id)}"]`);
  const box = (element ?? document.querySelector('.react-flow'))?.getBoundingClientRect();
  return box === undefined ? { x: 0, y: 0 } : { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};
