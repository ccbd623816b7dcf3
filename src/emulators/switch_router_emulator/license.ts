import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { LENGTHS } from '../../common/bounds.ts';
import type { KindSetting } from '../kit/contract.ts';

const schema = z.strictObject({ iourc_content: z.string(), license_check: z.boolean() });

/**
 * Licence of images that need one: `iourc_content` is the text of the licence file, `license_check` whether it is checked before an image
 * is started.
 */
export type License = z.infer<typeof schema>;

const FILE = 'iou_license.json';
const NONE: License = { iourc_content: '', license_check: true };

/** For engines, when the start's body has none. */
export const readLicense = async (dataDir: string): Promise<License> => {
  try {
    const { iourc_content, license_check } = JSON.parse(
      await readFile(path.join(dataDir, FILE), 'utf8'),
    ) as Partial<License>;
    return {
      iourc_content: typeof iourc_content === 'string' ? iourc_content : NONE.iourc_content,
      license_check: license_check !== false,
    };
  } catch {
    return NONE;
  }
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
