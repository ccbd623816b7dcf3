import { libcLacks } from '../../src/emulators/switch_router_emulator/libc.ts';

/** Why the fake image cannot be run on this machine; null: it can. */
export const cannotRunIou = async (): Promise<string | null> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'images of IOU are programs for x86 Linux';
  return (await libcLacks()) === null ? null : 'koffi is not installed';
};
