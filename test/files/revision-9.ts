/**
 * What the existing server (2.2) takes of a project file of revision 9, as a table of events of its own: nothing of it is the code's.
 * Its topology is closed at every level; the properties of a node become the closed body of its kind's create, without those that are
 * null, but for routers, whose properties are checked as they are.
 */

type Bag = Record<string, unknown>;
/** null: it is right; otherwise what would be. */
type Check = (value: unknown) => string | null;
/** Check of a property, a value that is not its default, and what goes with that value. */
type Rule = [check: Check, sample: unknown, beside?: Bag];

const check =
  (expected: string, isRight: (value: unknown) => boolean): Check =>
  (value) =>
    isRight(value) ? null : expected;
const text = check('a text', (v) => typeof v === 'string');
const filled = check('a text that is not empty', (v) => typeof v === 'string' && v !== '');
const flag = check('true or false', (v) => typeof v === 'boolean');
const bag = check('an object', (v) => typeof v === 'object' && v !== null && !Array.isArray(v));
const list = check('a list', Array.isArray);
const whole = (min = -Infinity, max = Infinity): Check =>
  check(`a whole number of ${min} to ${max}`, (v) => Number.isInteger(v) && Number(v) >= min && Number(v) <= max);
const like = (pattern: RegExp): Check =>
  check(`like ${pattern.source}`, (v) => typeof v === 'string' && pattern.test(v));
const oneOf = (...words: unknown[]): Check => check(`one of ${words.join(', ')}`, (v) => words.includes(v));
const orNull =
  (of: Check): Check =>
  (value) =>
    value === null ? null : of(value);
const each =
  (of: Check): Check =>
  (value) =>
    list(value) ?? (value as unknown[]).map(of).find((problem) => problem !== null) ?? null;
/** Closed. */
const object =
  (fields: Record<string, Check>, required: readonly string[] = []): Check =>
  (value) =>
    bag(value) ?? problemsOf(value as Bag, fields, required)[0] ?? null;

const problemsOf = (value: Bag, fields: Record<string, Check>, required: readonly string[]): string[] => [
  ...required.filter((key) => !(key in value)).map((key) => `${key} is missing`),
  ...Object.entries(value).flatMap(([key, given]) => {
    if (!Object.hasOwn(fields, key)) return [`${key} is not known`];
    const problem = fields[key]?.(given) ?? null;
    return problem === null ? [] : [`${key} must be ${problem}, not ${JSON.stringify(given)}`];
  }),
];

const uuid = like(/^[a-fA-F0-9]{8}(-[a-fA-F0-9]{4}){3}-[a-fA-F0-9]{12}$/);
const port = whole(1, 65535);
const mac = like(/^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$/);
const rotation = whole(-359, 360);
const onClose = oneOf('power_off', 'shutdown_signal', 'save_vm_state');
const label = object({ text, style: orNull(text), x: orNull(whole()), y: whole(), rotation }, ['text']);
const customAdapter = object(
  { adapter_number: whole(), port_name: filled, adapter_type: filled, mac_address: orNull(mac) },
  ['adapter_number'],
);
const circuits: Rule = [bag, { '1:101': '2:202' }];
const namedPort = { name: filled, port_number: whole(0) };
const outside: Check = (value) =>
  [
    object({ ...namedPort, type: oneOf('ethernet', 'tap'), interface: filled }, [
      'name',
      'port_number',
      'type',
      'interface',
    ]),
    object({ ...namedPort, type: oneOf('udp'), lport: port, rhost: filled, rport: port }, [
      ...['name', 'port_number', 'type', 'lport', 'rhost', 'rport'],
    ]),
  ].some((way) => way(value) === null)
    ? null
    : 'a port towards the outside';

const disks = (): Record<string, Rule> =>
  Object.fromEntries(
    ['hda', 'hdb', 'hdc', 'hdd'].flatMap((disk) => [
      [`${disk}_disk_image`, [text, 'disk.img']],
      [`${disk}_disk_image_md5sum`, [orNull(text), '5d41402abc4b2a76b9719d911017c592']],
      [`${disk}_disk_interface`, [text, 'virtio']],
    ]),
  );
