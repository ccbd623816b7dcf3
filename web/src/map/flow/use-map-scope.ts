import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { attempt, notify } from '../../store/notices.ts';
import { openPanel } from '../../store/workbench.ts';
import { arrange, type Box, type Place } from '../actions/arrange.ts';
import type { Asked } from '../actions/asked.ts';
import type { MapEdge, MapNode } from './flow.ts';
import { FIT } from './fit.ts';
import { type MapKey, meaningOf } from '../actions/map-keys.ts';
import { editDrawing, type MenuScope } from '../actions/menus.ts';
import { createMoves, type Moves } from '../actions/moves.ts';
import { actOn } from '../actions/node-actions.ts';
import { type Chosen, chosenOf, deleteChosen } from '../actions/object-actions.ts';
import type { Flow } from './use-flow.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface MapScope extends MenuScope {
  readonly moves: Moves;
  readonly chosenIds: () => string[];
  readonly chosen: () => Chosen;
  readonly move: (places: readonly Place[]) => void;
  readonly undo: () => void;
  /** A menu for what is chosen; an object that is not chosen is, alone, before. `at`: of the screen. */
  readonly askMenu: (id: string | null, at: Point) => void;
  /** Does what a key means, for the object that has the focus. Answers whether it means something. */
  readonly press: (event: Parameters<typeof meaningOf>[0], focused: string | null) => boolean;
  /** Goes to an object, chooses it and gives it the focus. */
  readonly show: (id: string) => void;
  /** The middle of what is seen of the map. */
  readonly middle: () => Point;
  readonly zoom: (by: 'in' | 'out') => void;
  readonly chooseNone: () => void;
  /** Whether everything is shown because nobody looks elsewhere. */
  readonly fitted: RefObject<boolean>;
  /** Shows everything at once. */
  readonly refit: () => void;
}

/** Keys that follow each other within this time are one move. Milliseconds. */
const GATHER_MS = 350;
const PAN_FACTOR = 4;

const focusOn = (id: string): void =>
  document.querySelector<HTMLElement>(`.react-flow [data-id="${CSS.escape(id)}"]`)?.focus();

/** Everything that can be done on the map, for its menus, its toolbar and its keys. The same object for as long as the view is alike. */
export const useMapScope = (flow: Flow, ask: (asked: Asked) => void): MapScope => {
  const { lab, workbench } = useScope();
  const view = useView();
  const canvas = useReactFlow<MapNode, MapEdge>();
  const fitted = useRef(true);
  const now = useRef({ flow, view });
  useEffect(() => {
    now.current = { flow, view };
  });
  const isReadOnly = view.isReadOnly;
  const isPast = view.past !== null;
  const kept = useMemo(() => {
    const moves = createMoves(lab.client, lab.projectId, () => lab.state.get().records);
    return { moves, gathered: createGathered() };
  }, [lab]);
  return useMemo((): MapScope => {
    const { moves, gathered } = kept;
    const chosenIds = (): string[] =>
      [...now.current.flow.nodes, ...now.current.flow.edges].filter(({ selected }) => selected).map(({ id }) => id);
    const chosen = (): Chosen => chosenOf(now.current.view.records, chosenIds());
    const fit = (): void => {
      fitted.current = true;
      void canvas.fitView({ ...FIT, duration: 200 });
    };
    const middle = (): Point => {
      const box = document.querySelector('.react-flow')?.getBoundingClientRect();
      const [x, y] = box === undefined ? [0, 0] : [box.left + box.width / 2, box.top + box.height / 2];
      return canvas.screenToFlowPosition({ x, y });
    };
    const move = (places: readonly Place[]): void => {
      if (isReadOnly) return;
      now.current.flow.place(places);
      void attempt(() => moves.move(places)).then((worked) => {
        if (!worked) now.current.flow.reset();
      });
    };
    const show = (id: string): void => {
      fitted.current = false;
      now.current.flow.choose((one) => one === id);
      void canvas.fitView({ ...FIT, nodes: [{ id }], duration: 200 }).then(() => focusOn(id));
    };
    const arrangeChosen: MenuScope['arrangeChosen'] = (arrangement) =>
      move(arrange(boxesOf(now.current.flow.nodes), arrangement));
    const askMenu = (id: string | null, at: Point): void => {
      const isAmong = id === null || chosenIds().includes(id);
      if (!isAmong) now.current.flow.choose((one) => one === id);
      ask({ what: 'menu', ids: isAmong ? chosenIds() : [id], at, place: canvas.screenToFlowPosition(at) });
    };
    const undo = (): void => {
      gathered.flush();
      void attempt(async () => {
        const count = await moves.undo();
        if (count === null) notify('info', 'There is no move to undo.');
        if (count === 0) notify('info', 'Not undone: somebody else has moved it since.');
      });
    };
    const nudge = (dx: number, dy: number): void => {
      const places = boxesOf(now.current.flow.nodes.filter(({ draggable }) => draggable !== false)).map(
        ({ id, x, y }) => ({ id, x: x + dx, y: y + dy }),
      );
      if (places.length > 0) {
        now.current.flow.place(places);
        gathered.put(places, move);
        return;
      }
      const { x, y, zoom } = canvas.getViewport();
      fitted.current = false;
      void canvas.setViewport({ x: x - dx * PAN_FACTOR, y: y - dy * PAN_FACTOR, zoom });
    };
    const toggle = (id: string | null): void => {
      if (id === null) return;
      const ids = new Set(chosenIds());
      if (!ids.delete(id)) ids.add(id);
      now.current.flow.choose((one) => ids.has(one));
    };
    const scope: Omit<MapScope, 'press'> = {
      lab,
      workbench,
      moves,
      isReadOnly,
      isPast,
      ask,
      fit,
      fitted,
      refit: () => void canvas.fitView(FIT),
      middle,
      move,
      show,
      arrangeChosen,
      askMenu,
      undo,
      chosenIds,
      chosen,
      chooseAll: () => now.current.flow.choose(() => true),
      chooseNone: () => now.current.flow.choose(() => false),
      zoom: (by) => {
        fitted.current = false;
        void (by === 'in' ? canvas.zoomIn() : canvas.zoomOut());
      },
      onFailed: (failed) => ask({ what: 'failed', failed }),
    };
    const withFocus = (id: string | null): Chosen =>
      chosenIds().length > 0 || id === null ? chosen() : chosenOf(now.current.view.records, [id]);
    /** The one that has the focus, whatever else is chosen. */
    const drawingAt = (id: string | null): Chosen => {
      const focused = chosenOf(now.current.view.records, id === null ? [] : [id]);
      return focused.drawings.length > 0 ? focused : chosen();
    };
    return {
      ...scope,
      press(event, focused) {
        const meaning = meaningOf(event);
        if (meaning === null) return false;
        if (meaning.do === 'move') nudge(meaning.dx, meaning.dy);
        else if (meaning.do === 'toggle') toggle(focused);
        else if (meaning.do === 'menu') askMenu(focused, placeOf(focused));
        else obey(scope, meaning.do, meaning.do === 'edit' ? drawingAt(focused) : withFocus(focused));
        return true;
      },
    };
  }, [kept, lab, workbench, isReadOnly, isPast, ask, canvas]);
};

