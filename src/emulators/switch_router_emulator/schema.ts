import { z } from 'zod';
import { content, field, type Fields, filled, int, numberOf, nullable, nullIn, required, text } from '../kit/fields.ts';

/** Two adapters, or what the other type leaves of all sixteen. */
const beside = (others: unknown): number => Math.min(2, 16 - (typeof others === 'number' ? others : 2));

export const fields: Fields = {
  /** Image that is run. */
  path: required(filled),
  /** Number of the instance, which its MAC addresses and its files are named after. */
  application_id: { ...field(int(1, 512), (_, { node_id }) => numberOf(node_id, 512)), nullIn: true },
  ethernet_adapters: field(int(0, 16), ({ serial_adapters }) => beside(serial_adapters)),
  serial_adapters: field(int(0, 16), ({ ethernet_adapters }) => beside(ethernet_adapters)),
  l1_keepalives: nullIn(z.boolean(), false),
  md5sum: nullable(text),
  /** Kilobytes. */
  nvram: nullable(int(0, 65535), 128),
  /** Megabytes. */
  ram: nullable(int(0, 65535), 256),
  usage: field(text, ''),
  /** The image's own amounts of memory rather than `ram` and `nvram`. */
  use_default_iou_values: nullIn(z.boolean(), true),
};

/** Texts that become the node's files. */
export const inputs = { startup_config_content: content.nullable(), private_config_content: content.nullable() };

export const startBody = z.strictObject({
  /** Licence file. */
  iourc_content: content.nullable().optional(),
  license_check: z.boolean().optional(),
});
