import { TopologError } from '../../common/errors.ts';
import { isThere } from '../../common/file.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import type { ImagePlaces } from '../shared/images/image-files.ts';
import { directoryOf } from '../shared/outside-engine.ts';
import { fillInFor } from '../shared/placeholders.ts';
import { joinWords, splitWords } from '../shared/process/shell-words.ts';
import { consoleFor, escaped, type MachinePlan, type Nic } from './command-line.ts';
import { type DiskTools, prepareDisks } from './disks.ts';
import { checkedImage, findImages, imagePlaces } from './images.ts';
import type { Accelerator } from './machine/accelerator.ts';
import { stateFor } from './machine/saved-state.ts';
import type { Sockets } from './machine/sockets.ts';
import type { Programs } from './programs.ts';
import { type Settings, settingsOf } from './schema.ts';

export interface NodePlan extends MachinePlan {
  sockets: Sockets;
}

/** Programs, sockets and accelerator for a machine. */
interface MachineResources extends Programs {
  sockets: Sockets;
  accelerator: Accelerator | null;
}

/** Finds the images, makes the disks, and plans the run. */
export const planMachine = async (
  node: KindNode,
  { qemuImg, sockets, accelerator }: MachineResources,
  context: EngineContext,
  signal: AbortSignal,
): Promise<NodePlan> => {
  const settings = filledIn(node, settingsOf(node.properties));
  refuse(node, settings);
  const directory = directoryOf(node);
  const places = imagePlaces(context, directory);
  const images = await findImages(settings, places);
  signal.throwIfAborted();
  const tools: DiskTools | null = qemuImg === null ? null : { qemuImg, directory, signal, places };
  const plan: NodePlan = {
    name: node.name,
    uuid: node.node_id,
    settings,
    accelerator,
    disks: tools === null ? [] : await prepareDisks(settings, images, tools),
    cdrom: await cdromOf(images.cdrom_image, places),
    bios: images.bios_image || (settings.uefi ? await uefiFirmware(node.name, settings.platform) : null),
    kernel: images.kernel_image || null,
    initrd: images.initrd || null,
    nics: nicsOf(node, sockets),
    console: await consoleFor(node, context),
    sockets,
    saved: null,
  };
  return { ...plan, saved: await stateFor(directory, plan) };
};

/** Each word of the options stays one, and a comma in a value stands for itself. */
const filledIn = (node: KindNode, settings: Settings): Settings => {
  const words = splitWords(settings.options, 'options');
  const fill = fillInFor(node, escaped);
  return {
    ...settings,
    options: joinWords(words.map((word) => fill(word, 'options'))),
    kernelCommandLine: fillInFor(node)(settings.kernelCommandLine, 'kernel_command_line'),
  };
};

export const nicsOf = ({ ports }: KindNode, sockets: Sockets): Nic[] =>
  ports.map(({ adapter_number, adapter_type, mac_address }) => ({
    adapter: adapter_number,
    type: adapter_type ?? 'e1000',
    mac: (mac_address ?? '').replaceAll('-', ':'),
    socket: sockets.nic(adapter_number),
  }));

const cdromOf = async (image: string, places: ImagePlaces): Promise<MachinePlan['cdrom']> =>
  image === '' ? null : { path: image, format: (await checkedImage(image, places)).format };

const refuse = ({ name }: KindNode, { refused }: Settings): void => {
  const [field] = refused;
  if (field === undefined) return;
  throw new TopologError('conflict', {
    reason: `${name}: ${field} is not possible with this engine; set it to false`,
    field,
  });
};

/** Files in which distributions keep the firmware with both its code and space for its variables. */
const UEFI: Readonly<Record<string, readonly string[]>> = {
  x86_64: ['/usr/share/ovmf/OVMF.fd', '/usr/share/qemu/OVMF.fd', '/usr/share/edk2/ovmf/OVMF.fd'],
  aarch64: ['/usr/share/qemu-efi-aarch64/QEMU_EFI.fd', '/usr/share/edk2/aarch64/QEMU_EFI.fd'],
};

/** The UEFI firmware for a platform. Throws `engine_missing`. */
const uefiFirmware = async (name: string, platform: string): Promise<string> => {
  for (const file of UEFI[platform] ?? []) {
    if (await isThere(file)) return file;
  }
  const install = platform === 'aarch64' ? 'apt-get install qemu-efi-aarch64' : 'apt-get install ovmf';
  throw new TopologError('engine_missing', { what: name, needs: `UEFI firmware for ${platform}`, install });
};
