import { PORTS, type Texts } from '../kit/texts.ts';

export const texts: Texts = { ports_mapping: { ...PORTS, title: 'Ports and VLANs' } };
