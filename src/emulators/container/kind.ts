import { absentEngine, containerServiceAnswers } from '../absent-engine.ts';
import { defineKind } from '../define-kind.ts';
import { customised, ethernetPort } from '../port-names.ts';
import { fields } from './schema.ts';

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
  look: {
    symbol: ':/symbols/docker_guest.svg',
    port_name_format: 'Ethernet{0}',
    port_segment_size: 0,
    name: 'Container{0}',
  },
  fields,
  shown: ['console', 'node_directory'],
  hot: [],
  unique: ['container_id', 'mac_address', 'aux'],
  ports: (properties, naming) =>
    Array.from({ length: Number(properties['adapters']) }, (_, adapter) =>
      customised(ethernetPort(`eth${adapter}`, adapter, 0), naming, { mac: String(properties['mac_address']) }),
    ),
  engines: [
    absentEngine({
      name: 'docker',
      needs: () => `a container service at ${socketPath()}`,
      install:
        'apt-get install docker.io and systemctl start docker, or apt-get install podman and DOCKER_HOST=unix:///run/podman/podman.sock',
      found: () => containerServiceAnswers(socketPath()),
    }),
  ],
});

/** Where the container service listens: DOCKER_HOST as its own client reads it, its usual place otherwise. */
function socketPath(): string {
  const host = process.env['DOCKER_HOST'] ?? '';
  if (host.startsWith('unix://')) return host.slice('unix://'.length);
  return process.platform === 'win32' ? String.raw`\\.\pipe\docker_engine` : '/var/run/docker.sock';
}
