import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { needRoom } from '../../common/file.ts';
import { invalid, notFound, TopologError } from '../../common/errors.ts';
import { Mailbox } from '../../common/mailbox.ts';
import { SUM } from '../../emulators/shared/images/checksum.ts';
import { imageFolder, placeImage, removeImage, stageImage } from '../../files/images.ts';
import { plainPath, writableFile } from '../../files/project/files.ts';
import { removeWith } from '../../files/project/prepared-file.ts';
import { isThere } from '../../files/project/tree.ts';
import { discardUpload, readyPlace } from '../../files/uploads.ts';
import { draft, type LabContext } from '../context.ts';
import { takeBack } from '../runtime/outcomes.ts';
import type { CatalogueCommands } from './interface.ts';
import { refuseUsed, usesOfImages, usesOfSymbols } from './uses.ts';

/** Octets that file systems take for a name, less those of its checksum's ending. */
const LONGEST = 255 - SUM.length;

/** Images that clients bring and take away. The event has a checksum and no content. */
export const imageCommands = (context: LabContext): Pick<CatalogueCommands, 'writeImage' | 'deleteImage'> => {
  const { kinds, settings, log, pending } = context;
  // One at a time takes or leaves its place, in the order of the events: a checksum is that of the image beside it.
  const placing = new Mailbox();
  const rootOf = (kindName: string): string => {
    const images = kinds.get(kindName)?.images;
    if (images === undefined) throw notFound('Directory of images of', kindName);
    return imageFolder(settings.filesDir, images.folder);
  };
  return {
    async writeImage(caller, kindName, name, { content, limit, length }) {
      const root = rootOf(kindName);
      if (name.endsWith(SUM)) throw new TopologError('forbidden', { reason: `${SUM} files are made by the server` });
      if (Buffer.byteLength(path.posix.basename(name)) > LONGEST)
        throw invalid(`the name of an image may have ${LONGEST} octets`, { field: 'filename' });
      log.check();
      await needRoom(root, length ?? 0);
      const upload = randomUUID();
      const md5 = createHash('md5');
      const target = { root, name, version: log.version(null) };
      const { bytes, file } = await stageImage(upload, target, { content, limit }, md5);
      const md5sum = md5.digest('hex');
      const data = { kind: kindName, filename: plainPath(name), bytes, md5sum, upload };
      await placing.run(async () => {
        try {
          await readyPlace(target);
          await log.append([draft(caller, null, 'image.uploaded', data)]);
        } catch (error) {
          await takeBack(log, () => discardUpload(root, upload));
          throw error;
        }
        // Where it fails, the next start puts it in its place.
        await placeImage(root, upload, file, md5sum);
        await discardUpload(root, upload);
      });
      return { bytes, md5sum };
    },

    async deleteImage(caller, kindName, name) {
      const root = rootOf(kindName);
      const filename = plainPath(name);
      await placing.run(async () => {
        const file = await writableFile(root, filename);
        if (!(await isThere(file))) throw notFound('Image', filename);
        refuseUsed(filename, usesOfImages(pending, kinds, kindName).get(path.posix.basename(filename)));
        await removeWith(file, {
          append: (upload) => log.append([draft(caller, null, 'image.deleted', { kind: kindName, filename, upload })]),
          refused: (discard) => takeBack(log, discard),
          remove: () => removeImage(file),
        });
      });
    },
  };
};

/** What the server keeps for all labs. */
export const catalogueCommands = (context: LabContext): CatalogueCommands => {
  const { log, pending, settings, symbols } = context;
  return {
    ...imageCommands(context),

    async deleteSymbol(caller, name) {
      const own = (await symbols.list()).find(({ symbol_id, builtin }) => !builtin && symbol_id === name);
      if (own === undefined) throw notFound('Symbol', name);
      refuseUsed(name, usesOfSymbols(pending).get(name));
      const place = path.join(settings.filesDir, 'symbols', name);
      await context.placing.inTurn(place, () =>
        removeWith(place, {
          append: (upload) => log.append([draft(caller, null, 'symbol.deleted', { file: name, upload })]),
          refused: (discard) => takeBack(log, discard),
          remove: () => symbols.remove(name),
        }),
      );
    },
  };
};
