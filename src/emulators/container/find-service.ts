import type { EngineContext, KindNode, Missing } from '../kit/contract.ts';
import { CONTAINER_SERVICE } from '../options.ts';
import { networkLacks } from '../shared/network/privileges.ts';
import { openService, type Service, serviceAnswers, versionOf } from './service.ts';
import { settingsOf } from './settings.ts';

/** Sources of a service's address: a unix socket, as `unix:///path` or a path. */
interface ServiceLocation extends Pick<EngineContext, 'kindOptions'> {
  environment?: NodeJS.ProcessEnv;
}

const INSTALL =
  'apt-get install podman && systemctl enable --now podman.socket (or apt-get install docker.io), or name its socket with --docker-host unix:///path';

/** Opens the first service that answers, or says what is missing. One that was named is the only one that counts. */
export const findService = async ({
  kindOptions = {},
  environment = process.env,
}: ServiceLocation): Promise<Service | Missing> => {
  const named = kindOptions[CONTAINER_SERVICE.flag] ?? environment['DOCKER_HOST'] ?? '';
  if (/^(tcp|https?|ssh):\/\//.test(named))
    return {
      needs: `a container service on this machine (${named} is not a unix socket)`,
      install: 'set DOCKER_HOST or --docker-host to unix:///path',
    };
  const sockets = named === '' ? usualPlaces(environment) : [pathOf(named)];
  const answers = await Promise.all(sockets.map(serviceAnswers));
  const socket = sockets.find((_, index) => answers[index]);
  if (socket !== undefined) return openService(socket);
  return { needs: `a container service (none answers at ${sockets.join(', ')})`, install: INSTALL };
};

export const isService = (found: Service | Missing): found is Service => 'socket' in found;

const pathOf = (named: string): string => named.replace(/^(unix|npipe):\/\//, '');

/** Sockets of services, those of the system first. */
export const usualPlaces = (environment: NodeJS.ProcessEnv): string[] => {
  if (process.platform === 'win32') return [String.raw`\\.\pipe\docker_engine`];
  // A session without the variable (sudo, cron, a service) finds the same service of its user.
  const runtime = environment['XDG_RUNTIME_DIR'] ?? '';
  const runtimes = new Set([runtime, `/run/user/${process.getuid?.() ?? ''}`].filter((directory) => directory !== ''));
  return [
    '/var/run/docker.sock',
    '/run/podman/podman.sock',
    ...[...runtimes].map((directory) => `${directory}/podman/podman.sock`),
  ];
};

type Where = Pick<EngineContext, 'kindOptions'>;

/** Finds what a container, or containers in general, lack to run here. */
export const missingFor = async (where: Where, node: Pick<KindNode, 'properties'> | null): Promise<Missing | null> => {
  if (process.platform !== 'linux')
    return { needs: 'Linux', install: 'run the server on Linux, in a virtual machine if need be' };
  const found = await findService(where);
  if (!isService(found)) return found;
  if (node !== null && settingsOf(node.properties).adapters === 0) return null;
  return networkLacks(
    { socat: 'socat', ip: 'iproute2', nsenter: 'util-linux' },
    'its adapters',
    'set the adapters of the container to 0',
  );
};

export const serviceVersion = async (where: Where): Promise<string | null> => {
  const service = await findService(where);
  return isService(service) ? versionOf(service) : null;
};
