import { defineKind } from '../kit/define-kind.ts';
import { leaving } from '../kit/old-nodes.ts';
import { customised, ethernetPort } from '../ports/ports.ts';
import { LINUX_PING } from '../shared/linux-ping.ts';
import { containerlab } from './containerlab.ts';
import { DOCKER } from './docker-engine.ts';
import { givenAddresses, interfaceName, meantForwarding } from './inside/interfaces.ts';
import { sampleFile } from './inside/interfaces-file.ts';
import { listImages } from './images.ts';
import { fields } from './schema.ts';
import { texts } from './texts.ts';

/** Capabilities that the service gives every container, and that a node has for its own network. */
const HARMLESS = [
  'NET_ADMIN',
  'NET_RAW',
  'NET_BIND_SERVICE',
  'CHOWN',
  'KILL',
  'SETUID',
  'SETGID',
  'FOWNER',
  'DAC_OVERRIDE',
];

export const container = defineKind({
  name: 'container',
  titles: { de: 'Container' },
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
  hot: ['config_files'],
  file: { filled: ['container_id', 'image', 'mac_address'] },
  unique: ['container_id', 'container_name', 'mac_address', 'aux'],
  ports: (properties, naming) =>
    Array.from({ length: Number(properties['adapters']) }, (_, adapter) =>
      customised(ethernetPort(interfaceName(properties, adapter), adapter, 0), naming, {
        mac: String(properties['mac_address']),
      }),
    ),
  firstFiles: ({ properties }) => [
    sampleFile(Array.from({ length: Number(properties['adapters']) }, (_, n) => interfaceName(properties, n))),
  ],
  old: { types: ['DockerVM'], convert: ({ properties }) => ({ properties: leaving(properties, ['container_id']) }) },
  appliance: { slots: {}, settings: (section) => section },
  hostUses: ({ capabilities: given, network_system: privileged, published }) => [
    // Other capabilities give a container access to the machine itself.
    ...((given as string[] | undefined) ?? [])
      .filter((name) => !HARMLESS.includes(name))
      .map((name) => ({ field: 'capabilities', reason: `${name} reaches beyond the container` })),
    ...(privileged === true ? [{ field: 'network_system', reason: 'its programs reach the server’s machine' }] : []),
    ...(published === undefined ? [] : [{ field: 'published', reason: 'it takes ports of the server’s machine' }]),
  ],
  operations: [listImages],
  containerlab,
  addresses: givenAddresses,
  forwarding: meantForwarding,
  ping: LINUX_PING,
  engines: [DOCKER],
});
