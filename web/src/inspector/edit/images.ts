import type { Client } from 'topolog/client';
import { sendFile } from '../../app/send-file.ts';

/** Where images are: at a compute, for a kind of node. */
export interface ImagePlace {
  readonly computeId: string;
  readonly nodeType: string;
}

export interface Images {
  readonly images: readonly string[];
  /** They are files that can be uploaded. */
  readonly hasStore: boolean;
}
export const NO_IMAGES: Images = { images: [], hasStore: false };

/** Names of the images that a compute has for a kind. Throws what the server says. */
export const imagesAt = async (
  client: Client,
  { computeId, nodeType }: ImagePlace,
  signal: AbortSignal,
): Promise<Images> => {
  const list = await client.get('/v2/computes/{compute_id}/{emulator}/images', {
    path: { compute_id: computeId, emulator: nodeType },
    signal,
  });
  const images = list.map((image) => ('filename' in image ? image.filename : image.image)).sort();
  // Images of a service are listed under another name, and come from a registry.
  return { images, hasStore: list.every((image) => 'filename' in image) };
};

/** Sends a file to a compute, by way of the controller, showing how far it is. `name`: of the image; absent: the file's. */
export const uploadImage = (
  client: Client,
  { computeId, nodeType }: ImagePlace,
  file: File,
  name: string = file.name,
): Promise<void> => {
  const parts = [computeId, nodeType, 'images', name].map(encodeURIComponent).join('/');
  return sendFile(client, `/v2/computes/${parts}`, file, name);
};
