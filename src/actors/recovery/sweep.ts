import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory, UNFINISHED } from '../../common/durable.ts';
import { messageOf, reporting } from '../../common/errors.ts';
import { lastWriter, readTexts, streamTexts } from '../../events/read.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { isUuid } from '../../files/fields/identity.ts';
import { imageFolder, placeImage } from '../../files/images.ts';
import { keepDeleted, restoreKept, sweepDeleted } from '../../files/project/deleted-nodes.ts';
import { fileBelow } from '../../files/project/files.ts';
import { nodeDirectories, sweepReplacements } from '../../files/project/node-directories.ts';
import { isOwnDirectory } from '../../files/project/parts.ts';
import { sweepStaging } from '../../files/project/staged-project.ts';
import { sweepProject } from '../../files/project/sweep.ts';
import { putAside, walk } from '../../files/project/tree.ts';
import { discardUpload, keptUpload, leftUploads, placeUpload, type UploadPlan } from '../../files/uploads.ts';
import { ownFileOf } from '../../files/write/own-file.ts';
import { settleProjectFile } from '../../files/write/save.ts';
import { filesWrittenBy } from '../../projections/logged-files.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';
import { removeDirectory } from '../project/directory.ts';
import { directoryOf } from '../project/place-file.ts';
import { settlePrepared } from '../setting-commands.ts';

/**
 * At the start, before anything else touches a file: what was half done when the server ended is finished where its event is on disk, and
 * taken away where it is not. Each by itself: what cannot be is put aside and reported.
 */
export const sweepFiles = async (context: LabContext): Promise<void> => {
  const projects = context.committed.projects();
  const report = reporting(context.logger, {}, 'files of an unfinished request');
  await settlePrepared(context).catch(report);
  await sweepStaging(context.settings.filesDir, projects, context.logger).catch(report);
  const last = await lastWriter(context.log.store);
  for (const project of projects.filter(({ created }) => created > last.position))
    await makeMissing(context, project).catch(report);
  for (const project of projects) await sweepOne(context, project).catch(report);
  // A clean end leaves none, and there may be thousands of directories.
  if (!last.ended) await removeUnfinishedOfNodes(context, projects).catch(report);
  await finishDeletions(context).catch(report);
  for (const { images } of context.kinds.all())
    if (images !== undefined) await sweepUploads(context, imagePlace(context, images.folder)).catch(report);
};

/** A new project whose server ended before its directory was made. One that is older has lost its files with its directory. */
const makeMissing = async ({ settings }: LabContext, project: ProjectRecord): Promise<void> => {
  if (isOwnDirectory(settings.filesDir, project)) await makeDirectory(project.path);
};

const sweepOne = async (context: LabContext, project: ProjectRecord): Promise<void> => {
  const snapshots = context.committed.ofProject('snapshot', project.project_id);
  const known = {
    snapshots: new Set(snapshots.map(({ snapshot_id }) => snapshot_id)),
    staged: project.restore?.staged ?? null,
    own: isOwnDirectory(context.settings.filesDir, project),
  };
  // First: an upload may belong into a directory that has to be put back.
  await sweepReplacements(project.path).catch(
    reporting(context.logger, { project_id: project.project_id }, `directories of nodes in ${project.path}`),
  );
  await sweepProject(project.path, known, context.logger);
  await sweepProjectFile(project).catch(
    reporting(context.logger, { project_id: project.project_id }, `the project file in ${project.path}`),
  );
  const directoryOf = (id: string): string | null => {
    const node = context.committed.get('node', id);
    return node?.project_id === project.project_id ? node.node_directory : null;
  };
  // Texts of a copied node come after the files of its original.
  await restoreKept(project.path, directoryOf);
  await sweepUploads(context, projectPlace(context, project));
  if (known.own) await finishNodeDeletions(context, project);
  await sweepDeleted(project.path, project.state !== 'closed', directoryOf);
};

/** Puts the project file that is on record in its place. The file beside it has no event, and is written again. */
const sweepProjectFile = async ({ path: directory, filename, file_sha256 }: ProjectRecord): Promise<void> => {
  const file = path.join(directory, filename);
  await settleProjectFile(file, file_sha256);
  await settleProjectFile(ownFileOf(file), null);
};

/** Directories of nodes whose deletion is on record and was cut off. Others that nobody knows stay. */
const finishNodeDeletions = async (
  { committed, log }: LabContext,
  { project_id, path: directory }: ProjectRecord,
): Promise<void> => {
  const unknown = await nodeDirectories(directory);
  for (const { node_id } of committed.ofProject('node', project_id)) unknown.delete(node_id);
  if (unknown.size === 0) return;
  for await (const text of streamTexts(log.store, project_id, 1)) {
    // Few are; the others need not be read.
    if (!text.includes('"node.deleted"')) continue;
    const event = JSON.parse(text) as AnyEvent;
    if (event.type !== 'node.deleted') continue;
    const { node_id } = event.data;
    const place = unknown.get(node_id);
    if (place !== undefined) await keepDeleted(directory, node_id, place);
  }
};

/** Events of a project that are read at a time to find its deletion. */
const LAST_EVENTS = 16;

/** Directories of projects whose deletion is on record and was cut off. Others that nobody knows stay. */
const finishDeletions = async (context: LabContext): Promise<void> => {
  const { committed, log, moments, settings } = context;
  const root = path.join(settings.filesDir, 'projects');
  for (const id of await readdir(root).catch(() => [])) {
    if (!isUuid(id) || committed.get('project', id) !== undefined || log.version(id) === 0) continue;
    const position = await deletionOf(context, id);
    const record = position === null ? undefined : (await moments.at(id, position - 1)).get('project', id);
    if (record !== undefined) await removeDirectory(context, record);
  }
};

