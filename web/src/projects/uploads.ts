import { type Entry, zipOf } from '../store/zip.ts';

/** A lab to be sent: as the archive that the server takes. */
export interface Upload {
  /** Name for people. */
  readonly title: string;
  readonly archive: Blob;
}

const PROJECT_FILE = /\.gns3$/i;
const ARCHIVE = /\.(gns3project|gns3p|zip)$/i;

/** Labs among files that were given: archives as they are; project files with everything that lies beside and below them. */
export const uploadsOf = async (entries: readonly Entry[]): Promise<Upload[]> => {
  const archives = entries.filter(({ path }) => ARCHIVE.test(path) && depthOf(path) === 0);
  const projects = entries.filter(({ path }) => PROJECT_FILE.test(path));
  const packed = projects.map(async ({ path, content }) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const isOwn = (entry: Entry): boolean =>
      folder !== '' && entry.path.startsWith(folder) && !PROJECT_FILE.test(entry.path);
    const beside = entries.filter(isOwn).map((entry) => ({ ...entry, path: entry.path.slice(folder.length) }));
    return { title: titleOf(path), archive: await zipOf([{ path: 'project.gns3', content }, ...beside]) };
  });
  return [
    ...archives.map(({ path, content }) => ({ title: titleOf(path), archive: content })),
    ...(await Promise.all(packed)),
  ];
};

const depthOf = (path: string): number => path.split('/').length - 1;

const titleOf = (path: string): string =>
  (path.split('/').at(-1) ?? path).replace(PROJECT_FILE, '').replace(ARCHIVE, '');

/** Files of a drop, those in dropped folders as well. Must be called while the event lasts. */
export const filesOf = (data: DataTransfer): Promise<Entry[]> => {
  const lists = [...data.items].map((item) => {
    const [entry, content] = [item.webkitGetAsEntry(), item.getAsFile()];
    if (entry !== null) return walk(entry);
    // Dropped content without a folder, as files of other programs.
    return Promise.resolve(content === null ? [] : [{ path: content.name, content }]);
  });
  return Promise.all(lists).then((found) => found.flat());
};

const walk = async (entry: FileSystemEntry): Promise<Entry[]> => {
  if (isFile(entry)) {
    const content = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ''), content }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Entry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const child of some) found.push(...(await walk(child)));
  }
};

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** Files of a file field, with their paths where a folder was chosen. */
export const chosenFiles = (files: readonly File[]): Entry[] =>
  files.map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    content: file,
  }));
