import path from 'node:path';
import { conflict, notFound } from '../../common/errors.ts';
import { imageFolder, removeImage } from '../../files/images.ts';
import { plainPath, writableFile } from '../../files/project/files.ts';
import { isThere } from '../../files/project/tree.ts';
import { draft, type LabContext } from '../context.ts';
import type { CatalogueCommands } from './interface.ts';
import { sayUses, type Use, usesOfImages, usesOfSymbols } from './uses.ts';

/** What the server keeps for all labs, taken away. */
export const catalogueCommands = (context: LabContext): CatalogueCommands => {
  const { kinds, log, pending, settings, symbols } = context;
  return {
    async deleteImage(caller, kindName, name) {
      const images = kinds.get(kindName)?.images;
      if (images === undefined) throw notFound('Directory of images of', kindName);
      const filename = plainPath(name);
      const file = await writableFile(imageFolder(settings.filesDir, images.folder), filename);
      if (!(await isThere(file))) throw notFound('Image', filename);
      refuseUsed(filename, usesOfImages(pending, kinds, kindName).get(path.posix.basename(filename)));
      await log.append([draft(caller, null, 'image.deleted', { kind: kindName, filename })]);
      await removeImage(file);
    },

    async deleteSymbol(caller, name) {
      const own = (await symbols.list()).find(({ symbol_id, builtin }) => !builtin && symbol_id === name);
      if (own === undefined) throw notFound('Symbol', name);
      refuseUsed(name, usesOfSymbols(pending).get(name));
      await log.append([draft(caller, null, 'symbol.deleted', { file: name })]);
      await symbols.remove(name);
    },
  };
};

const refuseUsed = (name: string, uses: readonly Use[] = []): void => {
  if (uses.length > 0) throw conflict(`${name} is used by ${sayUses(uses)}`, { used_by: uses.slice(0, 100) });
};
