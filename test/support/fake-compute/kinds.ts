/** Kinds of a GNS3 2.2 compute as it sends and takes them: names, keys of records, what each can do. From compute-protocol.md, 2.2 and 3.2. */

export type Bag = Record<string, unknown>;

export type Ability = 'get' | 'update nio' | 'reload' | 'suspend' | 'resume' | 'pause' | 'duplicate' | 'console';

export interface FakeKind {
  name: string;
  /** Below `project-files/`. */
  folder: string;
  /** Settings that its records have, with what they are when nobody said. */
  fields(given: Bag): Bag;
  /** Keys that a create takes and no record has. */
  inputs: readonly string[];
  /** Keys of a create that an update refuses. */
  fixed: readonly string[];
  required: readonly string[];
  /** First: the default. Empty: records have no console. */
  consoleTypes: readonly string[];
  shown: readonly ('node_directory' | 'command_line')[];
  /** Code of an answer to start; 409: it cannot run on this platform. */
  start: 200 | 204 | 409;
  always: boolean;
  can: ReadonlySet<Ability>;
  /** What becomes of the body of a create whose node is there. */
  again: 'ignored' | 'applied';
  /** A NIO for a port that has one. */
  secondNio: 'replaces' | 'refused' | 'refused while started';
  nioTypes: readonly string[];
  /** Fields that name images. */
  images: readonly string[];
  /** `<field>_md5sum` unless it has another name. */
  sum?: string;
  /** A node stays when its image is missing. */
  keptWithoutImage: boolean;
  /** Inputs that become files of the node. */
  texts: Record<string, string>;
}

const GUEST: Ability[] = ['get', 'update nio', 'reload', 'suspend', 'resume', 'console'];

const kind = (name: string, said: Partial<Omit<FakeKind, 'can'>> & { can: Ability[] }): FakeKind => ({
  name,
  folder: name,
  fields: () => ({}),
  inputs: [],
  fixed: [],
  required: ['name'],
  consoleTypes: [],
  shown: [],
  start: 204,
  always: false,
  again: 'applied',
  secondNio: 'replaces',
  nioTypes: ['nio_udp'],
  images: [],
  keptWithoutImage: false,
  texts: {},
  ...said,
  can: new Set(said.can),
});

const SWITCH_NIOS = [
  ...['nio_udp', 'nio_generic_ethernet', 'nio_linux_ethernet', 'nio_tap', 'nio_unix', 'nio_vde'],
  'nio_null',
];

const always = (name: string, said: Partial<Omit<FakeKind, 'can'>> & { can: Ability[] }): FakeKind =>
  kind(name, { always: true, again: 'ignored', secondNio: 'refused', nioTypes: SWITCH_NIOS, ...said });

const ports = (count: number, more: Bag): Bag[] =>
  Array.from({ length: count }, (_, n) => ({ name: `Ethernet${n}`, port_number: n, ...more }));

const DISKS = ['hda_disk', 'hdb_disk', 'hdc_disk', 'hdd_disk'];
const QEMU_IMAGES = [...DISKS, 'cdrom', 'bios', 'kernel'].map((of) => `${of}_image`).concat('initrd');
const valued = (keys: readonly string[], value: unknown): Bag => Object.fromEntries(keys.map((key) => [key, value]));

const qemuFields = (): Bag => ({
  ...valued(QEMU_IMAGES, ''),
  ...valued(
    QEMU_IMAGES.map((image) => `${image}_md5sum`),
    null,
  ),
  ...valued(
    DISKS.map((disk) => `${disk}_interface`),
    'none',
  ),
  ...{ adapter_type: 'e1000', adapters: 1, boot_priority: 'c', cpu_throttling: 0, cpus: 1, create_config_disk: false },
  ...{ kernel_command_line: '', legacy_networking: false, mac_address: '0c:00:00:00:00:00', on_close: 'power_off' },
  ...{ options: '', platform: 'x86_64', process_priority: 'low', qemu_path: '/usr/bin/qemu-system-x86_64', ram: 256 },
  ...{ replicate_network_connection_state: true, tpm: false, uefi: false, usage: '' },
});

