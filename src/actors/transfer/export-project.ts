import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { conflict } from '../../common/errors.ts';
import { findImage, imagePlacesOf } from '../../emulators/shared/images/image-files.ts';
import type { LinkFields, NodeFields } from '../../events/fields.ts';
import { safeName, safeTarget } from '../../files/archive/entry-names.ts';
import { type ArchiveItem, writeArchive } from '../../files/archive/write-archive.ts';
import { isBag, without } from '../../files/fields/json.ts';
import { ARCHIVED, isOwnDirectory, projectParts } from '../../files/project/parts.ts';
import { snapshotFiles } from '../../files/project/snapshot-files.ts';
import { isThere, sizeBelow, type TreeEntry, walk } from '../../files/project/tree.ts';
import { NEWEST, REVISION } from '../../files/read/convert.ts';
import { revisionOf } from '../../files/write/as-read.ts';
import { forTools, namingComputes } from '../../files/write/for-tools.ts';
import { ownFileOf, ownText } from '../../files/write/own-file.ts';
import { writeLargeProjectFile } from '../../files/write/write.ts';
import type { ProjectRecord, RecordView, SnapshotRecord } from '../../projections/records.ts';
import { type LabContext, projectOf, warn } from '../context.ts';
import { withoutAdapterMacs, withoutMacs } from '../node/mac-addresses.ts';
import { refuseRunning } from '../node/running-nodes.ts';
import { plainName } from '../project/names.ts';
import type { ExportedProject, ExportOptions } from './interface.ts';
import { ShownFiles } from './shown-files.ts';

/** A portable archive as existing tools write and read it: project.gns3, the project's files, images and snapshots when asked for. */
export const exportProject = async (
  context: LabContext,
  projectId: string,
  options: ExportOptions,
): Promise<ExportedProject> => {
  const { committed } = context;
  projectOf(committed, projectId);
  // Waits until files whose events are on record are in their places.
  await context.placing.settled(projectId);
  const project = projectOf(committed, projectId);
  // A server that only reads cannot stop them: it gives what there is.
  if (context.log.writable) refuseRunning(context, projectId, 'be exported');
  const fixed = committed
    .ofProject('node', projectId)
    .filter(({ kind }) => context.kinds.get(kind)?.capabilities.portable === false);
  if (fixed.length > 0) {
    const names = fixed.map(({ name }) => name).join(', ');
    throw conflict(`an archive cannot have ${names}: what such a node is lies outside the server`);
  }
  if (options.revision === NEWEST && revisionOf(project) !== NEWEST)
    throw conflict(`${project.name} is of revision ${REVISION}, which GNS3 3.x reads as well; leave revision out`, {
      field: 'revision',
    });
  const exporting = { context, project, options };
  const texts = await projectTexts(exporting, committed);
  const images = options.include_images === true ? await imagesOf(exporting) : [];
  const snapshots = options.include_snapshots === true ? committed.ofProject('snapshot', projectId) : [];
  // Another server may have stored more.
  if (!context.log.writable) await context.secrets.refresh();
  const files = new ShownFiles(context, project);
  const items = itemsOf({ ...exporting, files }, texts, images, snapshots);
  const work = context.jobs.begin(projectId, 'export', await octetsOf(exporting, images));
  const content = writeArchive(items, { compress: options.compress === true, onOctets: work.add });
  content.once('close', work.end);
  const { leftOut } = texts;
  if (leftOut.length > 0)
    warn(context, projectId, `the archive for servers of the line 2.2 is without ${leftOut.join('; ')}`);
  const secrets = await files.leftOut();
  if (secrets.length > 0)
    warn(context, projectId, `an archive has *** in the place of ${secrets.join('; ')}`, { settled: true });
  return { name: plainName(project.name), content, leftOut: [...leftOut, ...secrets] };
};

/** What goes in, as far as it is known before; snapshots are made on the way. */
const octetsOf = async ({ context, project }: Exporting, images: readonly ImageItem[]): Promise<number> => {
  const parts = await projectParts(project.path, isOwnDirectory(context.settings.filesDir, project));
  const sizes = await Promise.all(images.map(async ({ file }) => (await stat(file).catch(() => null))?.size ?? 0));
  const own = await sizeBelow(
    project.path,
    parts.filter((part) => part !== 'images'),
  );
  return sizes.reduce((sum, size) => sum + size, own);
};

interface Exporting {
  context: LabContext;
  project: ProjectRecord;
  options: ExportOptions;
}

interface ExportingFiles extends Exporting {
  files: ShownFiles;
}

interface ProjectTexts {
  text: string;
  /** Of the file beside; null: there is none. */
  own: string | null;
  leftOut: string[];
}

function* textItems({ text, own }: Omit<ProjectTexts, 'leftOut'>): Generator<ArchiveItem> {
  yield { name: ARCHIVED, text };
  if (own !== null) yield { name: ownFileOf(ARCHIVED), text: own };
}

