import { startUpOf } from '../../emulators/kit/text-files.ts';
import { hidden, mapTexts } from '../../common/lab-secrets/texts.ts';
import { inSlices } from '../../common/slices.ts';
import { writeLab } from '../../files/lab/lab-texts.ts';
import type { LabWriterName } from '../../files/lab/formats.ts';
import { labOf } from '../../files/lab/from-records.ts';
import type { Lab } from '../../files/lab/model.ts';
import type { NodeRecord, ProjectRecord } from '../../projections/records.ts';
import { type LabContext, projectOf } from '../context.ts';
import { textIn } from './nodes.ts';

/** A lab as it is now, as a text. What the format cannot say is in comments at its beginning. */
export const showLab = async (context: LabContext, projectId: string, format: LabWriterName): Promise<string> => {
  const { text, notes } = await writeLab(format, await labIn(context, projectId));
  return `${notes.map((note) => `# ${note}\n`).join('')}${text}`;
};

export const labIn = async (context: LabContext, projectId: string): Promise<Lab> => {
  const { committed, kinds, computes } = context;
  // Another server may have stored more.
  if (!context.log.writable) await context.secrets.refresh();
  const nodes = committed.ofProject('node', projectId).map(shownRecord);
  const texts = new Map(
    await Promise.all(nodes.map(async (node) => [node.node_id, await startUpIn(context, node)] as const)),
  );
  const records = {
    project: shownRecord(projectOf(committed, projectId)),
    nodes,
    links: committed.ofProject('link', projectId),
    drawings: committed.ofProject('drawing', projectId),
    kinds,
    template: (id: string) => committed.get('template', id),
    compute: (id: string) => (computes.isHere(id) ? undefined : (committed.get('compute', id)?.name ?? id)),
    startUp: ({ node_id }: Pick<NodeRecord, 'node_id'>) => texts.get(node_id) ?? '',
  };
  return inSlices(labOf(records));
};

const shownRecord = <R extends NodeRecord | ProjectRecord>(record: R): R => mapTexts(record, hidden);

/** The text that a node starts with: it is in a file of it. */
const startUpIn = async ({ kinds, secrets }: LabContext, node: NodeRecord): Promise<string> => {
  const kind = kinds.get(node.kind);
  const startUp = kind === undefined ? null : startUpOf(kind);
  if (kind === undefined || startUp === null) return '';
  const [file] = kind.files?.({ ...node.properties, [startUp.property]: '' }, node) ?? [];
  if (file === undefined) return '';
  return secrets.shown(node.project_id, await textIn(node.node_directory, file.name));
};
