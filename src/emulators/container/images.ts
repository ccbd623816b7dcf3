import { z } from 'zod';
import { conflict, engineFailed, messageOf, TopologError } from '../../common/errors.ts';
import type { EngineContext, KindNode, KindOperation, Missing } from '../kit/contract.ts';
import { findService, isService } from './find-service.ts';
import { type Service, ServiceError } from './service.ts';

/** Program that an image starts. */
export interface Image {
  id: string;
  entrypoint: string[];
  command: string[];
  /** Paths whose content it wants to be kept. */
  volumes: string[];
}

interface InspectedImage {
  Id: string;
  Config: { Entrypoint: string[] | null; Cmd: string[] | null; Volumes?: Record<string, unknown> | null } | null;
}

/** Looks for an image and has it pulled when it is missing. Throws a conflict when it cannot be had. */
export const ensureImage = async (
  service: Service,
  image: string,
  node: KindNode,
  signal: AbortSignal,
): Promise<Image> => {
  const there = await findLocalImage(service, image);
  if (there !== null) return there;
  await pull(service, image, node, signal);
  const pulled = await findLocalImage(service, image);
  if (pulled === null) throw noImage(node, image, 'the service has pulled it and does not have it');
  return pulled;
};

const findLocalImage = async (service: Service, image: string): Promise<Image | null> => {
  try {
    const { Id, Config } = await service.call<InspectedImage>('GET', `/images/${image}/json`);
    const volumes = Object.keys(Config?.Volumes ?? {});
    return { id: Id, entrypoint: Config?.Entrypoint ?? [], command: Config?.Cmd ?? [], volumes };
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
};

/** An image that could be pulled is not there either. */
export const missingImage = async (
  where: Pick<EngineContext, 'kindOptions'>,
  image: string,
): Promise<Missing | null> => {
  const service = await findService(where);
  if (!isService(service)) return service;
  const there = await findLocalImage(service, image);
  return there === null ? { needs: `image ${image}`, install: `docker pull ${image}` } : null;
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

interface Listed {
  RepoTags: string[] | null;
}

/** Images that the service has, by the names that a node can have as its image. */
export const listImages: KindOperation = {
  method: 'GET',
  path: 'images',
  summary: 'Images that the container service has',
  code: 200,
  output: z.array(z.strictObject({ image: z.string() })),
  async run(_args, context, signal) {
    const service = await findService(context);
    if (!isService(service)) throw new TopologError('engine_missing', { what: 'The list of images', ...service });
    try {
      const all = await service.call<Listed[]>('GET', '/images/json', { query: { all: false }, signal });
      const names = new Set(all.flatMap(({ RepoTags }) => RepoTags ?? []).filter((tag) => tag !== '<none>:<none>'));
      return [...names].sort().map((image) => ({ image }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw engineFailed('The list of images', error.message);
    }
  },
};
