import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { moveTo, UNFINISHED } from '../common/durable.ts';
import { notFound } from '../common/errors.ts';
import { type PreparedFile, prepareFile } from '../files/project/prepared-file.ts';
import { streamTexts } from '../events/read.ts';
import { imageFolder, removeImage } from '../files/images.ts';
import type { AnyDraft, AnyEvent } from '../events/schemas.ts';
import { walk } from '../files/project/tree.ts';
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

/** What an event has done to a file, and by which name beside it; `upload` undefined: an earlier log does not tell. */
interface Done {
  place: string;
  upload: string | undefined;
  isGone: boolean;
}

const doneBy = ({ settings, kinds }: LabContext, event: AnyEvent): Done | null => {
  const { filesDir, dataDir } = settings;
  if (event.type === 'symbol.stored' || event.type === 'symbol.deleted')
    return {
      place: path.join(filesDir, 'symbols', event.data.file),
      upload: event.data.upload,
      isGone: event.type === 'symbol.deleted',
    };
  if (event.type === 'image.uploaded' || event.type === 'image.deleted') {
    const { kind, filename, upload } = event.data;
    const folder = kinds.get(kind)?.images?.folder;
    if (folder === undefined) return null;
    return {
      place: path.join(imageFolder(filesDir, folder), filename),
      upload,
      isGone: event.type === 'image.deleted',
    };
  }
  if (event.type !== 'license.changed' || event.data.file === undefined) return null;
  return { place: path.join(dataDir, event.data.file), upload: event.data.upload, isGone: false };
};

/**
 * At the start: what was written beside its place when the server ended takes it, or goes with it, where its event is on disk and nothing
 * later.
 */
export const settlePrepared = async (context: LabContext): Promise<void> => {
  const { settings, log, symbols } = context;
  const { dataDir, filesDir } = settings;
  const waiting = new Map<string, string>();
  const wait = (file: string): void => {
    if (file.endsWith(UNFINISHED)) waiting.set(path.basename(file).slice(1, -UNFINISHED.length), file);
  };
  for (const name of await readdir(dataDir).catch(() => [])) wait(path.join(dataDir, name));
  for (const folder of ['symbols', 'images'])
    for await (const entry of walk(filesDir, folder)) if (entry.type === 'file') wait(path.join(filesDir, entry.path));
  if (waiting.size === 0) return;
  const last = new Map<string, Done>();
  for await (const text of streamTexts(log.store, null, 1)) {
    // Few are; the others need not be read.
    if (!text.includes('"upload"')) continue;
    const done = doneBy(context, JSON.parse(text) as AnyEvent);
    if (done !== null) last.set(done.place, done);
  }
  for (const { place, upload = '', isGone } of last.values()) {
    const from = waiting.get(upload);
    if (from === undefined) continue;
    if (isGone) await removeImage(place);
    else await moveTo(from, place);
    if (path.dirname(place) === path.join(filesDir, 'symbols')) await symbols.placed(path.basename(place));
  }
};
