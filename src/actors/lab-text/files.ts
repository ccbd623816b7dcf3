import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { conflict, messageOf } from '../../common/errors.ts';
import { plainPath } from '../../files/project/files.ts';
import { discardUpload, stageUpload } from '../../files/uploads.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import { sendFilesOf } from '../compute/files.ts';
import { type LabContext, projectOf } from '../context.ts';
import { removeIfDeleted } from '../project/directory.ts';
import { placeFile } from '../project/place-file.ts';
import { takeBack } from '../runtime/outcomes.ts';
import { checkReachable } from '../node/engine.ts';
import { kindOf, nodeDirectory } from '../node/fields.ts';
import type { NewEvent } from '../runtime/decision.ts';
import type { Work } from './changes.ts';
import type { LabApplied } from './interface.ts';

interface StagedFile {
  node_id: string;
  /** Below the node's directory, which is `root`. */
  path: string;
  root: string;
  upload: string;
  bytes: number;
  sha256: string;
}

/** Files that the text of a lab has for nodes: uploads that are on disk before their events, and take their places afterwards. */
export class LabFiles {
  readonly #context: LabContext;
  readonly #projectId: string;
  readonly #staged: StagedFile[] = [];
  #isWritten = false;
  /** As it was when something was staged in its directory; null: nothing was. */
  #project: ProjectRecord | null = null;
  /** Ends the wait of those who copy files; null: nothing is staged. */
  #placing: (() => void) | null = null;

  constructor(context: LabContext, projectId: string) {
    this.#context = context;
    this.#projectId = projectId;
  }

  /** Throws where one cannot be written; then `end` takes the others away. */
  async stage({ steps, files }: Work): Promise<void> {
    const { pending, log, computes, placing, secrets } = this.#context;
    const project = projectOf(pending, this.#projectId);
    if (files.length > 0) {
      this.#project = project;
      this.#placing ??= placing.begin(this.#projectId);
    }
    for (const { node_id, name, text } of files) {
      const made = steps.find((s) => s.type === 'node' && s.action === 'create' && s.input.node_id === node_id);
      const input = made?.type === 'node' && made.action === 'create' ? made.input : undefined;
      const record = pending.get('node', node_id);
      const kind = kindOf(this.#context, record?.kind ?? input?.kind ?? '');
      const root = record === undefined ? nodeDirectory(project, kind, node_id) : record.node_directory;
      if (root === null) throw conflict(`${record?.name ?? input?.name ?? name}: this kind of node has no files`);
      if (record !== undefined) checkReachable(this.#context, record);
      const properties = record?.properties ?? input?.properties ?? {};
      const path = plainPath(kind.fileName?.(name, { node_id, properties }) ?? name);
      const isAway = computes.find(record?.compute_id ?? input?.compute_id ?? '') !== undefined;
      const node = isAway ? { node: { node_id, path } } : {};
      const target = { root, name: path, version: log.version(this.#projectId), project, ...node };
      const upload = randomUUID();
      // Known from now on by their values, also where files are handed on.
      secrets.sealed(this.#projectId, text);
      const content = { content: Readable.from([Buffer.from(secrets.plain(text))]), limit: Infinity };
      const { bytes, sha256 } = await stageUpload(project.path, upload, target, content);
      this.#staged.push({ node_id, path, root, upload, bytes, sha256 });
    }
  }

  get events(): NewEvent[] {
    return this.#staged.map(({ root: _, ...file }) => ({
      type: 'file.written',
      data: { project_id: this.#projectId, ...file },
    }));
  }

  /** After their events. What cannot be here is left to the next start, or to the next connection to a compute. */
  async place(): Promise<LabApplied['failed']> {
    const { committed, computes } = this.#context;
    const project = projectOf(committed, this.#projectId);
    this.#isWritten = true;
    const failed: LabApplied['failed'] = [];
    for (const file of this.#staged) {
      const { node_id, path, upload } = file;
      const node = committed.get('node', node_id);
      try {
        const isPlaced = await placeFile(this.#context, project, file);
        if (isPlaced && node !== undefined && computes.find(node.compute_id) !== undefined)
          await sendFilesOf(this.#context, node, [path]);
        await discardUpload(project.path, upload);
      } catch (error) {
        failed.push({ name: node?.name ?? path, message: messageOf(error) });
      }
    }
    return failed;
  }

  /** Without their events they are nobody's. */
  async end(): Promise<void> {
    this.#placing?.();
    if (this.#project === null) return;
    const { path: place } = this.#context.committed.get('project', this.#projectId) ?? {};
    if (place === undefined) return removeIfDeleted(this.#context, this.#project);
    if (this.#isWritten) return;
    await takeBack(this.#context.log, async () => {
      for (const { upload } of this.#staged) await discardUpload(place, upload);
    });
  }
}
