import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AsRead, DrawingFields, LinkFields, NodeFields, ProjectFields } from '../../events/fields.ts';
import { TOOLS_VERSION } from '../../common/package.ts';
import { NEWEST, REVISION } from '../read/convert.ts';
import { type Bag, isBag } from '../fields/json.ts';
import { NODE_FIELDS } from '../fields/node-fields.ts';
import { DRAWING_FIELDS } from '../read/drawings.ts';
import { LINK_FIELDS } from '../read/links.ts';
import { knownFilters } from './own-file.ts';
import { FILE_SETTINGS } from '../fields/settings-fields.ts';

/**
 * What a project file has where the records have something else: nothing or null where the kind has a default, a console port that
 * another node holds, the name of a picture. It is written back for as long as the record says what reading made of it, so that a
 * file differs from the one that was read only where somebody changed something.
 */

/** Differences of the keys of which what the file has may be written again. */
const differences = (file: Bag, made: object, keys: Iterable<string>, at: AsRead['at'] = []): AsRead[] =>
  [...new Set(keys)]
    .filter((key) => !isDeepStrictEqual(file[key], (made as Bag)[key]))
    .map((key) => {
      const value = (made as Bag)[key];
      return {
        at: [...at, key],
        ...(Object.hasOwn(file, key) ? { file: file[key] } : {}),
        ...(value === undefined ? {} : { made: briefly(value) }),
      };
    });

/** The entry of the file with everything that is still as it was read. Changes `entry`. */
export const withAsRead = <T extends object>(entry: T, asRead: readonly AsRead[] | undefined): T => {
  for (const { at, made, ...read } of asRead ?? []) {
    const key = at.at(-1) ?? '';
    const place = at.slice(0, -1).reduce<unknown>((value, step) => (value as Bag | undefined)?.[step], entry);
    if (typeof place !== 'object' || place === null) continue;
    if (!isDeepStrictEqual(briefly((place as Bag)[key]), made)) continue;
    if ('file' in read) (place as Bag)[key] = read.file;
    else Reflect.deleteProperty(place, key);
  }
  return entry;
};

/** Characters up to which a text stands for itself. */
const BRIEF = 200;

/** Pictures are long, and only compared. */
const briefly = (value: unknown): unknown =>
  typeof value === 'string' && value.length > BRIEF
    ? { sha256: createHash('sha256').update(value).digest('hex') }
    : value;

/** What existing tools take null for. */
const NULLS = new Set(['template_id', 'console', 'console_type', 'symbol', 'first_port_name', 'supplier', 'variables']);
const isNothing = (file: Bag, key: string): boolean =>
  !Object.hasOwn(file, key) || (file[key] === null && NULLS.has(key));

/** `properties`: as the file has them, but for the names of images that an import has brought. */
export const nodeAsRead = (file: Bag, properties: Bag, made: Omit<NodeFields, 'as_read'>): AsRead[] => {
  const keys = Object.keys(NODE_FIELDS).filter((key) => !['name', 'compute_id', 'properties'].includes(key));
  const isWish = (key: string): boolean => key === 'console' && !Object.hasOwn(made.extra, key);
  return [
    ...differences(
      file,
      made,
      keys.filter((key) => isNothing(file, key) || isWish(key)),
    ),
    ...differences(properties, made.properties, Object.keys({ ...properties, ...made.properties }), ['properties']),
  ];
};

export const linkAsRead = (file: Bag, made: Omit<LinkFields, 'as_read'>): AsRead[] => {
  const isTidied = (key: string): boolean => key === 'filters' && !Object.hasOwn(made.extra, key) && isBag(file[key]);
  const ends = Array.isArray(file['nodes']) ? (file['nodes'] as unknown[]) : [];
  return [
    ...differences(
      file,
      { ...made, filters: knownFilters(made.filters) },
      Object.keys(LINK_FIELDS).filter((key) => isNothing(file, key) || isTidied(key)),
    ),
    ...ends.flatMap((end, i) =>
      isBag(end) ? differences(end, made.nodes[i] ?? {}, isNothing(end, 'label') ? ['label'] : [], ['nodes', i]) : [],
    ),
  ];
};

/** A picture keeps its name in `project-files/images`. */
export const drawingAsRead = (file: Bag, made: Omit<DrawingFields, 'as_read'>): AsRead[] =>
  differences(
    file,
    made,
    Object.keys(DRAWING_FIELDS).filter((key) => isNothing(file, key) || key === 'svg'),
  );

/** Keys of a project of GNS3 3.x that its record has no place for. */
const OF_NEWEST = ['supplier', 'variables'];

/** A file of the line whose files we write keeps the version that wrote it; one of the line 3 its revision as well. */
export const projectAsRead = (file: Bag, made: Omit<ProjectFields, 'as_read'>): AsRead[] => {
  const unset = FILE_SETTINGS.filter((key) => isNothing(file, key));
  const ofLine = typeof file['version'] === 'string' && /^2\.2\.\d/.test(file['version']);
  return [
    ...differences(file, { ...made, version: TOOLS_VERSION }, [...unset, ...(ofLine ? ['version'] : [])]),
    ...newestAsRead(file, made, unset),
  ];
};

/** Keys and numbers by which a file is one of GNS3 3.x. */
export const newestAsRead = (
  file: Bag,
  made: Omit<ProjectFields, 'as_read'>,
  known: readonly string[] = [],
): AsRead[] => {
  if (file['revision'] !== NEWEST) return [];
  const keys = ['revision', 'version', ...OF_NEWEST].filter((key) => !known.includes(key));
  return differences(file, { ...made, revision: REVISION, version: TOOLS_VERSION }, keys);
};

/** Revision of the file that is written of a project. */
export const revisionOf = ({ as_read = [] }: Pick<ProjectFields, 'as_read'>): number =>
  as_read.some(({ at, file }) => at.length === 1 && at[0] === 'revision' && file === NEWEST) ? NEWEST : REVISION;

/** The project without what only the line 3 has of it. */
export const withoutNewest = (project: ProjectFields): ProjectFields => {
  const own = ['revision', 'version', ...OF_NEWEST];
  return { ...project, as_read: project.as_read?.filter(({ at: [key] }) => !own.includes(String(key))) ?? [] };
};
