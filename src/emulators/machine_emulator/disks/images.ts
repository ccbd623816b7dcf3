import type { Missing } from '../../kit/contract.ts';
import { findImage, type ImageContext, type ImagePlaces, imagePlacesOf } from '../../shared/images/image-files.ts';
import { type ImageField, IMAGES, type Settings } from '../settings.ts';

export const imagePlaces = (context: ImageContext, nodeDirectory: string | null): ImagePlaces =>
  imagePlacesOf(context, 'QEMU', nodeDirectory);

/** Paths of all images of a machine, empty where it has none. Throws a conflict that names the image and where it was looked for. */
export const findImages = async (settings: Settings, places: ImagePlaces): Promise<Record<ImageField, string>> => {
  const found = {} as Record<ImageField, string>;
  for (const field of IMAGES) {
    const name = settings.images[field];
    found[field] = name === '' ? '' : await findImage(field, name, places);
  }
  return found;
};

/** What the settings name and there is not; null: all is there. */
export const missingImage = async (settings: Settings, places: ImagePlaces): Promise<Missing | null> => {
  for (const field of IMAGES) {
    const name = settings.images[field];
    const found = name === '' ? name : await findImage(field, name, places).catch(() => null);
    if (found === null) return { needs: `${field} ${name}`, install: `put the image into ${places.images[0]}` };
  }
  return null;
};
