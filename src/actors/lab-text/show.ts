import { startUpOf } from '../../emulators/kit/text-files.ts';
import { LAB_FORMATS, type LabFormatName } from '../../files/lab/formats.ts';
import { labOf } from '../../files/lab/of-records.ts';
import type { Lab, LabInput } from '../../files/lab/model.ts';
import { type Difference, updateLabText } from '../../files/lab/yaml/update.ts';
import type { DrawingRecord, LinkRecord, NodeRecord } from '../../projections/records.ts';
import { type LabContext, projectOf } from '../context.ts';
import { textIn } from './nodes.ts';
import { workFor } from './plan.ts';

/** A lab as it is now, as a text. What the format cannot say is in comments at its beginning. */
export const showLab = async (context: LabContext, projectId: string, format: LabFormatName): Promise<string> => {
  const { text, notes } = LAB_FORMATS[format].write(await labIn(context, projectId));
  return `${notes.map((note) => `# ${note}\n`).join('')}${text}`;
};

/** A text with what the lab has instead of what it says; its comments and its order stay. */
export const updateText = async (context: LabContext, projectId: string, input: LabInput): Promise<string> => {
  const { committed } = context;
  const reading = LAB_FORMATS.yaml.read(input);
  const { changes } = await workFor(context, reading, projectOf(committed, projectId));
  const lab = await labIn(context, projectId);
  const placeOf = (collection: 'node' | 'link' | 'drawing', id: string | null): number =>
    committed.ofProject(collection, projectId).findIndex((record) => idOf(record) === id);
  const differences = changes.map(({ type, id, action, path, fields }): Difference => {
    const common = { action, path, fields };
    if (type === 'project')
      return { ...common, type, is: { ...lab.settings, checks: [], stages: [], weather: [], ...lessonsIn(lab) } };
    if (type === 'node') return { ...common, type, is: lab.nodes[placeOf(type, id)] ?? null };
    if (type === 'link') return { ...common, type, is: lab.links[placeOf(type, id)] ?? null };
    return { ...common, type, is: lab.drawings?.[placeOf(type, id)] ?? null };
  });
  return differences.length === 0 ? input.text : updateLabText(input.text, differences);
};

const lessonsIn = ({ checks, stages, weather }: Lab): object => ({
  ...(checks === undefined ? {} : { checks }),
  ...(stages === undefined ? {} : { stages }),
  ...(weather === undefined ? {} : { weather }),
});

const idOf = (record: NodeRecord | LinkRecord | DrawingRecord): string =>
  'kind' in record ? record.node_id : 'link_id' in record ? record.link_id : record.drawing_id;

const labIn = async (context: LabContext, projectId: string): Promise<Lab> => {
  const { committed, kinds, computes } = context;
  const nodes = committed.ofProject('node', projectId);
  const texts = new Map(
    await Promise.all(nodes.map(async (node) => [node.node_id, await startUpIn(context, node)] as const)),
  );
  return labOf({
    project: projectOf(committed, projectId),
    nodes,
    links: committed.ofProject('link', projectId),
    drawings: committed.ofProject('drawing', projectId),
    kinds,
    template: (id) => committed.get('template', id),
    compute: (id) => (computes.isHere(id) ? undefined : (committed.get('compute', id)?.name ?? id)),
    startUp: ({ node_id }) => texts.get(node_id) ?? '',
  });
};

/** The text that a node starts with: it is in a file of it. */
const startUpIn = async ({ kinds }: LabContext, node: NodeRecord): Promise<string> => {
  const kind = kinds.get(node.kind);
  const startUp = kind === undefined ? null : startUpOf(kind);
  if (kind === undefined || startUp === null) return '';
  const [file] = kind.files?.({ ...node.properties, [startUp.property]: '' }, node) ?? [];
  return file === undefined ? '' : textIn(node.node_directory, file.name);
};
