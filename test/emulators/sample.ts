import type { Kind, KindNode, PortNaming, Properties } from '../../src/emulators/kit/contract.ts';

export const NODE_ID = '11aabbcc-1111-4111-8111-111111111111';
export const PROJECT_ID = '22222222-2222-4222-8222-222222222222';
export const IDENTITY = { node_id: NODE_ID, name: 'N1' };

/** The least that a create of a kind must say beside its name. */
export const LEAST: Readonly<Record<string, Properties>> = {
  container: { image: 'alpine' },
  router_emulator: { platform: 'c3725', image: 'c3725.image' },
  switch_router_emulator: { path: 'l3.bin' },
  desktop_vm_a: { vmname: 'debian' },
  desktop_vm_b: { vmx_path: '/vm/debian.vmx' },
};

export const naming = (kind: Kind, changes: Partial<PortNaming> = {}): PortNaming => ({
  node_id: NODE_ID,
  port_name_format: kind.look.port_name_format,
  port_segment_size: kind.look.port_segment_size,
  first_port_name: null,
  custom_adapters: [],
  ...changes,
});

/** A node of a kind, as the server would have made it. */
export const nodeOf = (kind: Kind, given: Properties = {}, changes: Partial<KindNode> = {}): KindNode => {
  const properties = kind.complete({ ...LEAST[kind.name], ...given }, IDENTITY);
  return {
    ...naming(kind),
    name: IDENTITY.name,
    project_id: PROJECT_ID,
    status: 'stopped',
    console: null,
    console_type: kind.capabilities.console_types[0] ?? null,
    command_line: '',
    node_directory: kind.capabilities.directory ? '/tmp/node' : null,
    properties,
    ports: kind.ports(properties, naming(kind, changes)),
    ...changes,
  };
};