const images = (): Record<string, Rule> =>
  Object.fromEntries(
    ['bios_image', 'cdrom_image', 'kernel_image', 'initrd'].flatMap((image) => [
      [image, [text, `${image}.bin`]],
      [`${image}_md5sum`, [orNull(text), '5d41402abc4b2a76b9719d911017c592']],
    ]),
  );
const cards = (): Record<string, Rule> =>
  Object.fromEntries([
    ...[1, 2, 3, 4, 5, 6].map((n) => [`slot${n}`, [orNull(text), 'PA-FE-TX']]),
    ['slot0', [orNull(text), 'C7200-IO-2FE']],
    ...[0, 1, 2].map((n) => [`wic${n}`, [orNull(text), 'WIC-1T', { platform: 'c3725' }]]),
  ]) as Record<string, Rule>;

interface KindEvents {
  console: readonly string[];
  properties: Record<string, Rule>;
  /** What a create needs. */
  needs: Bag;
  /** The types of values say which may be null; otherwise every property may. */
  nulls?: 'checked';
}

const machine: Record<string, Rule> = {
  usage: [text, 'log in as root'],
  linked_clone: [flag, false],
  adapters: [whole(0, 10), 3],
  use_any_adapter: [flag, true],
  adapter_type: [filled, 'e1000'],
  headless: [flag, true],
  on_close: [onClose, 'save_vm_state'],
};

