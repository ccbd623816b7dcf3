import type { EngineContext, KindNode, Missing } from '../kit/contract.ts';
import { networkLacks } from '../shared/network/privileges.ts';
import { findService, isService } from './find-service.ts';
import { lookFor } from './images.ts';
import { versionOf } from './service.ts';
import { settingsOf } from './settings.ts';

type Where = Pick<EngineContext, 'kindOptions'>;

/** What a container lacks to run here, or containers in general. */
export const missingFor = async (where: Where, node: Pick<KindNode, 'properties'> | null): Promise<Missing | null> => {
  if (process.platform !== 'linux')
    return { needs: 'Linux', install: 'run the server on Linux, in a virtual machine if need be' };
  const found = await findService(where);
  if (!isService(found)) return found;
  if (node !== null && settingsOf(node.properties).adapters === 0) return null;
  return networkLacks({ socat: 'socat', ip: 'iproute2' }, 'its adapters', 'set the adapters of the container to 0');
};

/** An image that could be pulled is not there either. */
export const missingImage = async (where: Where, image: string): Promise<Missing | null> => {
  const service = await findService(where);
  if (!isService(service)) return service;
  const there = await lookFor(service, image);
  return there === null ? { needs: `image ${image}`, install: `docker pull ${image}` } : null;
};

export const serviceVersion = async (where: Where): Promise<string | null> => {
  const service = await findService(where);
  return isService(service) ? versionOf(service) : null;
};
