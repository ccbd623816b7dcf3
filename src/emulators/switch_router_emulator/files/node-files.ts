import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { conflict, messageOf } from '../../../common/errors.ts';
import type { KindNode } from '../../kit/contract.ts';
import { importConfigs, nvramSize, renameFiles } from './configs.ts';
import type { ImageHelp } from '../image.ts';
import { type LicenceArgs, placeLicence } from '../license.ts';
import { netmapOf } from './netio.ts';
import type { Settings } from '../schema.ts';

const NETMAP = 'NETMAP';
/** Kilobytes, where neither the node nor the image tells another amount. */
const NVRAM = 64;
/** Newer images refuse to run under a longer name. */
const LONGEST_NAME = 63;

interface Instance {
  image: string;
  settings: Settings;
  applicationId: number;
  help: () => Promise<ImageHelp>;
}

/**
 * Puts into the node's directory what an instance reads there, in order: the licence, the map of its ports, its configurations and a
 * link to the image, beside which newer ones look for themselves. Answers its environment. Throws a conflict.
 */
export const placeFiles = async (
  node: Pick<KindNode, 'name' | 'ports'>,
  directory: string,
  { image, settings, applicationId, help }: Instance,
  given: LicenceArgs,
): Promise<Record<string, string>> => {
  await mkdir(directory, { recursive: true });
  const licence = await placeLicence(directory, given);
  if (settings.keepalives && !(await help()).keepalives)
    throw conflict(`${image} has no layer 1 keepalives; set l1_keepalives to false`, { field: 'l1_keepalives' });
  const netmap = path.join(directory, NETMAP);
  const size = async (): Promise<number> =>
    settings.nvram ?? (await nvramSize(directory, applicationId)) ?? (await help()).nvram ?? NVRAM;
  try {
    await writeFile(netmap, netmapOf(applicationId, node.ports));
    await renameFiles(directory, applicationId);
    await importConfigs(directory, applicationId, size);
    await linkImage(directory, image);
  } catch (error) {
    throw conflict(`${node.name}: its files cannot be prepared: ${messageOf(error)}`);
  }
  // The server's own environment may name another map.
  return { NETIO_NETMAP: netmap, ...(licence === null ? {} : { IOURC: licence }) };
};

const linkOf = (directory: string, image: string): string => {
  const { name, ext } = path.parse(image);
  return path.join(directory, name.slice(0, LONGEST_NAME - ext.length) + ext);
};

const linkImage = async (directory: string, image: string): Promise<void> => {
  await unlinkImage(directory, image);
  await symlink(image, linkOf(directory, image));
};

/** The name is that of a link, or free: an image of that name in the node's own directory stays. */
export const unlinkImage = async (directory: string, image: string): Promise<void> => {
  if (linkOf(directory, image) !== image) await rm(linkOf(directory, image), { force: true });
};
