import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory, moveTo } from '../../common/durable.ts';
import { FORM_OF_TODAY } from '../../files/read/convert.ts';
import type { ParsedProject } from '../../files/read/parsed.ts';
import type { StagedProject } from '../../files/project/staged.ts';
import { isThere, sha256File, walk } from '../../files/project/tree.ts';
import type { LabContext } from '../context.ts';

/** New names of images whose own were taken by other content: `<folder>/<name>` to the name. */
type NewNames = ReadonlyMap<string, string>;

/**
 * Images that came with an archive, to go among this server's. One that is there already stays as it is; a name that another
 * image has is made free by a number, and the nodes follow it.
 */
export const importImages = async (
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
export const withImages = ({ kinds }: LabContext, parsed: ParsedProject, names: NewNames): ParsedProject => ({
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
