import type { Texts } from '../kit/texts.ts';

export const texts: Texts = {
  ip_address: {
    title: 'Address',
    help: 'IPv4 address, and a gateway where one is needed: 10.0.0.5/24 10.0.0.1. Empty: one of its own link.',
    group: 'Network',
  },
  default_destination: {
    title: 'Destination',
    help: 'Address or host name that a start traces unless it names another.',
  },
};
