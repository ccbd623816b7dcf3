import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { moveTo } from '../../common/durable.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import { readBounded } from '../../common/file.ts';
import { asOneLine } from '../../common/forms/one-line.ts';
import { boundedJson, BOUNDS } from '../../common/json.ts';
import type { SnapshotFields } from '../../events/fields.ts';
import { ARCHIVE_LIMITS, checkLinks, openArchive } from '../../files/archive/read-archive.ts';
import { isBag } from '../../files/fields/json.ts';
import { ARCHIVED, projectParts, SNAPSHOTS } from '../../files/project/parts.ts';
import { prepareFrom } from '../../files/project/snapshot-files.ts';
import type { StagedProject } from '../../files/project/staged-project.ts';
import { isThere, removeTree } from '../../files/project/tree.ts';
import { oldSnapshots } from '../../files/read/old/node-files.ts';
import type { ParsedProject } from '../../files/read/parsed.ts';
import { readLargeProjectFile } from '../../files/read/read.ts';
import { loadProjectFile } from '../../files/write/save.ts';
import type { LabContext } from '../context.ts';

/** Files that are snapshots of existing tools' kind, with what their list says of each. */
const archivedSnapshots = async (
  directory: string,
): Promise<{ file: string; name: string; created_at: number | null }[]> => {
  const place = path.join(directory, SNAPSHOTS);
  const files = (await readdir(place).catch(() => [])).filter((n) => /\.gns3(snapshot|project)$/.test(n)).sort();
  const listed = await readList(path.join(place, 'snapshots.conf')).catch(() => []);
  const heads = (Array.isArray(listed) ? listed : []).filter(isBag);
  return files.map((name) => {
    const head = heads.find((h) => h['filename'] === name);
    const given = head?.['name'];
    const time = head?.['created_at'];
    return {
      file: path.join(place, name),
      name:
        typeof given === 'string' && given !== ''
          ? asOneLine(given).slice(0, LENGTHS.name)
          : name.replace(/\.gns3(snapshot|project)$/, ''),
      created_at: typeof time === 'number' && Number.isSafeInteger(Math.trunc(time)) ? Math.trunc(time) : null,
    };
  });
};

/** Bounds a list with room for some hundred snapshots. */
const readList = async (file: string): Promise<unknown> =>
  boundedJson((await readBounded(file, LENGTHS.content)).toString(), BOUNDS.besideIt);

export interface ImportedSnapshot {
  parsed: ParsedProject;
  snapshot: Omit<SnapshotFields, 'project_id'>;
}

/** Snapshots that an archive may bring. */
const MOST = 100;

type Settle = (parsed: ParsedProject, directory: string) => Promise<ParsedProject>;

/** One that came along. Makes its directory, and answers its project file and how many octets it has. */
interface Found {
  name: string;
  created_at: number | null;
  unpack(directory: string, left: number): Promise<{ parsed: ParsedProject; bytes: number }>;
}

/**
 * The snapshots that came with an archive, oldest first, each an archive itself or, of a program 1.x, a directory. One that cannot be read
 * is left out with a warning: the lab is there without it. `settle` gives a lab its ids.
 */
