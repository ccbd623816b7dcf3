import { defineKind } from '../kit/define-kind.ts';
import { leaving } from '../kit/old-nodes.ts';
import { customised, ethernetPort } from '../ports/port-names.ts';
import { DOCKER } from './docker-engine.ts';
import { listImages } from './list-images.ts';
import { fields, texts } from './schema.ts';

export const container = defineKind({
  name: 'container',
  alias: 'docker',
  directory: 'docker',
  capabilities: {
    suspend: true,
    adapter_only: true,
    capture_needs_started: true,
    console_types: ['telnet', 'vnc', 'http', 'https', 'none'],
  },
  look: { symbol: ':/symbols/docker_guest.svg', name: 'Container{0}' },
  template: { category: 'guest', nameFormat: '{name}-{0}', ports: 'customised', shared: ['mac_address'] },
  fields,
  texts,
  shown: ['console', 'node_directory'],
  hot: [],
  file: { filled: ['container_id', 'image', 'mac_address'] },
  unique: ['container_id', 'mac_address', 'aux'],
  ports: (properties, naming) =>
    Array.from({ length: Number(properties['adapters']) }, (_, adapter) =>
      customised(ethernetPort(`eth${adapter}`, adapter, 0), naming, { mac: String(properties['mac_address']) }),
    ),
  old: { types: ['DockerVM'], convert: ({ properties }) => ({ properties: leaving(properties, ['container_id']) }) },
  appliance: { slots: {}, settings: (section) => section },
  operations: [listImages],
  engines: [DOCKER],
});
