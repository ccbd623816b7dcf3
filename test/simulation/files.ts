import { createHash } from 'node:crypto';
import path from 'node:path';
import { UNFINISHED } from '../../src/common/durable.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import type { NodeRecord, ProjectRecord, RecordView } from '../../src/projections/records.ts';
import { disk, ROOT } from './disk.ts';

/** Files are what the log says of them: each upload that nothing later has replaced, nothing that is gone, and nothing half done. */

const DATA = `${ROOT}/data`;
const PROJECTS = `${DATA}/projects`;
/** Where what is only half there waits, in a project's directory and beside those of all. */
const STAGING = '.topolog';

/** What a file must be: a checksum, or `gone`. */
interface Wanted {
  sort: 'sha256' | 'md5';
  sum: string | null;
}
/** By `<node or empty>/<path>`; what no event has the content of, such as the files of a copy, is not in it. */
type ProjectFiles = ReadonlyMap<string, Wanted>;

/** The files that a log tells of. */
class ToldFiles {
  /** Of the server, by their place. */
  readonly own = new Map<string, Wanted>();
  readonly projects = new Map<string, Map<string, Wanted>>();
  readonly #snapshots = new Map<string, ProjectFiles>();
  /** Projects that lie where somebody else has put them: snapshots have the files of their nodes alone. */
  readonly #elsewhere = new Set<string>();

  hear(event: AnyEvent): void {
    const { type, data } = event;
    if (type === 'symbol.stored') this.own.set(`${DATA}/symbols/${data.file}`, { sort: 'sha256', sum: data.sha256 });
    if (type === 'symbol.deleted') this.own.set(`${DATA}/symbols/${data.file}`, { sort: 'sha256', sum: null });
    if (type === 'image.uploaded')
      this.own.set(`${DATA}/images/programs/${data.filename}`, { sort: 'md5', sum: data.md5sum });
    if (type === 'image.deleted') this.own.set(`${DATA}/images/programs/${data.filename}`, { sort: 'md5', sum: null });
    if (event.project_id !== null) this.#hearOf(event.project_id, event);
  }

