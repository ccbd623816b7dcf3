import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { textIfThere } from '../../common/file.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import type { WrittenFile } from '../../events/server-fields.ts';
import { digestOf } from '../../files/project/content.ts';
import { NODE_FILES } from '../../files/project/parts.ts';
import { keptDirectory } from '../../files/project/deleted-nodes.ts';
import { checkSnapshot } from '../../files/project/snapshot-files.ts';
import { recordingsDirectory } from '../../files/recordings.ts';
import { GivenFiles } from '../../projections/known-files.ts';
import type { StoreProblem } from './findings.ts';

/** What the log knows of a file. */
interface Known {
  position: number;
  algorithm: 'sha256' | 'md5';
  digest: string;
}

interface Places {
  filesDir: string;
  /** Directory of the images of a kind; null where it has none. */
  imagesOf(kind: string): string | null;
}

/** A node, or what is kept of one that was deleted. */
interface KnownNode {
  project_id: string;
  /** Its directory, and where it is now. */
  directory: string;
  place: string;
  given: GivenFiles;
}

const CHANGED = 'it is not what was written: it was changed by another program, or is damaged';

/**
 * The files whose content the log knows, as they were written last: uploads into projects, texts and uploads of nodes that have not been
 * started since, also of deleted ones, images, symbols, project files, snapshots, finished recordings and captures. Not what emulators write
 * by themselves, nor what came with an archive or a copy.
 */
export class KnownFiles {
  readonly #places: Places;
  readonly #projects = new Map<string, { path: string; filename: string }>();
  readonly #files = new Map<string, Known>();
  readonly #captures = new Map<string, string>();
  readonly #nodes = new Map<string, KnownNode>();
  readonly #snapshots = new Map<string, { position: number; project: string; manifest: string }>();

  constructor(places: Places) {
    this.#places = places;
  }

  hear(event: AnyEvent): void {
    const { position } = event;
    this.#hearNode(event);
    switch (event.type) {
      case 'project.created':
      case 'project.replaced':
        this.#projects.set(event.data.project_id, { ...event.data, path: this.#below(event.data.path) });
        return;
      case 'project.deleted':
      case 'project.restored':
        return this.#forget(event.data.project_id, event.type === 'project.deleted');
      case 'project.file_written': {
        const project = this.#projects.get(event.data.project_id);
        if (project !== undefined)
          this.#know(path.join(project.path, project.filename), position, event.data.file_sha256);
        return;
      }
      case 'file.written':
        if (event.data.node_id === null) this.#wrote(this.#pathOf(event.data.project_id), position, event.data);
        return;
      default:
        return this.#hearMore(event, position);
    }
  }

  /** A deleted node's kept directory has the same files, wherever it is. */
  #hearNode(event: AnyEvent): void {
    const { data } = event;
    if (event.type === 'node.created' || event.type === 'node.restored') {
      const { node_id, project_id, node_directory } = event.data;
      const { given = new GivenFiles() } = this.#nodes.get(node_id) ?? {};
      const directory = node_directory === null ? '' : this.#below(node_directory);
      this.#nodes.set(node_id, { project_id, directory, place: directory, given });
    }
    const node = 'node_id' in data && data.node_id !== null ? this.#nodes.get(data.node_id) : undefined;
    if (node === undefined) return;
    node.given.hear(event);
    if (event.type === 'node.deleted') node.place = keptDirectory(this.#pathOf(node.project_id), event.data.node_id);
  }

  #wrote(project: string, position: number, { path: name, sha256 }: WrittenFile): void {
    if (project === '') return;
    const file = path.join(project, name);
    if (!name.startsWith(`${NODE_FILES}/`)) return this.#know(file, position, sha256);
    // A controller writes the files of its nodes so, too.
    for (const { directory, given } of this.#nodes.values())
      if (file.startsWith(directory + path.sep)) given.files.delete(path.relative(directory, file));
  }

