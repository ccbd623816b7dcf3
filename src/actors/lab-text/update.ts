import { isDeepStrictEqual } from 'node:util';
import { inSlices, type Steps } from '../../common/slices.ts';
import { readLab, renameInLab, updateLab } from '../../files/lab/lab-texts.ts';
import type { Lab, LabInput, LabNode } from '../../files/lab/model.ts';
import type { Difference, Lessons } from '../../files/lab/yaml/edit.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord } from '../../projections/records.ts';
import { checkOf } from '../check/decide.ts';
import { type LabContext, projectOf } from '../context.ts';
import { entriesOf } from '../weather/entries.ts';
import { workFor } from './plan.ts';
import { labIn } from './show.ts';

/** A text with what the lab has instead of what it says; its comments and its order stay. */
export const updateText = async (context: LabContext, projectId: string, input: LabInput): Promise<string> => {
  const { committed } = context;
  const project = projectOf(committed, projectId);
  const lab = await labIn(context, projectId);
  const said = (await readLab('yaml', input)).lab.nodes;
  const text = await renameInLab(input.text, await inSlices(namesNow(context, said, lab.nodes)));
  const reading = await readLab('yaml', { ...input, text });
  const { changes } = await workFor(context, reading, project);
  const kept = await keptOf(context, project, reading.lab);
  const places = new Map(
    (['node', 'link', 'drawing'] as const).flatMap((collection) =>
      [...committed.ofProject(collection, projectId).entries()].map(
        ([place, record]) => [idOf(record), place] as const,
      ),
    ),
  );
  const placeOf = (id: string | null): number => places.get(id ?? '') ?? -1;
  const differences = changes.map(({ type, id, action, path, fields }): Difference => {
    const common = { action, path, fields };
    if (type === 'project') return { ...common, type, is: { ...lab.settings, ...lessonsIn(lab) }, kept };
    if (type === 'node') return { ...common, type, is: lab.nodes[placeOf(id)] ?? null };
    if (type === 'link') return { ...common, type, is: lab.links[placeOf(id)] ?? null };
    return { ...common, type, is: lab.drawings?.[placeOf(id)] ?? null };
  });
  return differences.length === 0 ? text : updateLab(text, differences);
};

const lessonsIn = ({ checks = [], stages = [], weather = [] }: Lab): Required<Lessons<unknown>> => ({
  checks,
  stages,
  weather,
});

const idOf = (record: NodeRecord | LinkRecord | DrawingRecord): string =>
  'kind' in record ? record.node_id : 'link_id' in record ? record.link_id : record.drawing_id;

/**
 * What nodes of a text are called now. `was` says it; a node that is not in the lab is the one that is not in the text, where both are
 * of one kind and at one place, or start with one text: a rename changes neither.
 */
function* namesNow(
  context: LabContext,
  said: readonly LabNode[],
  are: readonly LabNode[],
): Steps<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const [saidNames, areNames] = [said, are].map((nodes) => new Set(nodes.map(({ name }) => name)));
  const left = are.filter(({ name }) => saidNames?.has(name) !== true);
  for (const node of said) {
    if (areNames?.has(node.name) === true) continue;
    const was = left.findIndex(({ name }) => name === node.was);
    const found = was >= 0 ? was : left.findIndex((one) => isSame(context, node, one));
    const [now] = found < 0 ? [] : left.splice(found, 1);
    if (now !== undefined) names.set(node.name, now.name);
    yield;
  }
  return names;
}

const isSame = ({ kinds }: LabContext, said: LabNode, is: LabNode): boolean => {
  const isOfKind = said.kind === undefined ? said.template === is.template : kinds.get(said.kind)?.name === is.kind;
  const isThere = said.x !== undefined && said.x === is.x && said.y === is.y;
  const hasText = said.addresses !== undefined || said.startup !== undefined;
  const startsSo = hasText && isDeepStrictEqual([said.addresses, said.startup], [is.addresses, is.startup]);
  return isOfKind && (isThere || startsSo);
};

/** For each check, stage and entry of the weather that the lab has, its place in the text; null: the text does not say it. */
const keptOf = async (context: LabContext, project: ProjectRecord, lab: Lab): Promise<Lessons<number | null>> => {
  const { committed, kinds } = context;
  const { project_id: id, checks = [], stages = [], weather = [] } = project;
  const saidChecks = (lab.checks ?? []).map((form) => {
    try {
      return checkOf(context, committed, id, form);
    } catch {
      // It names what is not there any more.
      return null;
    }
  });
  const saidWeather = await Promise.all(
    (lab.weather ?? []).map((form) => entriesOf({ pending: committed, kinds }, id, [form], weather).catch(() => [])),
  );
  return {
    checks: placesOf(
      checks.map(({ check_id: _, ...check }) => check),
      saidChecks,
    ),
    stages: placesOf(stages, lab.stages ?? []),
    weather: placesOf(
      weather,
      saidWeather.map(([entry]) => entry),
    ),
  };
};

const placesOf = (are: readonly unknown[], said: readonly unknown[]): (number | null)[] => {
  const taken = new Set<number>();
  return are.map((one) => {
    const at = said.findIndex((other, place) => !taken.has(place) && isDeepStrictEqual(one, other));
    taken.add(at);
    return at < 0 ? null : at;
  });
};
