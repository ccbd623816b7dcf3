import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { licenseFile, readLicense } from '../emulators/switch_router_emulator/license.ts';
import { type PreparedFile, prepareFile } from '../files/project/prepared-file.ts';
import type { AnyDraft } from '../events/schemas.ts';
import type { Commands } from './commands.ts';
import { draft, type LabContext } from './context.ts';

/** What belongs to the server and lives in files: written beside its place first, so that the event is on disk before it counts. */
export const settingCommands = (context: LabContext): Pick<Commands, 'storeSymbol' | 'changeLicense'> => {
  const put = async (prepared: PreparedFile, event: AnyDraft): Promise<void> => {
    try {
      await context.log.append([event]);
    } catch (error) {
      await prepared.discard();
      throw error;
    }
    await prepared.commit();
  };
  return {
    async storeSymbol(caller, name, given) {
      const prepared = await context.symbols.prepare(name, given);
      const { file, bytes } = prepared;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await put(prepared, draft(caller, null, 'symbol.stored', { file, bytes: bytes.length, sha256 }));
    },

    async changeLicense(caller, changes) {
      const { dataDir } = context.settings;
      const before = await readLicense(dataDir);
      const license = { ...before, ...changes };
      if (isDeepStrictEqual(license, before)) return license;
      const prepared = await prepareFile(licenseFile(dataDir), Buffer.from(JSON.stringify(license)), 0o600);
      const present = license.iourc_content !== '';
      await put(prepared, draft(caller, null, 'license.changed', { license: 'iou', present }));
      return license;
    },
  };
};
