import { rm } from 'node:fs/promises';
import { OWN_OF_ALL } from '../../emulators/kit/define-kind.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type { Filters, LinkFields, NodeFields, ProjectFields } from '../../events/fields.ts';
import { isOurs } from '../../common/forms/filters.ts';
import { VERSION } from '../../common/package.ts';
import { hidden } from '../../common/lab-secrets/texts.ts';
import { BOUNDS, boundedJson } from '../../common/json.ts';
import { type Bag, isBag } from '../fields/json.ts';
import type { ParsedNode, ParsedProject } from '../read/parsed.ts';
import { changed, besideFiles } from '../../model/derive.ts';
import { LINK } from '../../model/link.ts';
import { readersOf, readFields } from '../fields/field-table.ts';
import { OWN_LISTS, OWN_SETTINGS, SETTINGS_FIELDS } from '../fields/settings-fields.ts';
import { loadProjectFile, saveProjectFile } from './save.ts';

/**
 * Path of the companion file of a project file, for data that only this server knows, as existing tools refuse a lab
 * with unknown keys. JSON: `version` of this program; `settings` of the project; `nodes`, properties by node_id;
 * `kinds` by node_id of nodes written as another kind; and `links`, filters and own fields by link_id. There is no
 * file for a lab without such data.
 */
export const ownFileOf = (projectFile: string): string => `${projectFile}.topolog.json`;

const FILTERS = readersOf(LINK).filters;
const OWN_OF_LINKS = besideFiles(LINK);

interface OwnKinds {
  get(kind: string): Pick<Kind, 'own' | 'standIn'> | undefined;
}

export const ownOf = (kinds: OwnKinds, kind: string): readonly string[] => kinds.get(kind)?.own ?? OWN_OF_ALL;

const said = (from: object, keys: readonly string[]): [string, unknown][] =>
  Object.entries(from).filter(([key, value]) => keys.includes(key) && (value ?? false) !== false);

const ownFilters = (filters: object): [string, unknown][] => Object.entries(filters).filter(([name]) => isOurs(name));

/** Filters that existing tools know. */
export const knownFilters = (filters: Filters): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => !isOurs(name)));

type Lab = [project: ProjectFields, nodes: readonly NodeFields[], links: readonly LinkFields[], kinds: OwnKinds];

/** null: no such data. */
export const ownText = (...[project, nodes, links, kinds]: Lab): string | null => {
  const settings = said(project, OWN_SETTINGS);
  const properties = nodes.map((n) => [n.node_id, said(n.properties, ownOf(kinds, n.kind))] as const);
  const own = properties.filter(([, entries]) => entries.length > 0);
  const stoodFor = nodes.filter((n) => kinds.get(n.kind)?.standIn !== undefined);
  const linked = links.map((link) => [link.link_id, ownOfLink(link)] as const);
  const ownLinks = linked.filter(([, entries]) => Object.keys(entries).length > 0);
  if (settings.length + own.length + stoodFor.length + ownLinks.length === 0) return null;
  const content = {
    version: VERSION,
    settings: Object.fromEntries(settings),
    nodes: Object.fromEntries(own.map(([id, entries]) => [id, Object.fromEntries(entries)])),
    ...(stoodFor.length === 0 ? {} : { kinds: Object.fromEntries(stoodFor.map((n) => [n.node_id, n.kind])) }),
    links: Object.fromEntries(ownLinks),
  };
  return hidden(`${JSON.stringify(content, null, 4)}\n`);
};

const ownOfLink = (link: LinkFields): Bag => {
  const filters = ownFilters(link.filters);
  return {
    ...(filters.length === 0 ? {} : { filters: Object.fromEntries(filters) }),
    ...changed(OWN_OF_LINKS, link),
  };
};

export const saveOwnFile = async (projectFile: string, text: string | null): Promise<void> => {
  const file = ownFileOf(projectFile);
  if (text === null) await rm(file, { force: true });
  else await saveProjectFile(file, text);
};

/** The lab of a project file with its companion file. */
export const withOwnFile = async (
  parsed: ParsedProject,
  projectFile: string,
  kinds: OwnKinds,
): Promise<ParsedProject> => {
  const own = await readOwn(ownFileOf(projectFile));
  const settings = isBag(own['settings']) ? own['settings'] : {};
  const nodes = isBag(own['nodes']) ? own['nodes'] : {};
  const kindOf = isBag(own['kinds']) ? own['kinds'] : {};
  const links = isBag(own['links']) ? own['links'] : {};
  const { values } = readFields<object>(settings, { ...SETTINGS_FIELDS }, []);
  const flags = said(settings, OWN_SETTINGS).filter(([, value]) => value === true);
  const lists = said(values, OWN_LISTS);
  return {
    ...parsed,
    settings: { ...parsed.settings, ...Object.fromEntries([...flags, ...lists]) },
    nodes: parsed.nodes.map((read) => {
      const properties = nodes[read.node_id];
      const node = asMeant(read, kindOf[read.node_id], kinds);
      if (!isBag(properties)) return node;
      const beside = Object.fromEntries(said(properties, ownOf(kinds, node.kind)));
      return { ...node, properties: { ...node.properties, ...beside } };
    }),
    links: parsed.links.map((link) => {
      const beside = links[link.link_id];
      if (!isBag(beside)) return link;
      const filters = Object.fromEntries(ownFilters(FILTERS.read(beside['filters']) ?? {}));
      const { values } = readFields(beside, readersOf(OWN_OF_LINKS), []);
      return { ...link, ...changed(OWN_OF_LINKS, values), filters: { ...link.filters, ...filters } as Filters };
    }),
  };
};

/** A node that was written as another kind; the properties of that kind are dropped. */
const asMeant = (node: ParsedNode, kind: unknown, kinds: OwnKinds): ParsedNode => {
  const meant = typeof kind === 'string' ? kinds.get(kind) : undefined;
  if (typeof kind !== 'string' || meant?.standIn?.kind.name !== node.kind) return node;
  return { ...node, kind, properties: {} };
};

/** Empty for a missing or unreadable file: the lab is valid without it. */
const readOwn = async (file: string): Promise<Bag> => {
  try {
    const own = boundedJson((await loadProjectFile(file)).text, BOUNDS.besideIt);
    return isBag(own) ? own : {};
  } catch {
    return {};
  }
};
