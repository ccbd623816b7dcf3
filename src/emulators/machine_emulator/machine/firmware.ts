import { isThere } from '../../../common/is-there.ts';
import { TopologError } from '../../../common/errors.ts';

/** Where distributions keep the firmware with both its code and room for its variables. */
const UEFI: Readonly<Record<string, readonly string[]>> = {
  x86_64: ['/usr/share/ovmf/OVMF.fd', '/usr/share/qemu/OVMF.fd', '/usr/share/edk2/ovmf/OVMF.fd'],
  aarch64: ['/usr/share/qemu-efi-aarch64/QEMU_EFI.fd', '/usr/share/edk2/aarch64/QEMU_EFI.fd'],
};

/** The UEFI firmware for a platform. Throws `engine_missing`. */
export const uefiFirmware = async (name: string, platform: string): Promise<string> => {
  for (const file of UEFI[platform] ?? []) {
    if (await isThere(file)) return file;
  }
  const install = platform === 'aarch64' ? 'apt-get install qemu-efi-aarch64' : 'apt-get install ovmf';
  throw new TopologError('engine_missing', { what: name, needs: `UEFI firmware for ${platform}`, install });
};
