import type { Steps } from '../../common/slices.ts';

interface Placed {
  name: string;
  x?: number;
  y?: number;
}
interface Place {
  x: number;
  y: number;
}

/** Distance between the centres of two nodes. Scene units. */
const STEP = 150;
/** Nodes per row where links do not determine the place. */
const ROW = 8;

/**
 * Places of the nodes without one. If no node has a place, they are laid out in rows, beginning with the node with
 * the most links; otherwise they are put in rows below the others, and nothing is moved. Deterministic.
 */
export function* tidyPlaces(
  nodes: readonly Placed[],
  links: readonly (readonly [string, string])[],
): Steps<Map<string, Place>> {
  const placed = nodes.flatMap(({ x, y }) => (x === undefined || y === undefined ? [] : [{ x, y }]));
  const waiting = nodes.filter(({ x, y }) => x === undefined || y === undefined).map(({ name }) => name);
  const rows = placed.length === 0 ? yield* rowsOf(waiting, links) : inRows(waiting);
  const top = placed.length === 0 ? 0 : Math.max(...placed.map(({ y }) => y)) + STEP;
  const middle =
    placed.length === 0 ? 0 : (Math.min(...placed.map(({ x }) => x)) + Math.max(...placed.map(({ x }) => x))) / 2;
  const height = placed.length === 0 ? ((rows.length - 1) * STEP) / 2 : 0;
  const places = new Map<string, Place>();
  for (const [r, row] of rows.entries()) {
    for (const [i, name] of row.entries())
      places.set(name, {
        x: Math.round(middle + (i - (row.length - 1) / 2) * STEP),
        y: Math.round(top + r * STEP - height),
      });
    yield;
  }
  return places;
}

const inRows = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / ROW) }, (_, r) => names.slice(r * ROW, (r + 1) * ROW));

/** Breadth first; each row is in the order of its neighbours above. */
function* rowsOf(names: readonly string[], links: readonly (readonly [string, string])[]): Steps<string[][]> {
  const neighbours = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const [a, b] of links) {
    neighbours.get(a)?.push(b);
    neighbours.get(b)?.push(a);
    yield;
  }
  const left = new Set(names);
  const rows: string[][] = [];
  const alone = names.filter((name) => neighbours.get(name)?.length === 0);
  for (const name of alone) left.delete(name);
  const degree = (name: string): number => neighbours.get(name)?.length ?? 0;
  for (const root of [...left].toSorted((a, b) => degree(b) - degree(a))) {
    if (!left.delete(root)) continue;
    for (let row = [root]; row.length > 0;) {
      rows.push(row);
      const next = [...new Set(row.flatMap((name) => neighbours.get(name) ?? []))].filter((name) => left.has(name));
      for (const name of next) left.delete(name);
      row = next;
      yield;
    }
  }
  return [...rows, ...inRows(alone)];
}

/** Place of a new node: the first free one in rows from the upper left corner of the lab. */
export const freePlace = (nodes: readonly Place[]): Place => {
  const [left, top] = nodes.length === 0 ? [0, 0] : [minimum(nodes, 'x'), minimum(nodes, 'y')];
  const isFree = (place: Place): boolean =>
    nodes.every(({ x, y }) => Math.max(Math.abs(x - place.x), Math.abs(y - place.y)) > STEP / 2);
  for (let n = 0; ; n++) {
    const place = { x: left + (n % ROW) * STEP, y: top + Math.floor(n / ROW) * STEP };
    if (isFree(place)) return place;
  }
};

const minimum = (nodes: readonly Place[], axis: keyof Place): number => Math.min(...nodes.map((node) => node[axis]));
