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
import { ADAPTERS, AUX, type Texts, USAGE } from '../kit/texts.ts';

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

export const texts: Texts = {
  image: { title: 'Image', help: 'Image that the container is made of, such as alpine:3.', widget: 'image' },
  container_id: { title: 'Container', help: 'Id of the container that was made for it.', widget: 'none' },
  adapters: ADAPTERS,
  aux: AUX,
  console_http_path: {
    title: 'Web console path',
    help: 'Path of a console that is a web page.',
    group: 'Console',
  },
  console_http_port: {
    title: 'Web console port',
    help: 'Port inside the container that its web console listens on.',
    group: 'Console',
  },
  console_resolution: {
    title: 'Screen size',
    help: 'Of a graphical console, such as 1024x768.',
    unit: 'px',
    group: 'Console',
  },
  environment: {
    title: 'Environment variables',
    help: 'What its programs find in their environment.',
    widget: 'pairs',
    separator: '=',
  },
  extra_hosts: {
    title: 'Further hosts',
    help: 'Names that the container knows, with their addresses.',
    widget: 'pairs',
    separator: ':',
    group: 'Network',
  },
  extra_volumes: {
    title: 'Kept directories',
    help: 'Directories of the image that are kept with the node, one a line.',
    group: 'Storage',
  },
  mac_address: {
    title: 'MAC address',
    help: 'Of its first adapter; the others count up from it.',
    group: 'Network',
  },
  start_command: { title: 'Start command', help: 'Empty: what the image starts.' },
  usage: USAGE,
};
