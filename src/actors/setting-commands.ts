import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { moveTo, UNFINISHED } from '../common/durable.ts';
import { notFound } from '../common/errors.ts';
import { type PreparedFile, prepareFile } from '../files/project/prepared-file.ts';
import { streamTexts } from '../events/read.ts';
import type { AnyDraft, AnyEvent } from '../events/schemas.ts';
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
      const { file } = setting;
      await put(prepared, draft(caller, null, 'license.changed', { ...setting.told(after), file, upload }));
      return after;
    },
  };
};

/** Where an event has put a file, and which upload that was; undefined: it is gone, or an earlier log does not tell. */
const placed = (settings: LabContext['settings'], event: AnyEvent): [string, string | undefined] | null => {
  if (event.type === 'symbol.stored')
    return [path.join(settings.filesDir, 'symbols', event.data.file), event.data.upload];
  if (event.type === 'symbol.deleted') return [path.join(settings.filesDir, 'symbols', event.data.file), undefined];
  if (event.type !== 'license.changed' || event.data.file === undefined) return null;
  return [path.join(settings.dataDir, event.data.file), event.data.upload];
};

/** At the start: what was written beside its place when the server ended takes it where its event is on disk, and nothing later. */
export const settleSettings = async ({ settings, log, symbols }: LabContext): Promise<void> => {
  const own = path.join(settings.filesDir, 'symbols');
  const waiting = new Map<string, string>();
  for (const place of [settings.dataDir, own])
    for (const name of await readdir(place).catch(() => []))
      if (name.endsWith(UNFINISHED)) waiting.set(name.slice(1, -UNFINISHED.length), path.join(place, name));
  if (waiting.size === 0) return;
  const last = new Map<string, string | undefined>();
  for await (const text of streamTexts(log.store, null, 1)) {
    // Few are; the others need not be read.
    if (!text.includes('"upload"') && !text.includes('"symbol.')) continue;
    const found = placed(settings, JSON.parse(text) as AnyEvent);
    if (found !== null) last.set(...found);
  }
  for (const [place, upload = ''] of last) {
    const from = waiting.get(upload);
    if (from === undefined) continue;
    await moveTo(from, place);
    if (path.dirname(place) === own) await symbols.placed(path.basename(place));
  }
};
