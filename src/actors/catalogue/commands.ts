import path from 'node:path';
import { notFound } from '../../common/errors.ts';
import { removeWith } from '../../files/project/prepared-file.ts';
import { draft, type LabContext } from '../context.ts';
import { takeBack } from '../runtime/outcomes.ts';
import { imageCommands } from './images.ts';
import type { CatalogueCommands } from './interface.ts';
import { refuseUsed, usesOfSymbols } from './uses.ts';

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
