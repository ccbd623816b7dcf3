import { createHash } from 'node:crypto';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../common/errors.ts';
import { type PreparedFile, prepareFile } from '../files/project/prepared-file.ts';
import type { AnyDraft } from '../events/schemas.ts';
import type { Commands } from './commands.ts';
import { draft, type LabContext } from './context.ts';
import { kindOf } from './node/fields.ts';

/** What belongs to the server and lives in files: written beside its place first, so that the event is on disk before it counts. */
export const settingCommands = (context: LabContext): Pick<Commands, 'storeSymbol' | 'changeKindSetting'> => {
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
      const { file, bytes, upload } = prepared;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await put(prepared, draft(caller, null, 'symbol.stored', { file, bytes: bytes.length, sha256, upload }));
    },

    async changeKindSetting(caller, kind, changes) {
      const { dataDir } = context.settings;
      const { setting } = kindOf(context, kind);
      if (setting === undefined) throw notFound('Setting of', kind);
      const before = await setting.read(dataDir);
      const after = { ...before, ...changes };
      if (isDeepStrictEqual(after, before)) return after;
      const prepared = await prepareFile(path.join(dataDir, setting.file), Buffer.from(JSON.stringify(after)), 0o600);
      const { upload } = prepared;
      await put(prepared, draft(caller, null, 'license.changed', { ...setting.told(after), upload }));
      return after;
    },
  };
};