/** The project file of these records, without what only this machine knows. */
const projectTexts = async ({ context, project, options }: Exporting, view: RecordView): Promise<ProjectTexts> => {
  const { topology } = project.extra;
  const kept =
    isBag(topology) && options.keep_compute_ids !== true ? { topology: without(topology, ['computes']) } : {};
  const nodes: NodeFields[] = [];
  for (const node of view.ofProject('node', project.project_id))
    nodes.push(await portable({ context, project, options }, node));
  const links: readonly LinkFields[] = view.ofProject('link', project.project_id);
  const computes = context.committed.ofServer('compute');
  const of = {
    project: namingComputes({ ...project, extra: { ...project.extra, ...kept } }, nodes, computes),
    ...{ nodes, links, drawings: view.ofProject('drawing', project.project_id) },
  };
  const lab = options.revision === REVISION ? forTools(of, context.kinds) : { ...of, told: [] };
  const text = await writeLargeProjectFile(lab.project, lab.nodes, lab.links, lab.drawings, context.kinds);
  return { text, own: ownText(project, nodes, links, context.kinds), leftOut: lab.told };
};

const portable = async ({ context, project, options }: Exporting, node: NodeFields): Promise<NodeFields> => {
  const properties = { ...node.properties };
  for (const field of context.kinds.get(node.kind)?.images?.fields ?? []) {
    const value = properties[field];
    // What lies in the project goes with it as it is named there.
    const inside =
      typeof value === 'string' && !path.isAbsolute(value) && (await isThere(path.join(project.path, value)));
    if (typeof value === 'string' && !inside) properties[field] = path.basename(value);
  }
  const reset = options.reset_mac_addresses === true;
  return {
    ...node,
    compute_id: options.keep_compute_ids === true ? node.compute_id : context.settings.computeId,
    properties: reset ? withoutMacs(properties) : properties,
    custom_adapters: reset ? withoutAdapterMacs(node.custom_adapters) : node.custom_adapters,
  };
};

interface ImageItem {
  name: string;
  file: string;
}

const imagesOf = async ({ context, project }: Exporting): Promise<ImageItem[]> => {
  const found = new Map<string, ImageItem>();
  for (const node of context.committed.ofProject('node', project.project_id)) {
    const images = context.kinds.get(node.kind)?.images;
    for (const field of images?.fields ?? []) {
      const value = node.properties[field];
      if (images === undefined || typeof value !== 'string' || value === '') continue;
      const file = await findImage(field, value, imagePlacesOf(context.settings, images.folder, node.node_directory));
      const name = `images/${images.folder}/${path.basename(value)}`;
      if (!file.startsWith(project.path + path.sep)) found.set(name, { name, file });
    }
  }
  return [...found.values()];
};

async function* itemsOf(
  exporting: ExportingFiles,
  texts: ProjectTexts,
  images: readonly ImageItem[],
  snapshots: readonly SnapshotRecord[],
): AsyncGenerator<ArchiveItem> {
  const { context, project } = exporting;
  yield* textItems(texts);
  for (const part of await projectParts(project.path, isOwnDirectory(context.settings.filesDir, project)))
    if (part !== 'images')
      for await (const entry of walk(project.path, part))
        for (const item of itemOf(entry, project.path, true)) yield await exporting.files.item(item, project.path);
  yield* images;
  for (const snapshot of snapshots)
    yield { name: `snapshots/${snapshotFileName(snapshot)}`, stream: () => snapshotArchive(exporting, snapshot) };
  const list = snapshots.map((s) => ({ ...snapshotHead(s), filename: snapshotFileName(s) }));
  if (list.length > 0) yield { name: 'snapshots/snapshots.conf', text: `${JSON.stringify(list, null, 4)}\n` };
}

const snapshotHead = ({ snapshot_id, project_id, name, created_at }: SnapshotRecord) => ({
  ...{ snapshot_id, project_id, name, created_at },
});

/** Two names may be one once they are file names. */
const snapshotFileName = ({ name, snapshot_id }: SnapshotRecord): string =>
  `${plainName(name)}_${snapshot_id.slice(0, 8)}.gns3snapshot`;

/** A snapshot is an archive itself: its own project file and files. */
const snapshotArchive = async (exporting: ExportingFiles, snapshot: SnapshotRecord): Promise<Readable> => {
  const { context, project } = exporting;
  const view = await context.moments.at(project.project_id, snapshot.created);
  const then = view.get('project', project.project_id) ?? project;
  const texts = await projectTexts({ ...exporting, project: { ...then, path: project.path } }, view);
  return writeArchive(snapshotItems(exporting, snapshot.snapshot_id, texts), { compress: false });
};

async function* snapshotItems(
  { project: { path: place }, files }: ExportingFiles,
  id: string,
  texts: ProjectTexts,
): AsyncGenerator<ArchiveItem> {
  yield* textItems(texts);
  const { root, parts } = await snapshotFiles(place, id);
  for (const part of parts)
    for await (const entry of walk(root, part))
      for (const item of itemOf(entry, root, false)) yield await files.item(item, root);
}

const LOGS = /(_log\.txt|\.log|(^|\/)\.DS_Store)$/;

/** Nothing of what no import would take. */
function* itemOf(entry: TreeEntry, root: string, skipLogs: boolean): Generator<ArchiveItem> {
  const { path: name } = entry;
  if (!isSafe(() => safeName(name)) || (skipLogs && entry.type === 'file' && LOGS.test(name))) return;
  if (entry.type === 'directory') yield { name, directory: true };
  if (entry.type === 'file') yield { name, file: path.join(root, name), mayGo: true };
  if (entry.type === 'link' && isSafe(() => safeTarget(name, entry.target))) yield { name, link: entry.target };
}

const isSafe = (check: () => unknown): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};
