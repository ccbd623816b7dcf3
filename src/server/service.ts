import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileSort } from '../common/file-sort.ts';
import type { Config } from './config.ts';
import type { Kind } from '../emulators/kit/contract.ts';
import { hostInterfaces } from '../emulators/shared/host/interfaces.ts';
import { createLoad, createStatistics } from '../emulators/shared/host/statistics.ts';
import { notFound } from '../common/errors.ts';
import { imagePlacesOf } from '../emulators/shared/images/image-files.ts';
import { listImages, openImage } from '../files/images.ts';
import { builtPage, openPage } from '../files/pages.ts';
import type { HttpDeps } from '../http/server/server.ts';

export const DEBUG_FILE: FileSort = {
  ...{ name: 'debug', what: 'a text for those who look for a fault', at: ['debug/debug.txt'], changed: 'idle' },
};

const placesOf = ({ filesDir, local, imageDirectories }: Config, { name, images }: Kind) => {
  if (images === undefined) throw notFound('Directory of images of', name);
  const { folder, isImage } = images;
  return { places: imagePlacesOf({ filesDir, local, imageDirectories }, folder, null), isImage };
};

/** The images that there are of a kind that has some. */
export const imagesOfKind = (config: Config, kind: Kind): ReturnType<typeof listImages> => {
  const { places, isImage } = placesOf(config, kind);
  return listImages(places, isImage);
};

/** What the facade is given of the machine, of images and of the server as a whole. */
export const serviceParts = async (
  config: Config,
  control: Pick<HttpDeps['control'], 'handOver' | 'reload' | 'shutdown'>,
): Promise<Pick<HttpDeps, 'host' | 'images' | 'control' | 'page' | 'pages'>> => {
  const { dataDir, consoleRange, udpRange, webUi } = config;
  return {
    ...(webUi === null ? { page: await builtPage() } : { pages: { open: (name: string) => openPage(webUi, name) } }),
    host: {
      statistics: createStatistics(dataDir),
      load: createLoad(),
      interfaces: hostInterfaces,
      consoleRange,
      udpRange,
    },
    images: {
      list: (kind) => imagesOfKind(config, kind),
      open: (kind, name) => openImage(placesOf(config, kind).places, name),
    },
    control: {
      ...control,
      async writeDebug(text) {
        const directory = path.join(dataDir, 'debug');
        await mkdir(directory, { recursive: true });
        await writeFile(path.join(directory, 'debug.txt'), text);
      },
    },
  };
};
