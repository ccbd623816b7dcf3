import type { Overviews } from '../store/projects.ts';
import type { Project } from '../store/records.ts';

/** Part of the list that somebody wants to see. */
export interface ListFilter {
  /** Part of a name, a tag or a folder; empty: everything of the folder. */
  readonly sought: string;
  /** From the outermost on. */
  readonly folder: readonly string[];
  readonly tag: string | null;
  readonly order: 'name' | 'changed';
}

export const NO_FILTER: ListFilter = { sought: '', folder: [], tag: null, order: 'changed' };

export interface ProjectList {
  /** Folders of the folder that is shown, by name, with how many projects they and theirs have. */
  readonly folders: readonly { readonly name: string; readonly count: number }[];
  readonly projects: readonly Project[];
}

export const folderOf = ({ folder }: Project): readonly string[] => folder ?? [];
export const tagsOf = ({ tags }: Project): readonly string[] => tags ?? [];
const byName = (a: string, b: string): number => a.localeCompare(b, undefined, { numeric: true });

/** Every tag with how many projects have it, by name. */
export const tagsIn = (projects: readonly Project[]): readonly { readonly name: string; readonly count: number }[] => {
  const counts = new Map<string, number>();
  for (const project of projects) for (const tag of tagsOf(project)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => byName(a.name, b.name));
};

/** Projects and folders to be shown. What is sought is sought in every folder below the one that is shown. */
export const listProjects = (projects: readonly Project[], overviews: Overviews, wanted: ListFilter): ProjectList => {
  const { folder, tag, order } = wanted;
  const words = wanted.sought.trim().toLowerCase();
  const isSought = words !== '' || tag !== null;
  const below = projects.filter((project) => folder.every((name, index) => folderOf(project)[index] === name));
  const counts = new Map<string, number>();
  for (const project of below) {
    const name = folderOf(project)[folder.length];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isFound = (project: Project): boolean =>
    (tag === null || tagsOf(project).includes(tag)) &&
    [project.name ?? '', ...tagsOf(project), ...folderOf(project)].some((text) => text.toLowerCase().includes(words));
  const found = below.filter((project) => (isSought ? isFound(project) : folderOf(project).length === folder.length));
  const changedAt = ({ project_id }: Project): string => overviews.get(project_id)?.changed_at ?? '';
  const compare = (a: Project, b: Project): number =>
    order === 'changed' && changedAt(a) !== changedAt(b)
      ? changedAt(b).localeCompare(changedAt(a))
      : byName(a.name ?? '', b.name ?? '');
  return {
    folders: isSought
      ? []
      : [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => byName(a.name, b.name)),
    projects: found.toSorted(compare),
  };
};

/** Folders as they are typed: `Course / Week 1`. */
export const sayFolder = (folder: readonly string[]): string => folder.join(' / ');
export const readFolder = (text: string): string[] =>
  text
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Tags as they are typed: `ospf, exam`. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
