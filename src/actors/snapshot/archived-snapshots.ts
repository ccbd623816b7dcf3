import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { readBounded } from '../../common/documents/file.ts';
import { BOUNDS, boundedJson } from '../../common/documents/json.ts';
import { asOneLine } from '../../common/forms/one-line.ts';
import { isBag } from '../../files/fields/json.ts';
import { SNAPSHOTS } from '../../files/project/parts.ts';

/** Files that are snapshots of existing tools' kind, with what their list says of each. */
export const archivedSnapshots = async (
  directory: string,
): Promise<{ file: string; name: string; created_at: number | null }[]> => {
  const place = path.join(directory, SNAPSHOTS);
  const files = (await readdir(place).catch(() => [])).filter((n) => /\.gns3(snapshot|project)$/.test(n)).sort();
  const listed = await readList(path.join(place, 'snapshots.conf')).catch(() => []);
  const heads = (Array.isArray(listed) ? listed : []).filter(isBag);
  return files.map((name) => {
    const head = heads.find((h) => h['filename'] === name);
    const given = head?.['name'];
    const time = head?.['created_at'];
    return {
      file: path.join(place, name),
      name:
        typeof given === 'string' && given !== ''
          ? asOneLine(given).slice(0, LENGTHS.name)
          : name.replace(/\.gns3(snapshot|project)$/, ''),
      created_at: typeof time === 'number' && Number.isSafeInteger(Math.trunc(time)) ? Math.trunc(time) : null,
    };
  });
};

/** Of some hundred snapshots. */
const readList = async (file: string): Promise<unknown> =>
  boundedJson((await readBounded(file, LENGTHS.content)).toString(), BOUNDS.besideIt);
