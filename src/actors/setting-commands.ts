import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sealed } from '../common/sealed.ts';
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
import { takeBack } from './runtime/outcomes.ts';

/** What belongs to the server and lives in files: written beside its place first, so that the event is on disk before it counts. */
export const settingCommands = (context: LabContext): Pick<Commands, 'storeSymbol' | 'changeKindSetting'> => {
  const put = (prepared: PreparedFile, event: AnyDraft): Promise<void> =>
    context.placing.inTurn(prepared.place, async () => {
      try {
        await context.log.append([event]);
      } catch (error) {
        await takeBack(context.log, () => prepared.discard());
        throw error;
      }
      await prepared.commit();
    });
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
      const prepared = await prepareFile(path.join(dataDir, setting.file), Buffer.from(sealed(after)), 0o600);
      const { upload } = prepared;
      const { file } = setting;
      await put(prepared, draft(caller, null, 'license.changed', { ...setting.eventData(after), file, upload }));
      return after;
    },
  };
};

/** A file that an event has put in place or removed. `upload`: name of the file beside it; undefined in earlier logs. */
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
 * At the start, for files that were written beside their places when the server ended: where its event is on disk, and nothing later, each
 * takes its place, or marks what is removed. The rest is removed.
 */
export const settlePrepared = async (context: LabContext): Promise<void> => {
  const { settings, log, symbols } = context;
  const { dataDir, filesDir } = settings;
  const found = (await readdir(dataDir).catch(() => [])).map((name) => path.join(dataDir, name));
  for (const [place, folder] of [
    [dataDir, 'keys'],
    [filesDir, 'symbols'],
    [filesDir, 'images'],
  ] as const)
    for await (const entry of walk(place, folder)) if (entry.type === 'file') found.push(path.join(place, entry.path));
  const unfinished = found.filter((file) => file.endsWith(UNFINISHED));
  if (unfinished.length === 0) return;
  const waiting = new Map(unfinished.map((file) => [path.basename(file).slice(1, -UNFINISHED.length), file]));
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
  for (const file of unfinished) await rm(file, { force: true });
};
