import { messageOf } from '../errors.ts';
import type { AnyFact } from '../events/facts.ts';
import { readTexts } from '../events/read.ts';
import { imageFolder } from '../files/images.ts';
import { sweepProject } from '../files/left-overs.ts';
import { isOwnDirectory } from '../files/project-parts.ts';
import { sweepStaging } from '../files/staged-project.ts';
import { discardUpload, leftUploads, placeUpload, type UploadPlan } from '../files/uploads.ts';
import type { ProjectRecord } from '../projections/records.ts';
import type { LabContext } from './context.ts';

/**
 * At the start, before anything else touches a file: what was half done when the server ended is finished where its fact is on disk, and
 * taken away where it is not. What cannot be is reported.
 */
export const sweepFiles = async (context: LabContext): Promise<void> => {
  const projects = context.committed.projects();
  const report = (error: unknown): void => context.report(`files of an unfinished request: ${messageOf(error)}`);
  await sweepStaging(context.settings.dataDir, projects).catch(report);
  for (const project of projects) await sweepOne(context, project).catch(report);
  for (const { images } of context.kinds.all())
    if (images !== undefined)
      await sweepUploads(context, null, imageFolder(context.settings.dataDir, images.folder)).catch(report);
};

const sweepOne = async (context: LabContext, project: ProjectRecord): Promise<void> => {
  const snapshots = context.committed.ofProject('snapshot', project.project_id);
  await sweepProject(project.path, {
    snapshots: new Set(snapshots.map(({ snapshot_id }) => snapshot_id)),
    staged: project.restore?.staged ?? null,
    own: isOwnDirectory(context.settings.dataDir, project),
  });
  await sweepUploads(context, project.project_id, project.path);
};

/** `projectId` null: those of images. */
const sweepUploads = async (context: LabContext, projectId: string | null, place: string): Promise<void> => {
  for (const { id, plan } of await leftUploads(place))
    if (plan !== null && (await isOnRecord(context, projectId, plan))) await placeUpload(place, id);
    else await discardUpload(place, id);
};

const PAGE = 1000;

const isOnRecord = async ({ log }: LabContext, projectId: string | null, plan: UploadPlan): Promise<boolean> => {
  for (let from = plan.version + 1; ; from += PAGE) {
    const texts = await readTexts(log.store, projectId, { from, limit: PAGE });
    const facts = texts.map((text) => JSON.parse(text) as AnyFact);
    if (facts.some((f) => isUpload(f) && f.data.upload === plan.upload)) return true;
    if (texts.length < PAGE) return false;
  }
};

const isUpload = (f: AnyFact) => f.type === 'file.written' || f.type === 'image.uploaded';
