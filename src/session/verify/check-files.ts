import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { textIfThere } from '../../common/file.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import type { WrittenFile } from '../../events/server-fields.ts';
import { digestOf } from '../../files/project/content.ts';
import { keptDirectory } from '../../files/project/deleted-nodes.ts';
import { NODE_FILES } from '../../files/project/parts.ts';
import { checkSnapshot } from '../../files/project/snapshot-files.ts';
import { recordingsDirectory } from '../../files/recordings.ts';
import { LoggedFiles } from '../../projections/logged-files.ts';
import type { StoreProblem } from './findings.ts';

/** Digest of a file as the log has it. */
interface KnownFile {
  position: number;
  algorithm: 'sha256' | 'md5';
  digest: string;
}

interface Places {
  filesDir: string;
  /** Directory of the images of a kind; null where it has none. */
  imagesOf(kind: string): string | null;
}

/** A node, also a deleted one whose files are kept. */
interface KnownNode {
  project_id: string;
  directory: string;
  /** Where that directory is now: elsewhere after the node was deleted. */
  place: string;
  given: LoggedFiles;
}

const CHANGED = 'it is not what was written: it was changed by another program, or is damaged';

/**
 * The files whose content the log knows, as they were last written: uploads into projects, texts and uploads of nodes that have not been
 * started since (also of deleted ones), images, symbols, project files, snapshots, finished recordings and captures. Files that emulators
 * write, and those that came with an archive or a copy, are not among them.
 */
export class KnownFiles {
  readonly #places: Places;
  readonly #projects = new Map<string, { path: string; filename: string }>();
  readonly #files = new Map<string, KnownFile>();
  readonly #captures = new Map<string, string>();
  readonly #nodes = new Map<string, KnownNode>();
  readonly #snapshots = new Map<string, { position: number; project: string; manifest: string }>();

  constructor(places: Places) {
    this.#places = places;
  }

  apply(event: AnyEvent): void {
    const { position } = event;
    this.#followNode(event);
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
        return this.#applyMore(event, position);
    }
  }

  /** Follows the nodes. The files of a deleted one are in the directory that is kept of it. */
  #followNode(event: AnyEvent): void {
    const { data } = event;
    if (event.type === 'node.created' || event.type === 'node.restored') {
      const { node_id, project_id, node_directory } = event.data;
      const { given = new LoggedFiles() } = this.#nodes.get(node_id) ?? {};
      const directory = node_directory === null ? '' : this.#below(node_directory);
      this.#nodes.set(node_id, { project_id, directory, place: directory, given });
    }
    const node = 'node_id' in data && data.node_id !== null ? this.#nodes.get(data.node_id) : undefined;
    if (node === undefined) return;
    node.given.apply(event);
    if (event.type === 'node.deleted') node.place = keptDirectory(this.#pathOf(node.project_id), event.data.node_id);
  }

  #wrote(project: string, position: number, { path: name, sha256 }: WrittenFile): void {
    if (project === '') return;
    const file = path.join(project, name);
    if (!name.startsWith(`${NODE_FILES}/`)) return this.#know(file, position, sha256);
    // A controller writes files of its nodes by this path as well.
    for (const { directory, given } of this.#nodes.values())
      if (file.startsWith(directory + path.sep)) given.files.delete(path.relative(directory, file));
  }

  #applyMore(event: AnyEvent, position: number): void {
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
        // The operation may change images.
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
        // An existing capture file of that name is overwritten.
        this.#files.delete(this.#below(event.data.path));
        return void this.#captures.set(portOf(event.data), this.#below(event.data.path));
      case 'capture.stopped':
        return this.#know(this.#captures.get(portOf(event.data)) ?? '', position, event.data.content?.sha256);
      default:
        return;
    }
  }

  *#all(): Generator<[file: string, KnownFile]> {
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
   * Files that have other content than the log says. A missing file was removed by somebody, which is no damage. `again`: checks only the
   * problems of an earlier check, as far as the log still has the same event for the file.
   */
  async check(projectId: string | null, again?: readonly StoreProblem[]): Promise<StoreProblem[]> {
    const asked = (position: number, where: string): boolean =>
      again?.some((one) => one.position === position && one.where === where) ?? true;
    const problems: StoreProblem[] = [];
    const root = projectId === null ? null : this.#pathOf(projectId) + path.sep;
    for (const [file, { position, algorithm, digest }] of this.#all()) {
      const where = `file ${path.relative(this.#places.filesDir, file)}`;
      if ((root !== null && !file.startsWith(root)) || !asked(position, where)) continue;
      const now = await digestOf(file, algorithm).catch((error: unknown) => digestWhenUnreadable(error, digest));
      if (now !== digest || (algorithm === 'md5' && ![null, digest].includes(await md5sumBeside(file))))
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

/** Text of the `.md5sum` file beside an image, which lists of images show; null: there is none. */
const md5sumBeside = (file: string): Promise<string | null> =>
  textIfThere(`${file}.md5sum`, LENGTHS.line).then(
    (text) => text?.trim() ?? null,
    () => null,
  );

/** A missing file counts as unchanged. */
const digestWhenUnreadable = (error: unknown, digest: string): string =>
  ['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '') ? digest : 'unreadable';

const portOf = (port: { node_id: string; adapter_number: number; port_number: number }): string =>
  `${port.node_id}/${port.adapter_number}/${port.port_number}`;
