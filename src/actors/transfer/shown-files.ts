import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { readBounded } from '../../common/file.ts';
import { hasReferences } from '../../common/lab-secrets/texts.ts';
import { textsOf } from '../../emulators/kit/text-files.ts';
import type { ArchiveItem } from '../../files/archive/write-archive.ts';
import type { NodeRecord, ProjectRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';

/** Files of a project as an archive has them: with `***` in the place of secrets. */
export class ShownFiles {
  readonly #context: LabContext;
  readonly #project: ProjectRecord;
  /** Paths of files that configure a node, below the project, and the node's name. */
  readonly #configs = new Map<string, string>();

  constructor(context: LabContext, project: ProjectRecord) {
    this.#context = context;
    this.#project = project;
    for (const node of context.committed.ofProject('node', project.project_id))
      for (const file of configsOf(context, node)) this.#configs.set(path.relative(project.path, file), node.name);
  }

  /** Sentences about whose secrets are left out, as far as it is known before. */
  async leftOut(): Promise<string[]> {
    const { path: root, project_id, variables } = this.#project;
    const nodes = this.#context.committed.ofProject('node', project_id);
    const names = new Set(nodes.filter(({ properties }) => hasReferences(properties)).map(({ name }) => name));
    for (const [file, name] of this.#configs) if ((await this.#shown(root, file)) !== null) names.add(name);
    return [
      ...(hasReferences(variables) ? ['secret variables'] : []),
      ...(names.size === 0 ? [] : [`secrets of ${[...names].join(', ')}`]),
    ];
  }

  async item(item: ArchiveItem, root: string): Promise<ArchiveItem> {
    const text = 'file' in item ? await this.#shown(root, item.name) : null;
    return text === null ? item : { name: item.name, text };
  }

  /** null: it has none, or is no text. */
  async #shown(root: string, name: string): Promise<string | null> {
    const { secrets } = this.#context;
    const { project_id } = this.#project;
    const isConfig = this.#configs.has(name);
    if (!isConfig && !secrets.has(project_id)) return null;
    const bytes = await readBounded(path.join(root, name), LENGTHS.content).catch(() => null);
    if (bytes === null || !isUtf8(bytes)) return null;
    const text = bytes.toString();
    const shown = isConfig ? secrets.shown(project_id, text) : secrets.shownValues(project_id, text);
    return shown === text ? null : shown;
  }
}

const configsOf = ({ kinds }: LabContext, node: NodeRecord): string[] => {
  const kind = kinds.get(node.kind);
  const { node_directory: root } = node;
  if (kind === undefined || root === null) return [];
  const names = [...(kind.configFiles?.(node) ?? []), ...textsOf(kind, node).map(({ name }) => name)];
  return names.map((name) => path.join(root, name));
};
