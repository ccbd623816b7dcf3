import { conflict, messageOf } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';
import { type Service, ServiceError } from './service.ts';

/** What an image starts. */
export interface Image {
  entrypoint: string[];
  command: string[];
}

interface InspectedImage {
  Config: { Entrypoint: string[] | null; Cmd: string[] | null } | null;
}

/** Looks for an image and has it pulled when it is missing. Throws a conflict when it cannot be had. */
export const ensureImage = async (
  service: Service,
  image: string,
  node: KindNode,
  signal: AbortSignal,
): Promise<Image> => {
  const there = await lookFor(service, image);
  if (there !== null) return there;
  await pull(service, image, node, signal);
  const pulled = await lookFor(service, image);
  if (pulled === null) throw noImage(node, image, 'the service has pulled it and does not have it');
  return pulled;
};

export const lookFor = async (service: Service, image: string): Promise<Image | null> => {
  try {
    const { Config } = await service.call<InspectedImage>('GET', `/images/${image}/json`);
    return { entrypoint: Config?.Entrypoint ?? [], command: Config?.Cmd ?? [] };
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
};

const pull = async (service: Service, image: string, node: KindNode, signal: AbortSignal): Promise<void> => {
  try {
    const query = { fromImage: image };
    // Errors come in the answer, which has begun with status 200.
    for await (const { error } of service.lines('POST', '/images/create', { query, signal }))
      if (typeof error === 'string') throw new Error(error);
  } catch (error) {
    signal.throwIfAborted();
    throw noImage(node, image, messageOf(error));
  }
};

const noImage = ({ name }: KindNode, image: string, reason: string): Error =>
  conflict(
    `${name}: image ${image} is not there and cannot be pulled (${reason}); pull or load it where this server runs: docker pull ${image}`,
    { field: 'image' },
  );
