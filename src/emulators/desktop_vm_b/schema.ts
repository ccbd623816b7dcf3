import { type Fields, filled, required } from '../kit/fields.ts';
import { desktopFields } from '../shared/desktop-vm/desktop-kind.ts';

export const fields: Fields = {
  /** Path of the machine's definition file. */
  vmx_path: required(filled),
  ...desktopFields('e1000', 10),
};
