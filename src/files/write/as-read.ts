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
 * Values of a project file that differ from the records: nothing or null where the kind has a default, a console port
 * that another node holds, the name of a picture. They are written back as long as the record has what reading made
 * of them, so that a file differs from the one that was read only where somebody changed something.
 */

/** Differences in those keys whose values may be written back. */
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

/** Writes back unchanged values in an entry. Changes `entry`. */
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

/** Length up to which a text is stored itself. */
const BRIEF = 200;

/** Pictures are long, and only compared. */
const briefly = (value: unknown): unknown =>
  typeof value === 'string' && value.length > BRIEF
    ? { sha256: createHash('sha256').update(value).digest('hex') }
    : value;

/** Keys for which existing tools accept null. */
const NULLS = new Set(['template_id', 'console', 'console_type', 'symbol', 'first_port_name', 'supplier', 'variables']);
const isNothing = (file: Bag, key: string): boolean =>
  !Object.hasOwn(file, key) || (file[key] === null && NULLS.has(key));

/** `properties`: those of the file, with images renamed by an import. */
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

/** A drawing keeps the name of its picture in `project-files/images`. */
export const drawingAsRead = (file: Bag, made: Omit<DrawingFields, 'as_read'>): AsRead[] =>
  differences(
    file,
    made,
    Object.keys(DRAWING_FIELDS).filter((key) => isNothing(file, key) || key === 'svg'),
  );

/** Keys whose values in files of GNS3 3.x the record may not be able to hold. */
const OF_NEWEST = ['supplier', 'variables'];

/** A file of GNS3 2.2 keeps the version that wrote it; one of GNS3 3 its revision as well. */
export const projectAsRead = (file: Bag, made: Omit<ProjectFields, 'as_read'>): AsRead[] => {
  const unset = FILE_SETTINGS.filter((key) => isNothing(file, key));
  const ofLine = typeof file['version'] === 'string' && /^2\.2\.\d/.test(file['version']);
  return [
    ...differences(file, { ...made, version: TOOLS_VERSION }, [...unset, ...(ofLine ? ['version'] : [])]),
    ...newestAsRead(file, made, unset),
  ];
};

/** Keys and numbers that identify a file of GNS3 3.x. */
export const newestAsRead = (
  file: Bag,
  made: Omit<ProjectFields, 'as_read'>,
  known: readonly string[] = [],
): AsRead[] => {
  if (file['revision'] !== NEWEST) return [];
  const keys = ['revision', 'version', ...OF_NEWEST].filter((key) => !known.includes(key));
  return differences(file, { ...made, revision: REVISION, version: TOOLS_VERSION }, keys);
};

/** Revision in which a project is written. */
export const revisionOf = ({ as_read = [] }: Pick<ProjectFields, 'as_read'>): number =>
  as_read.some(({ at, file }) => at.length === 1 && at[0] === 'revision' && file === NEWEST) ? NEWEST : REVISION;

/** The project without what only GNS3 3 has. */
export const withoutNewest = (project: ProjectFields): ProjectFields => {
  const own = ['revision', 'version', ...OF_NEWEST];
  return { ...project, as_read: project.as_read?.filter(({ at: [key] }) => !own.includes(String(key))) ?? [] };
};
