import { isUtf8 } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { messageOf, TopologError } from '../../common/errors.ts';
import type { Kind, NodeFile, Properties } from '../../emulators/kit/contract.ts';
import { hasHidden } from '../../common/lab-secrets/texts.ts';
import { textsOf } from '../../emulators/kit/text-files.ts';
import type { NodeFields } from '../../events/fields.ts';
import type { WrittenFile } from '../../events/server-fields.ts';
import { readProjectFile } from '../../files/project/files.ts';
import { discardUpload, stageUpload, type UploadTarget } from '../../files/uploads.ts';
import type { NodeRecord, ProjectRecord } from '../../projections/records.ts';
import { type LabContext, projectOf } from '../context.ts';
import { removeIfDeleted } from '../project/directory.ts';
import { placeFile } from '../project/place-file.ts';
import type { NodeChanges } from './interface.ts';
import { takeBack } from '../runtime/outcomes.ts';

interface Text extends WrittenFile {
  /** With references and marks of secrets. */
  given: string;
  node: Pick<NodeFields, 'node_id' | 'node_directory'>;
  content: string;
  /** Its node is on another compute, which has to get it: it stays staged until then. */
  elsewhere: boolean;
}

type Owner = Pick<NodeFields, 'node_id' | 'name' | 'node_directory'>;

/**
 * Texts given with requests that become files of nodes: staged as uploads are before the events that tell of them, moved to their places
 * afterwards. What an end of the server leaves is finished or taken away by the next start, as other uploads are.
 */
export class NodeTexts {
  readonly #context: LabContext;
  readonly #projectId: string;
  readonly #staged = new Map<string, Text>();
  /** Texts of the latest decision, by node. */
  readonly #told = new Map<string, Text[]>();
  /** Not finished here: the next start, or the next connection to a compute, goes on. */
  readonly #left = new Set<string>();
  /** Nodes whose texts take their places just now. */
  #moving = 0;
  /** As it was when something was staged in its directory; null: nothing was. */
  #project: ProjectRecord | null = null;
  /** Ends the wait of those who copy files; null: nothing is staged. */
  #placing: (() => void) | null = null;

  constructor(context: LabContext, projectId: string) {
    this.#context = context;
    this.#projectId = projectId;
  }

