import { desktopFields } from '../shared/desktop-vm/desktop-kind.ts';
import { field, type Fields, filled, int, required } from '../kit/fields.ts';

export const fields: Fields = {
  /** Name of the machine inside the hypervisor. */
  vmname: required(filled),
  ...desktopFields('Intel PRO/1000 MT Desktop (82540EM)', 36, {
    /** Megabytes; 0 leaves what the hypervisor has. */
    ram: field(int(0, 65535), 0),
  }),
};
