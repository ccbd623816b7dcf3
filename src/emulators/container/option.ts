import type { KindOption } from '../kit/kind-option.ts';

/** Where the container service is; without it, at `DOCKER_HOST` or one of the usual places. */
export const CONTAINER_SERVICE: KindOption = {
  flag: 'docker-host',
  value: 'URL',
  form: 'unix:///path',
  help: 'container service, unix:///path ($DOCKER_HOST, then where Docker and Podman listen)',
};