  /** All of them have taken their places, or will not. */
  #placed(): void {
    this.#placing?.();
    this.#placing = null;
  }

  /** A decision begins, perhaps once more. */
  begin(): void {
    this.#told.clear();
  }

  /** Answers the files for the event of a node, one for each text that is given; remembers their contents. */
  told(kind: Kind, given: Properties, owner: Owner, elsewhere = false): { written?: WrittenFile[] } {
    if (owner.node_directory === null) return {};
    const texts = (kind.files?.(given, owner) ?? []).map((file) => this.#text(owner, file, elsewhere));
    if (texts.length === 0) return {};
    this.#told.set(owner.node_id, [...(this.#told.get(owner.node_id) ?? []), ...texts]);
    return { written: texts.map(({ path, bytes, sha256, upload }) => ({ path, bytes, sha256, upload })) };
  }

  /** The same text, decided again, is the same upload. */
  #text({ node_id, node_directory }: Owner, { name, content: given }: NodeFile, elsewhere: boolean): Text {
    const content = this.#context.secrets.plain(given);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const told = { node: { node_id, node_directory }, path: name, sha256 };
    const upload = this.#staged.get(keyOf(told))?.upload ?? randomUUID();
    return { ...told, bytes: Buffer.byteLength(content), upload, given, content, elsewhere };
  }

  /** All that was told of is on disk. */
  get isStaged(): boolean {
    return this.#all.every((text) => this.#staged.has(keyOf(text)));
  }

  get #all(): Text[] {
    return [...this.#told.values()].flat();
  }

  /** Then it is decided again: what waits may change what is decided on. */
  async stage(): Promise<void> {
    this.#project = projectOf(this.#context.pending, this.#projectId);
    const { path: place } = this.#project;
    // Staged once more, they are still the same to who waits for them.
    this.#placing ??= this.#context.placing.begin(this.#projectId);
    for (const text of this.#all) {
      if (this.#staged.has(keyOf(text))) continue;
      // Known from now on by their values, also where files are handed on.
      this.#context.secrets.sealed(this.#projectId, text.given);
      const content = { content: Readable.from([Buffer.from(text.content)]), limit: Infinity };
      await stageUpload(place, text.upload, this.#target(text), content).catch(refuse);
      this.#staged.set(keyOf(text), text);
    }
  }

  #target({ node: { node_id, node_directory }, path, elsewhere }: Text): UploadTarget {
    const version = this.#context.log.version(this.#projectId);
    return { root: node_directory ?? '', name: path, version, ...(elsewhere ? { node: { node_id, path } } : {}) };
  }

  /** Decides again until every text of the decision is staged; then carries it out in the same turn. */
  async decided<D, R>(decide: () => D, carryOut: (decision: D) => Promise<R>): Promise<R> {
    for (;;) {
      this.begin();
      const decision = decide();
      if (this.isStaged) return carryOut(decision);
      await this.stage();
    }
  }

  /** After the event of a node: its texts take their places. Answers the names of those that have. */
  async place(nodeId: string): Promise<string[]> {
    const project = projectOf(this.#context.committed, this.#projectId);
    const placed: string[] = [];
    const texts = this.#told.get(nodeId) ?? [];
    this.#told.delete(nodeId);
    for (const { upload } of texts) this.#left.add(upload);
    this.#moving++;
    try {
      for (const { node, path, upload, elsewhere } of texts) {
        const file = { node_id: node.node_id, path, upload, root: node.node_directory ?? '' };
        const isPlaced = await placeFile(this.#context, project, file).catch(refuse);
        if (isPlaced) placed.push(path);
        if (!isPlaced || !elsewhere) this.#left.delete(upload);
      }
    } finally {
      this.#moving--;
    }
    if (this.#told.size === 0 && this.#moving === 0) this.#placed();
    return placed;
  }

  /** The compute of a node has them. */
  delivered(nodeId: string): void {
    for (const { node, upload } of this.#staged.values()) if (node.node_id === nodeId) this.#left.delete(upload);
  }

  /** At the end, however it was: what is finished, and what no event tells of. */
  async end(): Promise<void> {
    this.#placed();
    if (this.#project === null) return;
    const { path: place } = this.#context.committed.get('project', this.#projectId) ?? {};
    if (place === undefined) return removeIfDeleted(this.#context, this.#project);
    // A node that was deleted meanwhile needs no files.
    const isLeft = ({ upload, node: { node_id } }: Text): boolean =>
      this.#left.has(upload) && this.#context.committed.get('node', node_id) !== undefined;
    await takeBack(this.#context.log, async () => {
      for (const text of this.#staged.values()) if (!isLeft(text)) await discardUpload(place, text.upload);
    });
  }
}

/** null: there is none, or it is larger than any text that a request may give, or none that would come back as it was. */
const textOf = async (root: string, name: string): Promise<string | null> => {
  const file = await readProjectFile(root, name).catch(() => null);
  if (file === null) return null;
  if ('stream' in file) {
    file.stream.destroy();
    return null;
  }
  return isUtf8(file.bytes) ? file.bytes.toString('utf8') : null;
};

/**
 * Start-up texts of a node by the properties that take them, as they are now, with `%h` where they give it its name. `all`: also those that
 * do not name it.
 */
export const textsWithName = async (kind: Kind, record: NodeRecord, all = false): Promise<Properties> => {
  const { nameLine } = kind;
  const { node_directory: root } = record;
  if (nameLine === undefined || root === null) return {};
  const texts: Properties = {};
  for (const { property, name } of textsOf(kind, record)) {
    const content = await textOf(root, name);
    if (content === null) continue;
    const named = content.replace(nameLine, '$1%h');
    if (all || named !== content) texts[property] = named;
  }
  return texts;
};

/** Start-up texts with `***` in the place of secrets keep those that the files of the node have there. */
export const withKeptTexts = async (
  { secrets, kinds }: LabContext,
  record: NodeRecord,
  changes: NodeChanges,
): Promise<NodeChanges> => {
  const { properties = {} } = changes;
  const { node_directory: root, project_id } = record;
  const kind = kinds.get(record.kind);
  const kept: Properties = {};
  for (const { property, name } of kind === undefined || root === null ? [] : textsOf(kind, record)) {
    const text = properties[property];
    if (typeof text === 'string' && hasHidden(text))
      kept[property] = secrets.keptIn(project_id, text, (await textOf(root ?? '', name)) ?? '');
  }
  return Object.keys(kept).length === 0 ? changes : { ...changes, properties: { ...properties, ...kept } };
};

const keyOf = ({ node, path, sha256 }: Pick<Text, 'node' | 'path' | 'sha256'>): string =>
  `${node.node_id}/${sha256}/${path}`;

const refuse = (error: unknown): never => {
  if (error instanceof TopologError && error.code !== 'conflict' && error.code !== 'forbidden') throw error;
  throw new TopologError(
    'conflict',
    { reason: `the node's files cannot be written: ${messageOf(error)}` },
    { cause: error },
  );
};