type Plain = Exclude<MapKey['do'], 'move' | 'toggle' | 'menu'>;

const obey = (scope: Omit<MapScope, 'press'>, key: Plain, chosen: Chosen): void => {
  const { lab, workbench, isReadOnly, isPast, ask } = scope;
  const [first, second] = chosen.nodes;
  if (key === 'choose-all') scope.chooseAll();
  else if (key === 'fit') scope.fit();
  else if (key === 'larger' || key === 'smaller') scope.zoom(key === 'larger' ? 'in' : 'out');
  else if (key === 'find' || key === 'help') ask({ what: key });
  else if (key === 'choose-none') scope.chooseNone();
  else if (key === 'console') {
    if (!isPast && first !== undefined && first.console_type !== 'none')
      workbench.update(openPanel({ kind: 'console', nodeId: first.node_id }));
  } else if (isReadOnly) return;
  else if (key === 'undo') scope.undo();
  else if (key === 'add-node' || key === 'add-drawing') ask({ what: key, at: scope.middle() });
  else if (key === 'edit') editDrawing(scope, chosen);
  else if (key === 'link') ask({ what: 'link', from: first?.node_id ?? null, to: second?.node_id ?? null });
  else if (key === 'delete') void deleteChosen(lab, chosen);
  else if (chosen.nodes.length > 0) void actOn(scope, key, chosen.nodes);
};

/** Of what is chosen. */
const boxesOf = (nodes: readonly MapNode[]): Box[] =>
  nodes
    .filter(({ selected }) => selected)
    .map(({ id, position, width = 0, height = 0 }) => ({ id, ...position, width, height }));

/** Of the screen: the middle of an object, or of the map. */
const placeOf = (id: string | null): Point => {
  const element = id === null ? null : document.querySelector(`.react-flow [data-id="${CSS.escape(id)}"]`);
  const box = (element ?? document.querySelector('.react-flow'))?.getBoundingClientRect();
  return box === undefined ? { x: 0, y: 0 } : { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};

interface Gathered {
  put(places: readonly Place[], tell: (places: readonly Place[]) => void): void;
  /** Tells at once what waits. */
  flush(): void;
}

/** Places that come one after the other, told together. */
const createGathered = (): Gathered => {
  const waiting = new Map<string, Place>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flush = (): void => undefined;
  return {
    put(places, tell) {
      for (const place of places) waiting.set(place.id, place);
      clearTimeout(timer);
      flush = () => {
        clearTimeout(timer);
        const all = [...waiting.values()];
        waiting.clear();
        if (all.length > 0) tell(all);
      };
      timer = setTimeout(flush, GATHER_MS);
    },
    flush: () => flush(),
  };
};