/** By the names that the file has. */
export const KIND_EVENTS: Record<string, KindEvents> = {
  vpcs: { console: ['telnet', 'none'], properties: {}, needs: {} },
  traceng: {
    console: ['none'],
    properties: { ip_address: [text, '10.0.0.5/24'], default_destination: [text, '10.0.0.9'] },
    needs: {},
  },
  nat: {
    console: [],
    properties: {
      ports_mapping: [each(outside), [{ name: 'nat0', port_number: 0, type: 'ethernet', interface: 'virbr0' }]],
    },
    needs: {},
  },
  cloud: {
    console: [],
    properties: {
      ports_mapping: [each(outside), [{ name: 'eth0', port_number: 0, type: 'ethernet', interface: 'eth0' }]],
      interfaces: [each(bag), [{ name: 'eth0', special: false, type: 'ethernet' }]],
      remote_console_host: [text, '192.0.2.1'],
      remote_console_port: [orNull(port), 23],
      remote_console_type: [oneOf('telnet', 'vnc', 'spice', 'http', 'https', 'none'), 'telnet'],
      remote_console_http_path: [text, '/here'],
    },
    needs: {},
  },
  ethernet_hub: {
    console: [],
    properties: {
      ports_mapping: [each(object(namedPort, ['name', 'port_number'])), [{ name: 'Ethernet0', port_number: 0 }]],
    },
    needs: {},
  },
  ethernet_switch: {
    console: ['telnet', 'none'],
    properties: {
      ports_mapping: [
        each(
          object(
            {
              ...{ ...namedPort, type: oneOf('access', 'dot1q', 'qinq'), vlan: whole(1) },
              ethertype: oneOf('', '0x8100', '0x88A8', '0x9100', '0x9200'),
            },
            // The schema can do without a VLAN; what reads it can not.
            ['name', 'port_number', 'type', 'vlan'],
          ),
        ),
        [{ name: 'Ethernet0', port_number: 0, type: 'qinq', vlan: 7, ethertype: '0x88A8' }],
      ],
    },
    needs: {},
  },
  frame_relay_switch: { console: [], properties: { mappings: circuits }, needs: {} },
  atm_switch: { console: [], properties: { mappings: [bag, { '1:0:100': '2:0:200' }] }, needs: {} },
  docker: {
    console: ['telnet', 'vnc', 'http', 'https', 'none'],
    properties: {
      image: [filled, 'alpine:3'],
      adapters: [whole(0, 99), 3],
      aux: [orNull(port), 5999],
      console_http_path: [text, '/index'],
      console_http_port: [whole(), 8080],
      console_resolution: [like(/^\d+x\d+$/), '1280x1024'],
      container_id: [like(/^[a-f0-9]{12,64}$/), 'aabbccddeeff'],
      environment: [text, 'A=1'],
      extra_hosts: [text, 'one:10.0.0.1'],
      extra_volumes: [each(text), ['/srv']],
      mac_address: [mac, '02:42:00:11:22:00'],
      start_command: [text, 'sleep 9'],
      usage: [text, 'log in as root'],
    },
    needs: { image: 'alpine' },
  },
  qemu: {
    console: ['telnet', 'vnc', 'spice', 'spice+agent', 'none'],
    properties: {
      ...disks(),
      ...images(),
      adapter_type: [filled, 'virtio-net-pci'],
      adapters: [whole(0, 275), 3],
      boot_priority: [oneOf('c', 'd', 'n', 'cn', 'cd', 'dn', 'dc', 'nc', 'nd'), 'dn'],
      cpu_throttling: [whole(0, 800), 50],
      cpus: [whole(1, 255), 2],
      create_config_disk: [flag, true],
      kernel_command_line: [text, 'quiet'],
      legacy_networking: [flag, true],
      linked_clone: [flag, false],
      mac_address: [mac, '0c:00:11:22:33:00'],
      on_close: [onClose, 'shutdown_signal'],
      options: [text, '-nographic'],
      platform: [like(/^[a-z0-9_]+$/), 'arm'],
      process_priority: [oneOf('realtime', 'very high', 'high', 'normal', 'low', 'very low'), 'high'],
      qemu_path: [filled, '/usr/bin/qemu-system-x86_64'],
      ram: [whole(), 512],
      replicate_network_connection_state: [flag, false],
      tpm: [flag, true],
      uefi: [flag, true],
      usage: [text, 'log in as root'],
    },
    needs: {},
  },
  dynamips: {
    console: ['telnet', 'none'],
    properties: {
      platform: [like(/^c\d{4}$/), 'c3725'],
      image: [filled, 'other.bin'],
      ram: [whole(), 256],
      dynamips_id: [orNull(whole()), 17],
      image_md5sum: [orNull(filled), '5d41402abc4b2a76b9719d911017c592'],
      chassis: [like(/^\d{4}(XM)?$/), '3660', { platform: 'c3600' }],
      ...cards(),
      nvram: [whole(), 600],
      iomem: [whole(0, 100), 10, { platform: 'c3725' }],
      clock_divisor: [whole(), 2],
      npe: [like(/^npe-(100|150|175|200|225|300|400|g2)$/), 'npe-300'],
      midplane: [oneOf('std', 'vxr'), 'std'],
      sensors: [list, [30, 30, 30, 30]],
      power_supplies: [list, [1, 0]],
      mmap: [flag, false],
      sparsemem: [flag, false],
      idlepc: [like(/^(0x[0-9a-fA-F]+)?$/), '0x60606040'],
      idlemax: [whole(), 1000],
      idlesleep: [whole(), 20],
      exec_area: [whole(), 32],
      disk0: [whole(), 64],
      disk1: [whole(), 64],
      auto_delete_disks: [flag, true],
      aux: [orNull(port), 5998],
      mac_addr: [orNull(like(/^([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}$/)), 'cc01.1234.0000'],
      system_id: [filled, 'FTX0945W0MZ'],
      usage: [text, 'log in as root'],
    },
    needs: { platform: 'c7200', image: 'router.bin', ram: 512 },
    nulls: 'checked',
  },
  iou: {
    console: ['telnet', 'none'],
    properties: {
      path: [filled, 'other.bin'],
      application_id: [whole(), 17],
      ethernet_adapters: [whole(), 1],
      serial_adapters: [whole(), 1],
      l1_keepalives: [flag, true],
      md5sum: [orNull(text), '5d41402abc4b2a76b9719d911017c592'],
      nvram: [whole(), 256],
      ram: [whole(), 512],
      usage: [text, 'log in as root'],
      use_default_iou_values: [flag, false],
    },
    needs: { path: 'switch.bin', application_id: 3 },
  },
  virtualbox: {
    console: ['telnet', 'none'],
    properties: { ...machine, vmname: [filled, 'other'], ram: [whole(0, 65535), 256] },
    needs: { vmname: 'one' },
  },
  vmware: {
    console: ['telnet', 'none'],
    properties: { ...machine, vmx_path: [filled, '/vm/other.vmx'] },
    needs: { vmx_path: '/vm/one.vmx', linked_clone: false },
  },
};

const propertiesOf = (type: unknown, properties: Bag): string[] => {
  const events = KIND_EVENTS[String(type)];
  if (events === undefined) return [`node_type ${String(type)} is not known`];
  const sent =
    events.nulls === 'checked'
      ? properties
      : Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
  const checks = Object.fromEntries(Object.entries(events.properties).map(([key, [of]]) => [key, of]));
  return problemsOf(sent, checks, Object.keys(events.needs)).map((problem) => `properties: ${problem}`);
};

const NODE: Record<string, Check> = {
  compute_id: text,
  node_id: uuid,
  node_type: oneOf(...Object.keys(KIND_EVENTS)),
  name: filled,
  template_id: orNull(uuid),
  console: orNull(port),
  console_type: oneOf('vnc', 'telnet', 'http', 'https', 'spice', 'spice+agent', 'none', null),
  console_auto_start: flag,
  locked: flag,
  properties: bag,
  label,
  x: whole(),
  y: whole(),
  z: whole(),
  width: whole(),
  height: whole(),
  symbol: orNull(filled),
  port_name_format: text,
  port_segment_size: whole(0),
  first_port_name: orNull(text),
  custom_adapters: each(customAdapter),
};

const nodeProblems = (node: Bag): string[] => [
  // Not required, but a link to a node without one fails the load.
  ...problemsOf(node, NODE, ['name', 'node_type', 'compute_id', 'node_id']),
  ...propertiesOf(node['node_type'], (node['properties'] ?? {}) as Bag),
];

const LINK: Record<string, Check> = {
  link_id: uuid,
  nodes: each(
    object({ node_id: uuid, adapter_number: whole(), port_number: whole(), label }, [
      'node_id',
      'adapter_number',
      'port_number',
    ]),
  ),
  filters: bag,
  link_style: bag,
  suspend: flag,
};

const DRAWING: Record<string, Check> = {
  drawing_id: uuid,
  x: whole(),
  y: whole(),
  z: whole(),
  rotation,
  locked: flag,
  svg: text,
};

const COMPUTE: Record<string, Check> = {
  compute_id: text,
  name: text,
  protocol: oneOf('http', 'https'),
  host: text,
  port: whole(),
};

const SETTINGS = ['scene_width', 'scene_height', 'zoom', 'grid_size', 'drawing_grid_size'];
const FLAGS = [
  'auto_start',
  'auto_open',
  'auto_close',
  'show_layers',
  'snap_to_grid',
  'show_grid',
  'show_interface_labels',
];

const FILE: Record<string, Check> = {
  project_id: uuid,
  name: text,
  type: oneOf('topology'),
  revision: oneOf(9),
  version: text,
  topology: object({ nodes: list, links: list, drawings: list, computes: list }, [
    'nodes',
    'links',
    'drawings',
    'computes',
  ]),
  ...Object.fromEntries(SETTINGS.map((key) => [key, whole()])),
  ...Object.fromEntries(FLAGS.map((key) => [key, flag])),
  supplier: orNull(object({ logo: text, url: text })),
  variables: orNull(each(object({ name: filled, value: text }, ['name']))),
};

/** One sentence for each reason for which the existing server would not open the lab. */
export const problemsOfFile = (json: string): string[] => {
  const file = JSON.parse(json) as Bag;
  const { nodes = [], links = [], drawings = [], computes = [] } = (file['topology'] ?? {}) as Record<string, Bag[]>;
  const of = (what: string, entries: Bag[], problems: (entry: Bag) => string[]): string[] =>
    entries.flatMap((entry, i) =>
      problems(entry).map((problem) => `${what} ${i} (${String(entry['name'])}): ${problem}`),
    );
  return [
    ...problemsOf(file, FILE, ['project_id', 'name', 'type', 'revision', 'version', 'topology']),
    ...of('node', nodes, nodeProblems),
    ...of('link', links, (link) => problemsOf(link, LINK, ['link_id', 'nodes'])),
    ...of('drawing', drawings, (drawing) => problemsOf(drawing, DRAWING, [])),
    ...of('compute', computes, (compute) => problemsOf(compute, COMPUTE, Object.keys(COMPUTE))),
  ];
};
