import type { KindNode, Properties } from '../kit/contract.ts';
import { numberOf } from '../kit/fields.ts';
import { adaptersOf } from './ports.ts';

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
