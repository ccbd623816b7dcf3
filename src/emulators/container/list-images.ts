import { z } from 'zod';
import { engineFailed, TopologError } from '../../common/errors.ts';
import type { KindOperation } from '../kit/contract.ts';
import { findService, isService } from './find-service.ts';
import { ServiceError } from './service.ts';

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
