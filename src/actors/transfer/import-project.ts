import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { MOST_IMPORTED } from '../../common/bounds.ts';
import { needRoom } from '../../common/file.ts';
import { makeDirectory, moveTo } from '../../common/durable.ts';
import { conflict } from '../../common/errors.ts';
import type { ProjectFields } from '../../events/fields.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import { type Archive, checkLinks, openArchive } from '../../files/archive/read-archive.ts';
import { isBag, without } from '../../files/fields/json.ts';
import { readDrawingImages } from '../../files/project/drawing-images.ts';
import { receiveFile } from '../../files/project/files.ts';
import { ARCHIVED, SNAPSHOTS, STAGING } from '../../files/project/parts.ts';
import { type StagedProject, stageProject } from '../../files/project/staged-project.ts';
import { isThere, removeTree, sha256File, walk } from '../../files/project/tree.ts';
import { FORM_OF_TODAY } from '../../files/read/convert.ts';
import { gatherNodeFiles, withMissingFiles } from '../../files/read/old/node-files.ts';
import type { ParsedProject } from '../../files/read/parsed.ts';
import { readLargeProjectFile } from '../../files/read/read.ts';
import { newestAsRead } from '../../files/write/as-read.ts';
import { ownFileOf, withOwnFile } from '../../files/write/own-file.ts';
import { DEFAULT_SETTINGS } from '../../model/project.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller, Upload } from '../caller.ts';
import { draft, type LabContext, projectOf } from '../context.ts';
import { removeIfDeleted } from '../project/directory.ts';
import { knownVariables, withDifferences } from '../project/fields.ts';
import { type Content, contentEventsInSlices } from '../project/load.ts';
import { projectFileName, uniqueProjectName } from '../project/names.ts';
import { placeOf, refuseTaken } from '../project/place.ts';
import { takeBack } from '../runtime/outcomes.ts';
import { type ImportedSnapshot, importSnapshots } from '../snapshot/import-snapshots.ts';
import { withCopiedIds } from './copy-content.ts';
import type { ImportInput } from './interface.ts';

/** New names of images whose own were taken by other content: `<folder>/<name>` to the name. */
type NewNames = ReadonlyMap<string, string>;

/**
 * Images that came with an archive, to go among this server's. One that is there already stays as it is; a name that another
 * image has is made free by a number, and the nodes follow it.
 */
const importImages = async (
  { settings }: LabContext,
  staged: StagedProject,
  { revision }: ParsedProject,
): Promise<{ moves: { from: string; to: string }[]; names: NewNames }> => {
  const from = path.join(staged.directory, 'images');
  const held = path.join(staged.scratch, 'images');
  const moves: { from: string; to: string }[] = [];
  const names = new Map<string, string>();
  if (!(await isThere(from))) return { moves, names };
  await moveTo(from, held);
  // Pictures of drawings were there, too, when images had no folders.
  if (revision < FORM_OF_TODAY)
    for (const entry of await readdir(held, { withFileTypes: true }))
      if (entry.isFile()) {
        await makeDirectory(from);
        await moveTo(path.join(held, entry.name), path.join(from, entry.name));
      }
  for await (const entry of walk(staged.scratch, 'images')) {
    if (entry.type !== 'file') continue;
    const source = path.join(staged.scratch, entry.path);
    const name = await freeName(settings.filesDir, entry.path, source);
    if (name === null) continue;
    moves.push({ from: source, to: path.join(settings.filesDir, name) });
    const [, folder = ''] = entry.path.split('/');
    if (name !== entry.path) names.set(`${folder}/${path.basename(entry.path)}`, path.basename(name));
  }
  return { moves, names };
};

/** null: the very image is there. */
const freeName = async (filesDir: string, wished: string, source: string): Promise<string | null> => {
  const { dir, name, ext } = path.posix.parse(wished);
  let own: string | null = null;
  for (let n = 0; ; n++) {
    const candidate = n === 0 ? wished : `${dir}/${name}-${n}${ext}`;
    const place = path.join(filesDir, candidate);
    if (!(await isThere(place))) return candidate;
    own ??= await sha256File(source);
    if (n === 0 && (await sha256File(place).catch(() => null)) === own) return null;
  }
};

/** The nodes with the names that their images have here. */
const withImages = ({ kinds }: LabContext, parsed: ParsedProject, names: NewNames): ParsedProject => ({
  ...parsed,
  nodes: parsed.nodes.map((node) => {
    const images = kinds.get(node.kind)?.images;
    if (images === undefined || names.size === 0) return node;
    const changed = images.fields.flatMap((field) => {
      const value = node.properties[field];
      const name = typeof value === 'string' ? names.get(`${images.folder}/${path.basename(value)}`) : undefined;
      return name === undefined ? [] : [[field, name] as const];
    });
    return { ...node, properties: { ...node.properties, ...Object.fromEntries(changed) } };
  }),
});