/** Position of the last deletion of a project; null: there is none. In earlier logs, events may follow that changed nothing more. */
const deletionOf = async ({ log }: LabContext, id: string): Promise<number | null> => {
  for (let end = log.version(id); end > 0; end -= LAST_EVENTS) {
    const from = Math.max(1, end - LAST_EVENTS + 1);
    const texts = await readTexts(log.store, id, { from, limit: end - from + 1 });
    const text = texts.findLast((one) => one.includes('"project.deleted"'));
    if (text !== undefined) return (JSON.parse(text) as AnyEvent).position;
  }
  return null;
};

/** Files that were being written in directories of nodes when the server ended. Projects outside the data directory are left alone. */
const removeUnfinishedOfNodes = async ({ settings }: LabContext, projects: readonly ProjectRecord[]): Promise<void> => {
  for (const project of projects.filter((one) => isOwnDirectory(settings.filesDir, one)))
    for (const place of (await nodeDirectories(project.path)).values())
      for await (const entry of walk(place, '.'))
        if (entry.type === 'file' && entry.path.endsWith(UNFINISHED))
          await rm(path.join(place, entry.path), { force: true });
};

/** Where uploads wait, and what their events say of them. */
interface Place {
  directory: string;
  /** Stream of their events. */
  projectId: string | null;
  /** Files that an event has put content into; none where their owner is gone. */
  filesOf(event: AnyEvent): Promise<{ id: string; file: string }[]>;
  put(id: string, file: string, event: AnyEvent): Promise<void>;
}

const projectPlace = (context: LabContext, project: ProjectRecord): Place => {
  const { project_id, path: directory } = project;
  let there: Promise<Map<string, string>> | undefined;
  const ownOf = async (id: string): Promise<string | null> => {
    const node = context.committed.get('node', id);
    if (node?.project_id === project_id) return node.node_directory;
    return (await (there ??= nodeDirectories(directory))).get(id) ?? null;
  };
  return {
    directory,
    projectId: project_id,
    async filesOf(event) {
      const written = filesWrittenBy(event);
      if (written === null) return [];
      const { node_id } = written;
      const root = node_id === null ? directory : await directoryOf(context, project, node_id, await ownOf(node_id));
      if (root === null) return [];
      const found = written.files.map(async ({ path, upload: id }) => {
        const file = await fileBelow(root, path).catch(() => null);
        return file === null ? [] : [{ id, file }];
      });
      return (await Promise.all(found)).flat();
    },
    put: (id, file) => placeUpload(directory, id, file),
  };
};

const imagePlace = ({ kinds, settings }: LabContext, folder: string): Place => {
  const directory = imageFolder(settings.filesDir, folder);
  return {
    directory,
    projectId: null,
    async filesOf(event) {
      if (event.type !== 'image.uploaded' || kinds.get(event.data.kind)?.images?.folder !== folder) return [];
      const file = await fileBelow(directory, event.data.filename).catch(() => null);
      return file === null ? [] : [{ id: event.data.upload, file }];
    },
    put: (id, file, event) =>
      event.type === 'image.uploaded' ? placeImage(directory, id, file, event.data.md5sum) : Promise.resolve(),
  };
};

const sweepUploads = async (context: LabContext, place: Place): Promise<void> => {
  const { directory } = place;
  const waiting = new Map<string, UploadPlan>();
  for (const { id, plan } of await leftUploads(directory))
    if (plan === 'broken') await keep(context, place, id, 'its plan is damaged');
    else if (plan === null) await discardUpload(directory, id);
    else waiting.set(id, plan);
  if (waiting.size === 0) return;
  const from = 1 + Math.min(...[...waiting.values()].map(({ version }) => version));
  for (const { id, file, event } of await latest(context, place, from)) {
    const plan = waiting.get(id);
    if (plan === undefined) continue;
    waiting.delete(id);
    try {
      await place.put(id, file, event);
      // Else its node's compute gets it when it is connected.
      if (plan.node === undefined) await discardUpload(directory, id);
    } catch (error) {
      await keep(context, place, id, messageOf(error));
    }
  }
  // Never answered, or something newer has taken their places.
  for (const id of waiting.keys()) await discardUpload(directory, id);
};

const keep = async (context: LabContext, { directory }: Place, id: string, why: string): Promise<void> => {
  try {
    const kept = await putAside(keptUpload(directory, id));
    context.logger.warn(`an uploaded file could not take its place, and is kept in ${kept}: ${why}`);
  } catch (error) {
    context.logger.warn(`an uploaded file in ${keptUpload(directory, id)}: ${why}; ${messageOf(error)}`);
  }
};

interface Written {
  id: string;
  file: string;
  event: AnyEvent;
}

/** The uploads from a version on that nothing later has replaced, in the log's order. */
const latest = async ({ log }: LabContext, place: Place, first: number): Promise<Written[]> => {
  const found = new Map<string, Written>();
  for await (const text of streamTexts(log.store, place.projectId, first)) {
    const event = JSON.parse(text) as AnyEvent;
    // From then on all files are those of the snapshot.
    if (event.type === 'project.restored') found.clear();
    for (const { id, file } of await place.filesOf(event)) {
      // Behind those that were put in between.
      found.delete(file);
      found.set(file, { id, file, event });
    }
  }
  return [...found.values()];
};
