import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { moveTo } from '../durable.ts';
import { messageOf } from '../errors.ts';
import type { SnapshotFields } from '../events/fields.ts';
import { ARCHIVE_LIMITS } from '../files/archive/limits.ts';
import { openArchive } from '../files/archive/read-archive.ts';
import type { ParsedProject } from '../files/parsed.ts';
import { ARCHIVED, projectParts, SNAPSHOTS } from '../files/project-parts.ts';
import { readLargeProjectFile } from '../files/read.ts';
import { prepareFrom } from '../files/snapshot-files.ts';
import type { StagedProject } from '../files/staged-project.ts';
import { removeTree } from '../files/tree.ts';
import { archivedSnapshots } from './archived-snapshots.ts';
import type { LabContext } from './context.ts';

export interface ImportedSnapshot {
  parsed: ParsedProject;
  snapshot: Omit<SnapshotFields, 'project_id'>;
}

/** Snapshots that an archive may bring. */
const MOST = 100;

/**
 * The snapshots that came with an archive, oldest first, each an archive itself. One that cannot be read is left out with a warning: the
 * lab is there without it. `settle` gives a lab its ids.
 */
export const importSnapshots = async (
  context: LabContext,
  staged: StagedProject,
  settle: (parsed: ParsedProject, directory: string) => Promise<ParsedProject>,
): Promise<{ snapshots: ImportedSnapshot[]; warnings: string[] }> => {
  const aside = path.join(staged.scratch, SNAPSHOTS);
  const found = await archivedSnapshots(staged.directory);
  const warnings: string[] = [];
  const snapshots: ImportedSnapshot[] = [];
  if (found.length === 0) {
    await removeTree(path.join(staged.directory, SNAPSHOTS));
    return { snapshots, warnings };
  }
  await moveTo(path.join(staged.directory, SNAPSHOTS), aside);
  const names = new Set<string>();
  // Together they may unpack to what one archive may.
  let left = ARCHIVE_LIMITS.free;
  for (const { file, name: wished, created_at } of found.slice(0, MOST)) {
    const name = names.has(wished) ? `${wished}-${names.size}` : wished;
    names.add(name);
    try {
      const one = await unpackOne(context, staged, path.join(aside, path.basename(file)), left, settle);
      left -= one.bytes;
      const time = created_at ?? Math.floor(Date.now() / 1000);
      snapshots.push({ parsed: one.parsed, snapshot: { ...one.files, name, created_at: time } });
    } catch (error) {
      warnings.push(`snapshot ${name} was left out: ${messageOf(error)}`);
    }
  }
  if (found.length > MOST) warnings.push(`${found.length - MOST} snapshots were left out: ${MOST} are the most`);
  await removeTree(aside);
  snapshots.sort((a, b) => a.snapshot.created_at - b.snapshot.created_at);
  return { snapshots, warnings };
};

const unpackOne = async (
  context: LabContext,
  staged: StagedProject,
  file: string,
  left: number,
  settle: (parsed: ParsedProject, directory: string) => Promise<ParsedProject>,
): Promise<{
  parsed: ParsedProject;
  files: Pick<SnapshotFields, 'snapshot_id' | 'files' | 'bytes' | 'manifest_sha256'>;
  bytes: number;
}> => {
  const snapshot_id = randomUUID();
  const directory = path.join(staged.scratch, snapshot_id);
  const archive = await openArchive(file, { ...ARCHIVE_LIMITS, bytes: Math.max(0, left) });
  try {
    const found = await readLargeProjectFile(await archive.text(ARCHIVED), context.kinds);
    await archive.unpack(directory);
    const parsed = await settle(found, directory);
    const target = path.join(staged.directory, SNAPSHOTS, snapshot_id);
    const files = await prepareFrom(directory, await projectParts(directory, true), target, snapshot_id);
    return { parsed, files: { snapshot_id, ...files }, bytes: archive.bytes };
  } finally {
    archive.close();
    await removeTree(directory);
  }
};
