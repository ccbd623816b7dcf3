import { z } from 'zod';
import type { KindNode, Port, PortNaming, Properties } from '../kit/contract.ts';
import { content, field, type Fields, filled, int, nullable, nullIn, numberOf, required, text } from '../kit/fields.ts';
import { adapterPorts, serialPort } from '../ports/ports.ts';

export const PORTS_PER_ADAPTER = 4;

export const adaptersOf = (properties: Properties): { ethernet: number; serial: number } => ({
  ethernet: Number(properties['ethernet_adapters']),
  serial: Number(properties['serial_adapters']),
});

/** Ethernet adapters first, then the serial ones: `Serial<adapter>/<port>`. */
export const switchRouterPorts = (properties: Properties, naming: PortNaming): Port[] => {
  const { ethernet, serial } = adaptersOf(properties);
  const serials = Array.from({ length: serial * PORTS_PER_ADAPTER }, (_, index) => {
    const [adapter, port] = [ethernet + Math.floor(index / PORTS_PER_ADAPTER), index % PORTS_PER_ADAPTER];
    return serialPort(`Serial${adapter}/${port}`, adapter, port);
  });
  return [...adapterPorts(naming, { adapters: ethernet, portsPerAdapter: PORTS_PER_ADAPTER }), ...serials];
};

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

/** The properties of a node as its engine reads them. */
export interface Settings {
  /** Image: a name or a path. */
  path: string;
  /** null: any image will do. */
  md5sum: string | null;
  applicationId: number;
  ethernet: number;
  serial: number;
  keepalives: boolean;
  /** Kilobytes; null: the image's own amount. */
  nvram: number | null;
  /** Megabytes; null: the image's own amount. */
  ram: number | null;
}

export const settingsOf = (properties: Properties): Settings => {
  const amount = (key: string): number | null => {
    const value = properties[key];
    return properties['use_default_iou_values'] === true || typeof value !== 'number' || value === 0 ? null : value;
  };
  const { path, md5sum } = properties;
  return {
    path: typeof path === 'string' ? path : '',
    md5sum: typeof md5sum === 'string' && md5sum !== '' ? md5sum : null,
    applicationId: Number(properties['application_id']),
    ...adaptersOf(properties),
    keepalives: properties['l1_keepalives'] === true,
    nvram: amount('nvram'),
    ram: amount('ram'),
  };
};

/** The application id of a node that was not given one. */
export const ownApplicationId = ({ node_id }: Pick<KindNode, 'node_id'>): number => numberOf(node_id, 512);
