import { z } from 'zod';
import {
  field,
  type Fields,
  hexOf,
  int,
  listOf,
  macAddress,
  nullable,
  nullIn,
  required,
  filled,
  tcpPort,
  text,
} from '../kit/fields.ts';

export const fields: Fields = {
  image: required(filled),
  container_id: field(text, ''),
  adapters: nullIn(int(0, 99), 1),
  aux: nullable(tcpPort),
  console_http_path: field(text, '/'),
  console_http_port: field(tcpPort, 80),
  console_resolution: field(z.string().regex(/^\d{1,5}x\d{1,5}$/, 'must be like 1024x768'), '1024x768'),
  /** `NAME=value`, one a line. */
  environment: nullable(text, ''),
  /** `host:address`, one a line. */
  extra_hosts: nullable(text, ''),
  /** Directories of the image that are kept with the node. */
  extra_volumes: field(listOf(text), []),
  mac_address: nullIn(macAddress, (_, { node_id }) => {
    const [a, b, c] = [hexOf(node_id, 2, 4), hexOf(node_id, 4, 6), hexOf(node_id, 6, 8)];
    return `02:42:${a}:${b}:${c}:00`;
  }),
  /** null or empty: what the image starts. */
  start_command: nullable(text),
  usage: field(text, ''),
};
