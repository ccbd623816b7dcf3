import { conflict } from '../../common/errors.ts';
import type { RecordView } from '../../projections/records.ts';

export const checkProjectName = (view: RecordView, name: string, own?: string): void => {
  if (view.projects().some((p) => p.name === name && p.project_id !== own))
    throw conflict(`another project is named ${name}`, { field: 'name' });
};

/** A name that no other project has: `lab`, taken, becomes `lab-1`. */
export const uniqueProjectName = (view: RecordView, wished: string, own?: string): string => {
  const others = view.projects().filter((p) => p.project_id !== own);
  const names = new Set(others.map((p) => p.name));
  let name = wished;
  for (let n = 1; names.has(name); n++) name = `${wished}-${n}`;
  return name;
};

/** Octets of a plain name: file systems take 255, and what the server adds to it needs some. */
const MOST_OCTETS = 200;

/** A name with only such characters as a file name takes everywhere. */
export const plainName = (name: string): string => {
  const plain = name.replace(/[\\/:*?"<>|\p{Cc}\p{Cs}]/gu, '_');
  // Characters that do not fit whole go.
  const octets = Buffer.from(plain).subarray(0, MOST_OCTETS);
  return octets.toString().replace(/\ufffd{1,3}$/, '');
};

export const projectFileName = (name: string): string => `${plainName(name)}.gns3`;
