import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { LENGTHS } from '../../common/bounds.ts';
import { unsealed } from '../../common/sealed.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import type { KindSetting } from '../kit/contract.ts';

const schema = z.strictObject({ iourc_content: z.string(), license_check: z.boolean() });

/**
 * Licence of images that need one: `iourc_content` is the text of the licence file, `license_check` whether it is checked before an image
 * is started.
 */
export type License = z.infer<typeof schema>;

const FILE = 'iou_license.json';
const NONE: License = { iourc_content: '', license_check: true };

/** Files of earlier versions may lack one. */
const kept = z.strictObject({ iourc_content: z.string().exactOptional(), license_check: z.boolean().exactOptional() });

/** For engines, when the start's body has none. Throws a conflict for one that is damaged. */
export const readLicense = async (dataDir: string): Promise<License> => {
  const file = path.join(dataDir, FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw conflict(`the licence ${file} cannot be read: ${messageOf(error)}`);
  });
  return text === null
    ? NONE
    : { ...NONE, ...unsealed(text, kept, `the licence ${file}`, 'remove it, and set the licence again') };
};

export const LICENSE: KindSetting = {
  path: '/v2/iou_license',
  summaries: {
    read: 'Licence that images are started with when a start brings none',
    change: 'Change that licence; fields not sent keep their value',
  },
  schema,
  changes: z.strictObject({
    iourc_content: z.string().max(LENGTHS.content).exactOptional(),
    license_check: z.boolean().exactOptional(),
  }),
  file: FILE,
  read: readLicense,
  told: ({ iourc_content }) => ({ license: 'iou', present: iourc_content !== '' }),
};
