import type { Schemas } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import { attempt } from '../../store/notices.ts';
import type { Drawing, Link, Node, Project, Records } from '../../store/records.ts';
import { confirm } from '../../ui/confirm.tsx';
import { asEdit, type EditHeaders } from '../../undo/edits.ts';
import { t } from '../../words/words.ts';
import type { Place } from './arrange.ts';

type Step = Schemas['Batch']['steps'][number];
type Type = Step['type'];

/** The objects chosen on the map. */
export interface Chosen {
  readonly nodes: readonly Node[];
  readonly drawings: readonly Drawing[];
  readonly links: readonly Link[];
}

export const chosenOf = (records: Records, ids: Iterable<string>): Chosen => {
  const list = [...ids];
  const pick = <T>(part: ReadonlyMap<string, T>): T[] =>
    list.map((id) => part.get(id)).filter((one): one is T => one !== undefined);
  return { nodes: pick(records.nodes), drawings: pick(records.drawings), links: pick(records.links) };
};

const batch = (lab: Lab, steps: Step[]): Promise<boolean> =>
  attempt(() => asEdit(lab, (headers) => postBatch(lab, steps, headers)));

/** All of the steps or none, as a part of an edit. Throws what the server says. */
export const postBatch = ({ client, projectId }: Lab, steps: readonly Step[], headers: EditHeaders): Promise<unknown> =>
  client.post('/v2/projects/{project_id}/batch', {
    path: { project_id: projectId },
    body: { steps: [...steps] },
    headers,
  });

/** Deletes what is chosen, with the links of its nodes, all or nothing. */
export const deleteChosen = async (lab: Lab, { nodes, drawings, links }: Chosen): Promise<boolean> => {
  const gone = new Set(nodes.map(({ node_id }) => node_id));
  const all = new Map(links.map((link) => [link.link_id, link]));
  for (const link of lab.state.get().records.links.values())
    if (link.nodes.some(({ node_id }) => gone.has(node_id))) all.set(link.link_id, link);
  const parts = [
    ...(nodes.length === 0 ? [] : [t('{count, plural, one {# node} other {# nodes}}', { count: nodes.length })]),
    ...(all.size === 0 ? [] : [t('{count, plural, one {# link} other {# links}}', { count: all.size })]),
    ...(drawings.length === 0
      ? []
      : [t('{count, plural, one {# drawing} other {# drawings}}', { count: drawings.length })]),
  ];
  if (parts.length === 0) return false;
  const names = nodes.slice(0, 10).map(({ name }) => name);
  const isSure = await confirm({
    title: t('Delete {what}?', { what: parts.join(', ') }),
    text: [
      ...(names.length === 0 ? [] : [`${names.join(', ')}${nodes.length > names.length ? ', …' : '.'}`]),
      t('A node that runs has to be stopped first. The time line still shows what was deleted.'),
    ].join(' '),
    action: t('Delete'),
  });
  const remove = (type: Type, id: string): Step => ({ action: 'delete', type, id });
  return (
    isSure &&
    batch(lab, [
      ...[...all.keys()].map((id) => remove('link', id)),
      ...nodes.map(({ node_id }) => remove('node', node_id)),
      ...drawings.map(({ drawing_id }) => remove('drawing', drawing_id)),
    ])
  );
};

/** Keeps nodes and drawings from being moved, or lets them. */
export const lockAll = (
  lab: Lab,
  { nodes, drawings }: Pick<Chosen, 'nodes' | 'drawings'>,
  locked: boolean,
): Promise<boolean> => {
  const update = (type: Type, id: string): Step => ({ action: 'update', type, id, record: { locked } });
  const steps = [
    ...nodes.filter((node) => node.locked !== locked).map(({ node_id }) => update('node', node_id)),
    ...drawings.filter((drawing) => drawing.locked !== locked).map(({ drawing_id }) => update('drawing', drawing_id)),
  ];
  return steps.length === 0 ? Promise.resolve(true) : batch(lab, steps);
};

/** Layers that were asked for, for as long as the feed may not have told of them. */
const wishes = new WeakMap<Lab, Map<string, number>>();
const TOLD_MS = 1_000;

/** `by`: layers, up or down. Keys may follow each other faster than the feed. */
export const raise = async (lab: Lab, { nodes, drawings }: Chosen, by: number): Promise<void> => {
  const wished = wishes.get(lab) ?? new Map<string, number>();
  wishes.set(lab, wished);
  const all = [
    ...nodes.map(({ node_id: id, z }) => ({ type: 'node' as const, id, z: (wished.get(id) ?? z) + by })),
    ...drawings.map(({ drawing_id: id, z }) => ({ type: 'drawing' as const, id, z: (wished.get(id) ?? z) + by })),
  ];
  for (const { id, z } of all) wished.set(id, z);
  await batch(
    lab,
    all.map(({ type, id, z }) => ({ action: 'update', type, id, record: { z } })),
  );
  setTimeout(() => {
    for (const { id, z } of all) if (wished.get(id) === z) wished.delete(id);
  }, TOLD_MS);
};

export const suspendLinks = (lab: Lab, links: readonly Link[], suspend: boolean): Promise<boolean> =>
  batch(
    lab,
    links.map(({ link_id }) => ({ action: 'update', type: 'link', id: link_id, record: { suspend } })),
  );

/** The map's own settings, which everybody shares. */
export const setUpMap = (lab: Lab, settings: Partial<Pick<Project, 'show_grid' | 'snap_to_grid'>>): Promise<boolean> =>
  attempt(() =>
    asEdit(lab, (headers) =>
      lab.client.put('/v2/projects/{project_id}', {
        path: { project_id: lab.projectId },
        headers,
        body: settings,
      }),
    ),
  );

const placeOf = ({ nodes, drawings }: Records, id: string): { x: number; y: number } | undefined =>
  nodes.get(id) ?? drawings.get(id);

/** Only what is there and really goes elsewhere. */
const realMoves = (records: Records, places: readonly Place[]): Place[] =>
  places.flatMap(({ id, x, y }) => {
    const now = placeOf(records, id);
    const next = { id, x: Math.round(x), y: Math.round(y) };
    return now === undefined || (now.x === next.x && now.y === next.y) ? [] : [next];
  });

/** Puts things elsewhere, as a part of an edit. Throws what the server says; then nothing has moved. */
export const movePlaces = async (lab: Lab, places: readonly Place[], headers: EditHeaders): Promise<void> => {
  const { records } = lab.state.get();
  const steps = realMoves(records, places).map(({ id, x, y }) => ({
    action: 'update' as const,
    type: records.nodes.has(id) ? ('node' as const) : ('drawing' as const),
    id,
    record: { x, y },
  }));
  if (steps.length === 0) return;
  await postBatch(lab, steps, headers);
};
