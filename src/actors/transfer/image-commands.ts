import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { needRoom } from '../../common/disk-space.ts';
import { invalid, notFound, TopologError } from '../../common/errors.ts';
import { SUM } from '../../emulators/shared/images/checksum.ts';
import { plainPath } from '../../files/project/files.ts';
import { imageFolder, placeImage, stageImage } from '../../files/images.ts';
import { discardUpload } from '../../files/uploads.ts';
import { draft, type LabContext } from '../context.ts';
import type { TransferCommands } from './interface.ts';
import { Mailbox } from '../../common/mailbox.ts';

/** Octets that file systems take for a name, less those of its checksum's ending. */
const LONGEST = 255 - SUM.length;

/** Images that clients bring. The event has a checksum and no content. */
export const imageCommands = ({ kinds, settings, log }: LabContext): Pick<TransferCommands, 'writeImage'> => {
  // One at a time takes its place, so that a checksum is that of the image beside it.
  const placing = new Mailbox();
  return {
    async writeImage(caller, kindName, name, { content, limit, length }) {
      const images = kinds.get(kindName)?.images;
      if (images === undefined) throw notFound('Directory of images of', kindName);
      if (name.endsWith(SUM)) throw new TopologError('forbidden', { reason: `${SUM} files are made by the server` });
      if (Buffer.byteLength(path.posix.basename(name)) > LONGEST)
        throw invalid(`the name of an image may have ${LONGEST} octets`, { field: 'filename' });
      const root = imageFolder(settings.filesDir, images.folder);
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
          await log.append([draft(caller, null, 'image.uploaded', data)]);
          await placeImage(root, upload, file, md5sum);
        } finally {
          await discardUpload(root, upload);
        }
      });
      return { bytes, md5sum };
    },
  };
};