  #hearOf(id: string, { type, data }: AnyEvent): void {
    const files = this.projects.get(id) ?? new Map<string, Wanted>();
    this.projects.set(id, files);
    const put = (node_id: string | null, file: { path: string; sha256: string }): void =>
      void files.set(`${node_id ?? ''}/${file.path}`, { sort: 'sha256', sum: file.sha256 });
    if (type === 'file.written') put(data.node_id, data);
    if (type === 'node.created' || type === 'node.updated')
      for (const file of data.written ?? []) put(data.node_id, file);
    if (type === 'node.deleted')
      for (const key of files.keys()) if (key.startsWith(`${data.node_id}/`)) files.delete(key);
    if (type === 'snapshot.created') this.#snapshots.set(data.snapshot_id, new Map(files));
    if ((type === 'project.created' || type === 'project.replaced') && data.path.startsWith(`${ROOT}/labs/`))
      this.#elsewhere.add(id);
    if (type === 'project.restored') {
      const isKept = (key: string): boolean => this.#elsewhere.has(id) && key.startsWith('/');
      const kept = [...files].filter(([key]) => isKept(key));
      const back = [...(this.#snapshots.get(data.snapshot_id) ?? [])].filter(([key]) => !isKept(key));
      this.projects.set(id, new Map([...kept, ...back]));
    }
    if (type === 'project.replaced') files.clear();
    if (type === 'project.deleted') this.projects.delete(id);
  }
}

export const checkFiles = (events: readonly AnyEvent[], view: RecordView): string[] => {
  const told = new ToldFiles();
  for (const event of events) told.hear(event);
  const ever = new Set(events.flatMap(({ project_id }) => (project_id === null ? [] : [project_id])));
  const images = new Set([...told.own.keys()].filter((file) => file.startsWith(`${DATA}/images/`)));
  return [
    ...[...told.own].flatMap(([file, wanted]) => differs(file, wanted)),
    ...namesIn(`${DATA}/images/programs`)
      .map((name) => `${DATA}/images/programs/${name}`)
      .filter((file) => !images.has(file.replace(/\.md5sum$/, '')) && !file.endsWith(STAGING))
      .map((file) => `${file} is there and no event has it`),
    ...view.projects().flatMap((project) => checkProject(view, project, told.projects.get(project.project_id))),
    ...namesIn(PROJECTS)
      .filter((id) => ever.has(id) && view.get('project', id) === undefined)
      .map((id) => `the directory of project ${id} is there and the project is not`),
    ...unfinished(),
  ];
};

const namesIn = (place: string): string[] => [...(disk().find(place)?.names?.keys() ?? [])];

const differs = (file: string, { sort, sum }: Wanted): string[] => {
  const bytes = disk().find(file)?.bytes ?? null;
  const there = bytes === null ? null : createHash(sort).update(bytes).digest('hex');
  if (there === sum) return [];
  return [`${file} ${there === null ? 'is not there' : sum === null ? 'is there still' : 'has another content'}`];
};

const checkProject = (view: RecordView, project: ProjectRecord, files: ProjectFiles = new Map()): string[] => {
  const { project_id, path: place, name } = project;
  const isOwn = place === `${PROJECTS}/${project_id}`;
  // A cut of the power may take the directory that somebody else has made.
  if (disk().find(place) === null) return isOwn ? [`the directory of project ${name} is not there`] : [];
  const nodes = new Map(view.ofProject('node', project_id).map((node) => [node.node_id, node]));
  return [
    ...differs(path.join(place, project.filename), { sort: 'sha256', sum: project.file_sha256 }),
    ...[...files].flatMap(([key, wanted]) => checkFile(place, nodes, key, wanted)),
    ...(isOwn ? checkNodes(place, nodes) : []),
    ...checkSnapshots(view, project, isOwn),
  ];
};

const checkFile = (place: string, nodes: ReadonlyMap<string, NodeRecord>, key: string, wanted: Wanted): string[] => {
  const [node_id = '', ...names] = key.split('/');
  const root = node_id === '' ? place : nodes.get(node_id)?.node_directory;
  return root == null ? [] : differs(path.join(root, ...names), wanted);
};

const checkNodes = (place: string, nodes: ReadonlyMap<string, NodeRecord>): string[] =>
  namesIn(`${place}/project-files`)
    .flatMap((kind) => namesIn(`${place}/project-files/${kind}`))
    .filter((id) => /^[0-9a-f-]{36}/.test(id) && !nodes.has(id))
    .map((id) => `the directory of node ${id} is there and the node is not`);

const checkSnapshots = (view: RecordView, { project_id, path: place }: ProjectRecord, isOwn: boolean): string[] => {
  const wanted = new Set(view.ofProject('snapshot', project_id).map(({ snapshot_id }) => snapshot_id));
  const there = namesIn(`${place}/snapshots`);
  return [
    ...[...wanted].filter((id) => !there.includes(id)).map((id) => `the files of snapshot ${id} are not there`),
    ...(isOwn ? there : [])
      .filter((id) => !wanted.has(id))
      .map((id) => `the files of snapshot ${id} are there and the snapshot is not`),
  ];
};

/** Directories of deleted nodes wait for an undo; nothing else waits when nothing is under way. */
const unfinished = (): string[] =>
  [...disk().walk(DATA, disk().get(DATA))]
    .map(([file]) => file)
    .filter((file) => {
      const parts = file.split('/');
      if (file.endsWith(UNFINISHED)) return true;
      if (parts.at(-2) === STAGING) return !parts.at(-1)?.startsWith('node-');
      return path.dirname(file) === `${DATA}/staging`;
    })
    .map((file) => `${file} is left over`);