const C7200 = { npe: 'npe-400', midplane: 'vxr', sensors: [22, 22, 22, 22], power_supplies: [1, 1] };

const dynamipsFields = ({ platform }: Bag): Bag => ({
  ...{ platform: '', image: '', image_md5sum: null, ram: 128, nvram: 112, mmap: true, sparsemem: true, aux: null },
  ...{ clock_divisor: 8, idlepc: '', idlemax: 500, idlesleep: 30, exec_area: 64, disk0: 0, disk1: 0 },
  ...{ auto_delete_disks: false, mac_addr: 'c001.0001.0000', system_id: 'FTX0945W0MY', dynamips_id: 0, usage: '' },
  ...valued(['slot0', 'slot1', 'slot2', 'slot3', 'slot4', 'slot5', 'slot6', 'wic0', 'wic1', 'wic2'], null),
  ...(platform === 'c7200' ? C7200 : { iomem: 5 }),
  ...(['c1700', 'c2600', 'c3600'].includes(String(platform)) ? { chassis: `${String(platform).slice(1, 3)}20` } : {}),
});

const dockerFields = (): Bag => ({
  ...{
    image: '',
    adapters: 1,
    mac_address: '02:42:00:00:00:00',
    container_id: 'c0ffee0123456789',
    aux: 5999,
    usage: '',
  },
  ...{ console_resolution: '1024x768', console_http_port: 80, console_http_path: '/', extra_volumes: [] },
  ...{ start_command: null, environment: null, extra_hosts: null },
});

const desktopFields = (more: Bag) => (): Bag => ({
  ...{ headless: false, on_close: 'power_off', adapters: 1, adapter_type: 'e1000', use_any_adapter: false },
  ...{ linked_clone: false, usage: '', ...more },
});

const DESKTOP = {
  can: [...GUEST],
  consoleTypes: ['telnet', 'none'],
  inputs: ['custom_adapters'],
  shown: ['node_directory' as const],
};

const cloudFields = (): Bag => ({
  ports_mapping: [{ name: 'eth0', port_number: 0, type: 'ethernet', interface: 'eth0' }],
  interfaces: [{ name: 'eth0', type: 'ethernet', special: false }],
  ...{ remote_console_host: '', remote_console_port: 23, remote_console_type: 'none', remote_console_http_path: '/' },
});

