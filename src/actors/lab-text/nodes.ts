import type { LabSecrets } from '../../common/lab-secrets/store.ts';
import { eachInTurns, inSlices } from '../../common/slices.ts';
import type { Properties } from '../../emulators/kit/contract.ts';
import { openProjectFile } from '../../files/project/files.ts';
import { tidyPlaces } from '../../files/lab/layout.ts';
import { type LabLink, type LabNode, NODE_FIELDS, type ProblemAt } from '../../files/lab/model.ts';
import { asPlaced, AUTO } from '../compute/placing.ts';
import type { LabContext } from '../context.ts';
import type { NodeChanges, NodeInput } from '../node/interface.ts';
import { textsOf } from '../template/commands.ts';
import { nodeOfTemplate } from '../template/templates.ts';
import { atPlace, type ReadyTarget, type Target } from './targets.ts';

const fieldsOf = (said: LabNode): NodeChanges =>
  Object.fromEntries(NODE_FIELDS.flatMap((key) => (said[key] === undefined ? [] : [[key, said[key]]])));

/** What a node that is there gets; what it is already is among it. */
export const changesOf = ({ said, template, given }: Target): NodeChanges => ({
  ...fieldsOf(said),
  ...(said.x === undefined ? {} : { x: said.x }),
  ...(said.y === undefined ? {} : { y: said.y }),
  ...(template === null ? {} : { template_id: template.template_id }),
  ...(Object.keys(given).length === 0 ? {} : { properties: given }),
});

interface Lab {
  /** Where new nodes go; of one that is not there yet nothing else is known. */
  projectId: string;
  /** Compute of nodes that name none, if the text says one. */
  compute: string | undefined;
  links: readonly LabLink[];
  /** Kept where they are said to be, or were. */
  targets: readonly Target[];
}

/** Targets with what new ones are made from: their template, a tidy place, a compute. */
export const readyTargets = async (context: LabContext, lab: Lab, wrong: ProblemAt): Promise<ReadyTarget[]> => {
  const places = await inSlices(
    tidyPlaces(
      lab.targets.map(({ said, record }) => placed(said, record)),
      lab.links.map(({ ends: [a, b] }) => [a.node, b.node] as const),
    ),
  );
  return eachInTurns(lab.targets, async (target) => {
    if (target.record !== null) return { ...target, input: null };
    const { x, y } = { x: 0, y: 0, ...places.get(target.said.name), ...placed(target.said, null) };
    try {
      const input = await newInput(context, target, { x, y });
      const compute_id = input.compute_id ?? lab.compute;
      const wish = compute_id === undefined ? input : { ...input, compute_id };
      return { ...target, input: await asPlaced(context, lab.projectId, wish) };
    } catch (error) {
      throw atPlace(wrong, ['nodes', target.said.name], error);
    }
  });
};

const placed = ({ name, x, y }: LabNode, record: Target['record']): { name: string; x?: number; y?: number } => ({
  name,
  ...(record === null ? {} : { x: record.x, y: record.y }),
  ...(x === undefined || y === undefined ? {} : { x, y }),
});

const newInput = async (
  context: LabContext,
  { said, id, kind, template, compute, given }: Target,
  place: { x: number; y: number },
): Promise<NodeInput> => {
  const { name } = said;
  const own = { ...fieldsOf(said), node_id: id, ...(compute === undefined ? {} : { compute_id: compute }) };
  if (template === null) return { kind: kind.name, name, ...place, ...own, properties: given };
  const { texts } = await textsOf(context, kind.template.texts, template.settings);
  const base = nodeOfTemplate(kind, template, { ...place, name }, texts);
  return { ...base, ...own, properties: { ...base.properties, ...given } };
};

/** A node is to be somewhere else; `auto` leaves one where it is. */
export const isMoved = ({ record, compute }: Target): boolean =>
  record !== null && compute !== undefined && compute !== AUTO && compute !== record.compute_id;

/** The same targets without texts that their nodes have already: what such a text says is in a file alone. */
export const withoutKeptTexts = (
  { secrets }: Pick<LabContext, 'secrets'>,
  targets: readonly Target[],
): Promise<{ target: Target; texts: TextChange[]; files: TextChange[] }[]> =>
  eachInTurns(targets, (target) => withoutKept(secrets, target));

/** A text that becomes another one. `field`: of the text of the lab. */
export interface TextChange {
  field: string;
  /** Name below the node's directory. */
  file: string;
  from: string;
  to: string;
}

/** Secrets that the text shows as `***` stay what they are. */
const withoutKept = async (
  secrets: LabSecrets,
  target: Target,
): Promise<{ target: Target; texts: TextChange[]; files: TextChange[] }> => {
  const { record, kind, said, id } = target;
  const given = { ...target.given };
  const node = { node_id: id, name: said.name };
  const texts: TextChange[] = [];
  const files: TextChange[] = [];
  const kept = new Set<string>();
  const directory = record?.node_directory ?? null;
  for (const key of Object.keys(given)) {
    const [file] = kind.files?.({ ...record?.properties, [key]: given[key] }, node) ?? [];
    if (file === undefined || record === null) continue;
    const from = await textIn(directory, file.name);
    const { project_id } = record;
    given[key] = secrets.keptIn(project_id, String(given[key]), from);
    const to = secrets.plain(secrets.keptIn(project_id, file.content, from));
    if (from === to) kept.add(key);
    else
      texts.push({
        field: key,
        file: file.name,
        from: secrets.shown(project_id, from),
        to: secrets.shown(project_id, to),
      });
  }
  const left: Properties = Object.fromEntries(Object.entries(given).filter(([key]) => !kept.has(key)));
  for (const [name, to] of Object.entries(said.files ?? {})) {
    const file = kind.fileName?.(name, { node_id: id, properties: record?.properties ?? given }) ?? name;
    const from = await textIn(directory, file);
    const wished = record === null ? to : secrets.keptIn(record.project_id, to, from);
    if (from !== secrets.plain(wished))
      files.push({
        field: `files.${name}`,
        file: name,
        from: secrets.shown(record?.project_id ?? null, from),
        to: wished,
      });
  }
  return { target: { ...target, given: left }, texts, files };
};

/** Octets of a text that is compared; a longer one is another one. */
const MOST = 4 << 20;

/** Empty where there is none. */
export const textIn = async (directory: string | null, name: string): Promise<string> => {
  if (directory === null) return '';
  const parts: Buffer[] = [];
  let octets = 0;
  try {
    for await (const part of await openProjectFile(directory, name)) {
      parts.push(part as Buffer);
      if ((octets += (part as Buffer).length) > MOST) return '';
    }
  } catch {
    return '';
  }
  return Buffer.concat(parts).toString('utf8');
};