  #hearMore(event: AnyEvent, position: number): void {
    switch (event.type) {
      case 'symbol.stored':
        return this.#know(path.join(this.#places.filesDir, 'symbols', event.data.file), position, event.data.sha256);
      case 'symbol.deleted':
        return void this.#files.delete(path.join(this.#places.filesDir, 'symbols', event.data.file));
      case 'image.deleted': {
        const folder = this.#places.imagesOf(event.data.kind);
        if (folder !== null) this.#files.delete(path.join(folder, event.data.filename));
        return;
      }
      case 'image.uploaded': {
        const folder = this.#places.imagesOf(event.data.kind);
        if (folder === null) return;
        const known = { position, algorithm: 'md5', digest: event.data.md5sum } as const;
        this.#files.set(path.join(folder, event.data.filename), known);
        return;
      }
      case 'operation.requested':
        // It may be for one of these to change.
        return this.#forgetBelow(this.#places.imagesOf(event.data.kind));
      case 'snapshot.created': {
        const { project_id: project, snapshot_id, manifest_sha256: manifest } = event.data;
        this.#snapshots.set(snapshot_id, { position, project, manifest });
        return;
      }
      case 'snapshot.deleted':
        return void this.#snapshots.delete(event.data.snapshot_id);
      case 'node.recording_stopped': {
        const { project_id, node_id, file, content } = event.data;
        if (content !== undefined)
          this.#know(path.join(recordingsDirectory(this.#pathOf(project_id), node_id), file), position, content.sha256);
        return;
      }
      case 'capture.start_requested':
        // A file of a name that was there is written again.
        this.#files.delete(this.#below(event.data.path));
        return void this.#captures.set(portOf(event.data), this.#below(event.data.path));
      case 'capture.stopped':
        return this.#know(this.#captures.get(portOf(event.data)) ?? '', position, event.data.content?.sha256);
      default:
        return;
    }
  }

  *#all(): Generator<[file: string, Known]> {
    yield* this.#files;
    for (const { place, given } of this.#nodes.values())
      for (const [name, { position, sha256: digest }] of place === '' ? [] : given.files)
        yield [path.join(place, name), { position, algorithm: 'sha256', digest }];
  }

  #know(file: string, position: number, digest: string | undefined): void {
    if (digest !== undefined && file !== '') this.#files.set(file, { position, algorithm: 'sha256', digest });
  }

  /** Paths in the directory of files may be relative to it. */
  #below(file: string): string {
    return path.resolve(this.#places.filesDir, file);
  }

  #pathOf(projectId: string): string {
    return this.#projects.get(projectId)?.path ?? '';
  }

  #forget(projectId: string, isGone: boolean): void {
    this.#forgetBelow(this.#pathOf(projectId));
    for (const [id, { project_id, given }] of this.#nodes)
      if (project_id === projectId && isGone) this.#nodes.delete(id);
      else if (project_id === projectId) given.files.clear();
    if (!isGone) return;
    for (const [id, { project }] of this.#snapshots) if (project === projectId) this.#snapshots.delete(id);
  }

  #forgetBelow(directory: string | null): void {
    if (directory === null || directory === '') return;
    for (const file of this.#files.keys()) if (file.startsWith(directory + path.sep)) this.#files.delete(file);
  }

  /**
   * Those that are not what they were; one that is gone has been taken away by somebody, which is no damage. `again`: only those that
   * were found by an earlier check, and are known from the same event.
   */
  async check(projectId: string | null, again?: readonly StoreProblem[]): Promise<StoreProblem[]> {
    const asked = (position: number, where: string): boolean =>
      again?.some((one) => one.position === position && one.where === where) ?? true;
    const problems: StoreProblem[] = [];
    const root = projectId === null ? null : this.#pathOf(projectId) + path.sep;
    for (const [file, { position, algorithm, digest }] of this.#all()) {
      const where = `file ${path.relative(this.#places.filesDir, file)}`;
      if ((root !== null && !file.startsWith(root)) || !asked(position, where)) continue;
      const now = await digestOf(file, algorithm).catch((error: unknown) => unread(error, digest));
      if (now !== digest || (algorithm === 'md5' && ![null, digest].includes(await besideOf(file))))
        problems.push({ position, where, message: CHANGED });
    }
    for (const [id, { position, project, manifest }] of this.#snapshots) {
      const where = `snapshot ${id}`;
      if ((projectId !== null && project !== projectId) || !asked(position, where)) continue;
      const wrong = await checkSnapshot(this.#pathOf(project), { snapshot_id: id, manifest_sha256: manifest });
      for (const message of wrong) problems.push({ position, where, message });
    }
    return problems;
  }
}

/** What stands beside an image of its checksum: it is what lists say. */
const besideOf = (file: string): Promise<string | null> =>
  textIfThere(`${file}.md5sum`, LENGTHS.line).then(
    (text) => text?.trim() ?? null,
    () => null,
  );

const unread = (error: unknown, digest: string): string =>
  ['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '') ? digest : 'unreadable';

const portOf = (port: { node_id: string; adapter_number: number; port_number: number }): string =>
  `${port.node_id}/${port.adapter_number}/${port.port_number}`;
