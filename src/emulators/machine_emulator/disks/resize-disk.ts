import { z } from 'zod';
import { conflict, engineFailed } from '../../../common/errors.ts';
import type { NodeOperation } from '../../kit/contract.ts';
import { prepareDisks } from './disks.ts';
import { findImages, imagePlaces } from './images.ts';
import { findQemuImg, runQemuImg } from './run-qemu-img.ts';
import { type Disk, DISKS, settingsOf } from '../settings.ts';

/** 1 EiB in MiB; file systems give up long before. */
const MOST = 2 ** 40;

/** Megabytes by which a disk grows. */
export const extend = z.int().min(1).max(MOST);

/** Grows a disk of a machine: its own copy on write where it is a linked clone, else the image itself. */
export const resizeDisk: NodeOperation = {
  method: 'POST',
  path: 'resize_disk',
  controller: 'resize_disk',
  summary: 'Grow a disk by a number of megabytes; the machine must be stopped',
  code: 201,
  body: z.strictObject({ drive_name: z.enum(DISKS), extend }),
  requires: 'stopped',
  async run(node, args, { context }, signal) {
    const drive = args['drive_name'] as Disk;
    const settings = settingsOf(node.properties);
    const image = settings.images[`${drive}_disk_image`];
    if (image === '') throw conflict(`${node.name} has no disk ${drive}`, { field: 'drive_name' });
    if (node.node_directory === null) throw conflict(`${node.name} has no directory`);
    const qemuImg = await findQemuImg(undefined, node.name);
    const places = imagePlaces(context, node.node_directory);
    const images = await findImages(settings, places);
    const disks = await prepareDisks(settings, images, { qemuImg, directory: node.node_directory, signal, places });
    const disk = disks.find((d) => d.disk === drive);
    if (disk === undefined) throw engineFailed(node.name, `no disk ${drive}`);
    const size = `+${String(args['extend'])}M`;
    await runQemuImg(qemuImg, ['resize', '-f', disk.format, disk.path, size], {
      ...{ what: `${node.name}, ${drive}`, signal },
    });
    return null;
  },
};
