import { conflict } from '../../common/errors.ts';
import type { Kind, Properties } from '../../emulators/kit/contract.ts';
import type { RecordView } from '../../projections/records.ts';

/** Somebody who needs a file of the server. */
export interface Use {
  what: 'node' | 'template';
  id: string;
  name: string;
  /** Of a node: its lab. */
  project_id: string | null;
  project: string | null;
}

interface Kinds {
  get(kind: string): Kind | undefined;
}

/** Nodes of all labs, closed ones as well, and templates, with the names of what they need. */
function* users(view: RecordView): Generator<{ use: Use; kind: string; settings: Properties; symbol: string | null }> {
  for (const { project_id, name: project } of view.projects())
    for (const { node_id, name, kind, properties, symbol } of view.ofProject('node', project_id)) {
      const use: Use = { what: 'node', id: node_id, name, project_id, project };
      yield { use, kind, settings: properties, symbol };
    }
  for (const { template_id, name, kind, settings, symbol } of view.ofServer('template')) {
    const use: Use = { what: 'template', id: template_id, name, project_id: null, project: null };
    yield { use, kind, settings, symbol };
  }
}

const gather = (found: Map<string, Use[]>, key: string, use: Use): void => {
  const list = found.get(key);
  if (list === undefined) found.set(key, [use]);
  else list.push(use);
};

const lastOf = (name: string): string => name.split(/[\\/]/).at(-1) ?? name;

/** By the last part of an image's name, which is what a start looks for, of one kind. */
export const usesOfImages = (view: RecordView, kinds: Kinds, kindName: string): ReadonlyMap<string, Use[]> => {
  const fields = kinds.get(kindName)?.images?.fields ?? [];
  const found = new Map<string, Use[]>();
  for (const { use, kind, settings } of users(view)) {
    if (kind !== kindName) continue;
    const names = fields.map((field) => settings[field]).filter((name) => typeof name === 'string' && name !== '');
    for (const name of new Set(names.map(String).map(lastOf))) gather(found, name, use);
  }
  return found;
};

/** By the last part of what the records call a symbol. */
export const usesOfSymbols = (view: RecordView): ReadonlyMap<string, Use[]> => {
  const found = new Map<string, Use[]>();
  for (const { use, symbol } of users(view))
    if (symbol !== null && !symbol.startsWith(':/')) gather(found, lastOf(symbol), use);
  return found;
};

/** So many are named in a sentence. */
const MOST = 3;

/** Why something stays: `PC1 of lab, and 2 more, use it`. */
const sayUses = (uses: readonly Use[]): string => {
  const named = uses
    .slice(0, MOST)
    .map(({ what, name, project }) => (what === 'template' ? `the template ${name}` : `${name} in ${project ?? ''}`));
  const more = uses.length - named.length;
  return `${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
};

export const refuseUsed = (name: string, uses: readonly Use[] = []): void => {
  if (uses.length > 0) throw conflict(`${name} is used by ${sayUses(uses)}`, { used_by: uses.slice(0, 100) });
};