export const importSnapshots = async (
  context: LabContext,
  staged: StagedProject,
  project: ParsedProject,
  settle: Settle,
): Promise<{ snapshots: ImportedSnapshot[]; warnings: string[] }> => {
  const aside = path.join(staged.scratch, SNAPSHOTS);
  const found = [...(await trees(context, staged, project)), ...(await archives(context, staged, aside))];
  const warnings: string[] = [];
  const snapshots: ImportedSnapshot[] = [];
  const all = path.join(staged.directory, SNAPSHOTS);
  if (await isThere(all)) await moveTo(all, aside);
  const names = new Set<string>();
  // Together they may unpack to what one archive may.
  let left = ARCHIVE_LIMITS.free;
  for (const one of found.slice(0, MOST)) {
    const name = names.has(one.name) ? `${one.name}-${names.size}` : one.name;
    names.add(name);
    try {
      const { parsed, bytes, files } = await unpackOne(staged, one, left, settle);
      left -= bytes;
      const time = one.created_at ?? Math.floor(Date.now() / 1000);
      snapshots.push({ parsed, snapshot: { ...files, name, created_at: time } });
    } catch (error) {
      warnings.push(`snapshot ${name} was left out: ${messageOf(error)}`);
    }
  }
  if (found.length > MOST) warnings.push(`${found.length - MOST} snapshots were left out: ${MOST} are the most`);
  await removeTree(aside);
  snapshots.sort((a, b) => a.snapshot.created_at - b.snapshot.created_at);
  return { snapshots, warnings };
};

/** `aside`: where they will be. */
const archives = async (context: LabContext, staged: StagedProject, aside: string): Promise<Found[]> =>
  (await archivedSnapshots(staged.directory)).map(({ file, name, created_at }) => ({
    name,
    created_at,
    async unpack(directory, left) {
      const archive = await openArchive(path.join(aside, path.basename(file)), {
        ...ARCHIVE_LIMITS,
        bytes: Math.max(0, left),
      });
      try {
        const parsed = await readLargeProjectFile(await archive.text(ARCHIVED), context.kinds);
        await archive.unpack(directory);
        return { parsed, bytes: archive.bytes };
      } finally {
        archive.close();
      }
    },
  }));

/** Moved out of the way at once: what cannot be read is no part of the project. */
const trees = async (context: LabContext, staged: StagedProject, project: ParsedProject): Promise<Found[]> => {
  const found: Found[] = [];
  for (const place of await oldSnapshots(project, staged.directory)) {
    const aside = path.join(staged.scratch, `tree-${found.length}`);
    await moveTo(path.join(staged.directory, place), aside);
    const [, name = path.basename(place), date, time] = /^(.+)_(\d{6})_(\d{6})$/.exec(path.basename(place)) ?? [];
    found.push({
      name,
      created_at: timeOf(date, time),
      async unpack(directory) {
        await checkLinks(aside);
        const files = (await readdir(aside)).filter((file) => file.endsWith('.gns3'));
        const [file] = files;
        if (file === undefined || files.length > 1) throw conflict(`it has ${files.length} project files`);
        const { text } = await loadProjectFile(path.join(aside, file));
        const parsed = await readLargeProjectFile(text, context.kinds);
        await moveTo(aside, directory);
        // Its size was counted as that of the archive it came in.
        return { parsed, bytes: 0 };
      },
    });
  }
  return found;
};

/** Of `ddmmyy` and `HHMMSS`, in seconds since 1970; the author's time zone is not known. */
const timeOf = (date = '', time = ''): number | null => {
  const [day = 0, month = 0, year = 0] = (date.match(/../g) ?? []).map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = (time.match(/../g) ?? []).map(Number);
  return date === '' ? null : Math.floor(Date.UTC(2000 + year, month - 1, day, hours, minutes, seconds) / 1000);
};

const unpackOne = async (
  staged: StagedProject,
  one: Found,
  left: number,
  settle: Settle,
): Promise<{
  parsed: ParsedProject;
  files: Pick<SnapshotFields, 'snapshot_id' | 'files' | 'bytes' | 'manifest_sha256'>;
  bytes: number;
}> => {
  const snapshot_id = randomUUID();
  const directory = path.join(staged.scratch, snapshot_id);
  try {
    const { parsed: found, bytes } = await one.unpack(directory, left);
    const parsed = await settle(found, directory);
    const target = path.join(staged.directory, SNAPSHOTS, snapshot_id);
    const files = await prepareFrom(directory, await projectParts(directory, true), target, snapshot_id);
    return { parsed, files: { snapshot_id, ...files }, bytes };
  } finally {
    await removeTree(directory);
  }
};
