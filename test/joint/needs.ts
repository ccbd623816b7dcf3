import { which } from '../../src/emulators/shared/process/find-program.ts';
import { findGuest, type Guest } from '../support/guest.ts';
import { podmanLacks } from '../support/podman.ts';

/** One of these makes a NAT. */
const NATS = ['passt', 'libslirp-helper'];

/** What a lab of real emulators needs here; a text says what there is not. */
export const findNeeds = async (): Promise<Guest | string> => {
  const podman = await podmanLacks();
  if (podman !== null) return podman;
  if ((await which('vpcs')) === null) return 'vpcs is not installed';
  const nats = await Promise.all(NATS.map(which));
  if (nats.every((found) => found === null)) return `neither ${NATS.join(' nor ')} is installed`;
  return findGuest();
};