/** In the order in which capabilities name them. */
const KINDS: readonly FakeKind[] = [
  always('cloud', { can: ['get', 'update nio'], folder: 'builtin', fields: cloudFields, shown: ['node_directory'] }),
  always('ethernet_hub', {
    can: ['get', 'duplicate'],
    folder: 'builtin',
    fields: () => ({ ports_mapping: ports(8, {}) }),
  }),
  always('ethernet_switch', {
    can: ['get', 'duplicate'],
    folder: 'builtin',
    fields: () => ({ ports_mapping: ports(8, { type: 'access', vlan: 1 }) }),
    consoleTypes: ['none', 'telnet'],
  }),
  always('nat', {
    can: ['get', 'update nio'],
    folder: 'builtin',
    fields: () => ({ ports_mapping: [{ name: 'nat0', port_number: 0, type: 'ethernet', interface: 'virbr0' }] }),
  }),
  kind('vpcs', {
    can: ['get', 'update nio', 'reload', 'duplicate', 'console'],
    inputs: ['startup_script'],
    fixed: ['startup_script'],
    consoleTypes: ['telnet', 'none'],
    shown: ['node_directory', 'command_line'],
    start: 200,
    again: 'ignored',
    secondNio: 'refused while started',
    nioTypes: ['nio_udp', 'nio_tap'],
    texts: { startup_script: 'startup.vpc' },
  }),
  kind('virtualbox', { ...DESKTOP, fields: desktopFields({ vmname: '', ram: 0 }), required: ['name', 'vmname'] }),
  kind('dynamips', {
    can: [...GUEST, 'duplicate'],
    fields: dynamipsFields,
    // One schema for all platforms.
    inputs: ['startup_config_content', 'private_config_content', 'chassis', 'iomem', ...Object.keys(C7200)],
    required: ['name', 'platform', 'image', 'ram'],
    consoleTypes: ['telnet', 'none'],
    shown: ['node_directory'],
    nioTypes: SWITCH_NIOS,
    images: ['image'],
    keptWithoutImage: true,
    texts: {
      startup_config_content: 'configs/startup-config.cfg',
      private_config_content: 'configs/private-config.cfg',
    },
  }),
  always('frame_relay_switch', {
    can: ['get', 'duplicate'],
    folder: 'dynamips',
    fields: () => ({ mappings: {} }),
  }),
  always('atm_switch', { can: ['get', 'duplicate'], folder: 'dynamips', fields: () => ({ mappings: {} }) }),
  kind('qemu', {
    can: [...GUEST, 'duplicate'],
    fields: qemuFields,
    inputs: ['linked_clone', 'custom_adapters'],
    fixed: ['linked_clone'],
    consoleTypes: ['telnet', 'vnc', 'spice', 'spice+agent', 'none'],
    shown: ['node_directory', 'command_line'],
    start: 200,
    images: QEMU_IMAGES,
    keptWithoutImage: true,
  }),
  kind('vmware', {
    ...DESKTOP,
    fields: desktopFields({ vmx_path: '' }),
    required: ['name', 'vmx_path', 'linked_clone'],
  }),
  kind('traceng', {
    can: ['get', 'update nio', 'reload', 'duplicate'],
    fields: () => ({ ip_address: '', default_destination: '' }),
    consoleTypes: ['none'],
    shown: ['node_directory', 'command_line'],
    start: 409,
    again: 'ignored',
  }),
  kind('docker', {
    can: ['update nio', 'reload', 'suspend', 'pause', 'duplicate', 'console'],
    fields: dockerFields,
    inputs: ['custom_adapters'],
    required: ['name', 'image'],
    consoleTypes: ['telnet', 'vnc', 'http', 'https', 'none'],
    shown: ['node_directory'],
  }),
  kind('iou', {
    can: ['get', 'update nio', 'reload', 'duplicate', 'console'],
    fields: () => ({
      ...{ path: '', md5sum: null, application_id: 1, ethernet_adapters: 2, serial_adapters: 2, ram: 256, nvram: 128 },
      ...{ l1_keepalives: false, use_default_iou_values: false, usage: '' },
    }),
    inputs: ['startup_config_content', 'private_config_content'],
    required: ['name', 'path', 'application_id'],
    consoleTypes: ['telnet', 'none'],
    shown: ['node_directory', 'command_line'],
    start: 200,
    nioTypes: ['nio_udp', 'nio_tap', 'nio_ethernet', 'nio_generic_ethernet'],
    images: ['path'],
    sum: 'md5sum',
    texts: { startup_config_content: 'startup-config.cfg', private_config_content: 'private-config.cfg' },
  }),
];

export const kinds: ReadonlyMap<string, FakeKind> = new Map(KINDS.map((one) => [one.name, one]));

/** Keys that a create, or an update, of a kind takes: all others are 400. */
export const keysOf = (of: FakeKind, given: Bag, update: boolean): Set<string> => {
  const console = of.consoleTypes.length === 0 ? [] : ['console', 'console_type'];
  const all = ['name', ...console, ...Object.keys(of.fields(given)), ...of.inputs];
  return new Set(update ? all.filter((key) => !of.fixed.includes(key)) : [...all, 'node_id']);
};

/** NIOs as they are sent: each closed, all keys but the last two needed. */
export const NIO_KEYS: Record<string, readonly string[]> = {
  nio_udp: ['lport', 'rhost', 'rport'],
  nio_tap: ['tap_device'],
  nio_generic_ethernet: ['ethernet_device'],
  nio_ethernet: ['ethernet_device'],
  nio_linux_ethernet: ['ethernet_device'],
  nio_unix: ['local_file', 'remote_file'],
  nio_vde: ['control_file', 'local_file'],
  nio_vmnet: ['vmnet'],
  nio_nat: [],
  nio_null: [],
};