/**
 * A new, closed project of a portable archive, with ids of its own. Everything is received, checked and unpacked beside; then come the
 * events; then it takes its place. Nothing is left of an archive that is refused.
 */
export const importProject = async (
  context: LabContext,
  caller: Caller,
  { project_id: projectId, ...input }: ImportInput & { project_id: string },
  upload: Upload,
): Promise<ProjectRecord> => {
  const { settings, log, committed } = context;
  const place = placeOf(settings, projectId, input.path);
  const checkFree = (): void => {
    checkId(context, projectId);
    refuseTaken(context, projectId, place);
  };
  checkFree();
  context.log.check();
  const staged = await stageProject(settings.filesDir, place);
  let warnings: string[];
  let name: string;
  try {
    const parsed = await unpack(context, projectId, staged, upload);
    const target = { context, caller, id: projectId, place, input };
    const { nameNow, drafts, images, texts } = await arranged(context, target, staged, parsed);
    warnings = texts;
    await staged.ready(images);
    name = nameNow();
    let batch = await log.prepare(drafts(name));
    // Another request may have taken the name or the id meanwhile.
    for (; nameNow() !== name; batch = await log.prepare(drafts(name))) name = nameNow();
    checkFree();
    await log.append(batch);
  } catch (error) {
    await takeBack(log, () => staged.discard());
    throw error;
  }
  try {
    await staged.place();
  } finally {
    await removeIfDeleted(context, { project_id: projectId, path: place, name });
  }
  const record = projectOf(committed, projectId);
  const about = { project_id: projectId, request_id: caller.request_id };
  for (const warning of warnings) context.logger.warn(about, `${record.name}: ${warning}`);
  return record;
};

const checkId = (context: LabContext, id: string): void => {
  if (context.pending.get('project', id) !== undefined)
    throw conflict(`project_id ${id} is in use; import under another one`, { field: 'project_id' });
};

const unpack = async (
  context: LabContext,
  projectId: string,
  staged: StagedProject,
  upload: Upload,
): Promise<ParsedProject> => {
  const file = path.join(staged.scratch, 'archive.zip');
  await needRoom(file, upload.length ?? 0);
  await receiveFile(upload.content, file, upload.limit);
  const archive = await openArchive(file);
  try {
    // Before anything is unpacked: an archive of something else is told at once.
    const name = projectFileIn(archive);
    const parsed = await readLargeProjectFile(await archive.text(name), context.kinds);
    await needRoom(staged.scratch, archive.bytes);
    const work = context.jobs.begin(projectId, 'import', archive.bytes);
    const inside = path.posix.dirname(name);
    const root = inside === '.' ? staged.directory : path.join(staged.scratch, 'unpacked');
    await archive.unpack(root, work.add).finally(work.end);
    if (inside !== '.') {
      await checkLinks(path.join(root, inside));
      await removeTree(staged.directory);
      await moveTo(path.join(root, inside), staged.directory);
      await removeTree(root);
    }
    if (name !== ARCHIVED)
      await moveTo(path.join(staged.directory, path.posix.basename(name)), path.join(staged.directory, ARCHIVED));
    await removeTree(path.join(staged.directory, STAGING));
    return parsed;
  } finally {
    archive.close();
    await removeTree(file);
  }
};

/** A directory that somebody packed has its project file under its own name, and maybe in a folder. */
const projectFileIn = ({ entries }: Archive): string => {
  const names = entries.filter(({ sort }) => sort === 'file').map(({ name }) => name);
  const others = names.filter((name) => name.endsWith('.gns3') && !name.split('/').includes(SNAPSHOTS));
  const [only = ARCHIVED] = others;
  if (names.includes(ARCHIVED) || others.length === 0) return ARCHIVED;
  if (others.length === 1) return only;
  throw conflict(`the archive is refused: it has no ${ARCHIVED}, but ${others.length} project files`);
};

interface Target {
  context: LabContext;
  caller: Caller;
  id: string;
  place: string;
  input: ImportInput;
}

interface Arranged {
  /** As the lab can be named when it is asked. */
  nameNow: () => string;
  drafts: (name: string) => AnyDraft[];
  images: { from: string; to: string }[];
  texts: string[];
}

/** Puts what was unpacked in the order that this server keeps, and makes the events of it. */
const arranged = async (
  context: LabContext,
  target: Target,
  staged: StagedProject,
  found: ParsedProject,
): Promise<Arranged> => {
  const ids = new IdTable(context.settings.computeId);
  const { moves, names } = await importImages(context, staged, found);
  const settle = async (parsed: ParsedProject, directory: string): Promise<ParsedProject> => {
    const whole = await withOwnFile(parsed, path.join(directory, ARCHIVED), context.kinds);
    const known = await withMissingFiles(whole, directory, context.kinds);
    await gatherNodeFiles(known, directory, context.kinds);
    const own = ids.apply(withImages(context, known, names));
    await moveNodeDirectories(context, known, own, directory);
    return readDrawingImages(own, directory);
  };
  const { snapshots, warnings } = await importSnapshots(context, staged, found, settle);
  const parsed = await settle(found, staged.directory);
  await removeTree(path.join(staged.directory, ARCHIVED));
  await removeTree(path.join(staged.directory, ownFileOf(ARCHIVED)));
  const wished = target.input.name ?? found.settings.name;
  const states = await statesOf(context, target, [...snapshots, { parsed, snapshot: null }]);
  return {
    nameNow: () => uniqueProjectName(context.pending, wished),
    drafts: (name) => states.flatMap((state, index) => eventsOf(target, name, state, index)),
    images: moves,
    texts: [...warnings, ...(states.at(-1)?.content.warnings ?? [])],
  };
};

