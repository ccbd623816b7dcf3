import type { Client } from '../../store/api.ts';
import { sayBytes } from '../../store/jobs.ts';
import { withTask } from '../../store/tasks.ts';
import { t } from '../../words/words.ts';

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
  // What a service keeps is listed by another name, and comes from a registry.
  return { images, hasStore: list.every((image) => 'filename' in image) };
};

/** Sends a file to a compute, by way of the controller, showing how far it is. */
export const uploadImage = (client: Client, { computeId, nodeType }: ImagePlace, file: File): Promise<void> => {
  const request = new XMLHttpRequest();
  const parts = [computeId, nodeType, 'images', file.name].map(encodeURIComponent).join('/');
  return withTask(
    t('Uploading {name}', { name: file.name }),
    (task) =>
      new Promise<void>((resolve, reject) => {
        request.upload.onprogress = ({ loaded, total }) =>
          task.report(t('{done} of {total} sent', { done: sayBytes(loaded), total: sayBytes(total) }), loaded / total);
        request.onload = () =>
          request.status < 300 ? resolve() : reject(new Error(messageOf(request.responseText, request.status)));
        request.onerror = () => reject(new TypeError('nobody answers'));
        request.onabort = () => reject(new DOMException('cancelled', 'AbortError'));
        request.open('POST', `${client.url}/v2/computes/${parts}`);
        request.send(file);
      }),
    () => request.abort(),
  );
};

const messageOf = (body: string, status: number): string => {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // It was not the server that answered.
  }
  return t('The upload failed ({status}).', { status });
};
