import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Licence of images that need one: `iourc_content` is the text of the licence file, a secret. */
export interface License {
  iourc_content: string;
  /** Whether the licence is checked before an image is started. */
  license_check: boolean;
}

/** The file of the setting; only the user of the server can read it, and no event has what it says. */
export const licenseFile = (dataDir: string): string => path.join(dataDir, 'iou_license.json');

const NONE: License = { iourc_content: '', license_check: true };

/** The setting; without one, or with a damaged one, no licence. For engines, when the start's body has none. */
export const readLicense = async (dataDir: string): Promise<License> => {
  try {
    const { iourc_content, license_check } = JSON.parse(
      await readFile(licenseFile(dataDir), 'utf8'),
    ) as Partial<License>;
    return {
      iourc_content: typeof iourc_content === 'string' ? iourc_content : NONE.iourc_content,
      license_check: license_check !== false,
    };
  } catch {
    return NONE;
  }
};
