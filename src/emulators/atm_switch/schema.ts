import { field, type Fields } from '../fields.ts';
import { mappingsSchema } from '../circuit-mappings.ts';

/** `port:vpi` to `port:vpi` (a whole path) or `port:vpi:vci` to `port:vpi:vci` (one channel). */
export const fields: Fields = {
  mappings: field(mappingsSchema(/^\d{1,4}:\d{1,4}(:\d{1,5})?$/, '1:10 (port:vpi) or 1:10:200 (port:vpi:vci)'), {}),
};

/** Cells as at the network-node interface (ITU-T I.361): twelve bits of VPI, sixteen of VCI. */
export const within = ([, vpi = 0, vci = 0]: number[]): string | null => {
  if (vpi > 4095) return 'a VPI is 0 to 4095';
  return vci > 65535 ? 'a VCI is 0 to 65535' : null;
};
