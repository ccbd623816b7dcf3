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
  octets,
  optional,
  own,
  required,
  filled,
  tableOf,
  tcpPort,
  text,
  word,
} from '../kit/fields.ts';
import { part } from '../kit/texts.ts';

/** Something below the root, without `.`, `..` and empty parts. */
const path = filled.regex(
  /^(?:\/(?:[^/.][^/]*|\.[^/.][^/]*|\.\.[^/]+))+$/,
  'must be an absolute path of the container, such as /etc/hosts',
);

const file = z.strictObject({
  path: part(path, 'Path', 'Where it is in the container, from /.'),
  content: part(octets, 'Text', 'What is in it.'),
  encoding: part(
    z.enum(['base64']).optional(),
    'Encoding',
    'base64: the text stands for octets. Empty: it is what is in it.',
  ),
  mode: part(
    z
      .string()
      .regex(/^[0-7]{3,4}$/, 'must be like 644')
      .optional(),
    'Permissions',
    'As chmod has them, such as 755. Empty: 644.',
  ),
  source: part(filled.optional(), 'Source', 'Name of the file that it is a copy of.'),
});

const networkInterface = z.strictObject({
  adapter: part(int(0, 98), 'Adapter', 'Number of the adapter, from 0.'),
  name: part(
    z
      .string()
      .regex(/^[^\s/:]{1,15}$/, 'must have at most 15 characters, without spaces, slashes and colons')
      .optional(),
    'Name',
    'What the container calls it. Empty: eth and the number.',
  ),
  addresses: part(
    listOf(
      z.union([z.cidrv4(), z.cidrv6()], 'must be an address with its prefix length, such as 10.0.0.1/24'),
    ).optional(),
    'Addresses',
    'That it has from the start, with their prefix lengths.',
  ),
  gateway: part(z.ipv4('must be an IPv4 address').optional(), 'Gateway', 'Router of its default route.'),
  nameserver: part(z.ipv4('must be an IPv4 address').optional(), 'Name server', 'Server of names that it asks.'),
});

const published = z.strictObject({
  port: part(tcpPort, 'Port here', 'Port of the machine that runs it.'),
  to: part(tcpPort, 'Port there', 'Port of the container.'),
  protocol: part(z.enum(['tcp', 'udp']).optional(), 'Protocol', 'tcp if absent.'),
});

export const fields: Fields = {
  image: required(filled),
  container_id: field(text, ''),
  /** Absent, or taken by another one: a name of the server's own. */
  container_name: own(
    optional(word.regex(/^[A-Za-z0-9][\w.-]+$/, 'must be letters, digits, and then also . _ -, at least two of them')),
  ),
  adapters: nullIn(int(0, 99), 1),
  aux: nullable(tcpPort),
  console_http_path: field(text, '/'),
  console_http_port: field(tcpPort, 80),
  console_resolution: nullIn(z.string().regex(/^\d{1,5}x\d{1,5}$/, 'must be like 1024x768'), '1024x768'),
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
  /** Replaces the image's; split as a shell does it. */
  entrypoint: own(optional(text)),
  user: own(optional(word)),
  /** Run in this order after each start, once its interfaces are there. */
  commands: own(optional(listOf(filled))),
  /** Copied in before each start. */
  files: own(optional(listOf(file))),
  config_files: own(optional(listOf(path))),
  interfaces: own(optional(listOf(networkInterface))),
  /** Ports at the address of consoles. */
  published: own(optional(listOf(published))),
  /** Kernel parameters of its network namespace alone. */
  sysctls: own(optional(tableOf(z.string().regex(/^net\.[\w./-]+$/, 'must begin with net.'), word))),
  /** Its programs have the privileges that network systems are published with. */
  network_system: own(optional(z.boolean())),
  capabilities: own(
    optional(
      listOf(
        z
          .string()
          .max(64)
          .regex(/^[A-Z][A-Z0-9_]*$/, 'must be like SYS_ADMIN'),
      ),
    ),
  ),
};