interface State {
  parsed: ParsedProject;
  snapshot: ImportedSnapshot['snapshot'] | null;
}
type MadeState = State & { content: Content };

/** What the lab had at each snapshot, and what it has. Nobody else knows of it: what takes long can be done before. */
const statesOf = async (context: LabContext, target: Target, states: readonly State[]): Promise<MadeState[]> => {
  const sizes = states.map(({ parsed }) => parsed.nodes.length + parsed.links.length + parsed.drawings.length);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size > MOST_IMPORTED)
    throw conflict(
      `the archive is refused: it has ${size} nodes, links and drawings, those of its snapshots included; ${MOST_IMPORTED} are the most`,
    );
  const made: MadeState[] = [];
  for (const state of states) {
    const fields = fieldsOf(target, state.parsed.settings.name, state.parsed);
    const record: ProjectRecord = { ...fields, state: 'closed', created: 0, changed: 0 };
    made.push({ ...state, content: await contentEventsInSlices(context, target.caller, record, state.parsed) });
  }
  return made;
};

/** What a snapshot is of stands before it in the log. */
const eventsOf = (
  target: Target,
  name: string,
  { parsed, snapshot, content }: MadeState,
  index: number,
): AnyDraft[] => {
  const { caller, id } = target;
  const type = index === 0 ? 'project.created' : 'project.replaced';
  const made = snapshot && draft(caller, id, 'snapshot.created', { ...snapshot, project_id: id });
  return [
    draft(caller, id, type, { ...fieldsOf(target, name, parsed), extra: content.extra }),
    ...content.drafts,
    ...(made === null ? [] : [made]),
  ];
};

const fieldsOf = (target: Target, name: string, parsed: ParsedProject): ProjectFields => {
  const fields = plainFieldsOf(target, name, parsed);
  // Settings that a file leaves out are those of this server: it is a lab of its own.
  const whole = withDifferences(fields, newestAsRead(parsed.given ?? {}, fields));
  return { ...whole, ...knownVariables(target.context, target.id, fields) };
};

const plainFieldsOf = ({ id, place, input }: Target, name: string, parsed: ParsedProject): ProjectFields => ({
  ...DEFAULT_SETTINGS,
  ...parsed.settings,
  name,
  auto_close: input.auto_close ?? false,
  auto_open: false,
  auto_start: false,
  project_id: id,
  path: place,
  filename: projectFileName(name),
  file_sha256: null,
  extra: isBag(parsed.extra['topology'])
    ? { ...parsed.extra, topology: without(parsed.extra['topology'], ['computes']) }
    : parsed.extra,
});

/** Ids of the archive to new ones: the same in the lab and in its snapshots. */
class IdTable {
  readonly #computeId: string;
  readonly #ids = new Map<string, string>();

  constructor(computeId: string) {
    this.#computeId = computeId;
  }

  of(id: string): string {
    const known = this.#ids.get(id) ?? randomUUID();
    this.#ids.set(id, known);
    return known;
  }

  apply(parsed: ParsedProject): ParsedProject {
    return {
      ...parsed,
      settings: withCopiedIds(parsed.settings, (id) => this.of(id)),
      // Nodes run here, whatever machine they ran on.
      nodes: parsed.nodes.map((node) => ({ ...node, node_id: this.of(node.node_id), compute_id: this.#computeId })),
      links: parsed.links.map((link) => ({
        ...link,
        link_id: this.of(link.link_id),
        nodes: link.nodes.map((end) => ({ ...end, node_id: this.of(end.node_id) })),
      })),
      drawings: parsed.drawings.map((drawing) => ({ ...drawing, drawing_id: this.of(drawing.drawing_id) })),
    };
  }
}

const moveNodeDirectories = async (
  { kinds }: LabContext,
  before: ParsedProject,
  after: ParsedProject,
  directory: string,
): Promise<void> => {
  for (const [i, { node_id, kind }] of before.nodes.entries()) {
    const folder = kinds.get(kind)?.directory;
    const id = after.nodes[i]?.node_id;
    if (folder === undefined || id === undefined) continue;
    const [from, to] = [node_id, id].map((name) => path.join(directory, 'project-files', folder, name));
    if (from !== undefined && to !== undefined && (await isThere(from))) await moveTo(from, to);
  }
};
