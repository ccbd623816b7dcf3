import { LENGTHS } from '../../common/bounds.ts';
import { invalid } from '../../common/errors.ts';
import type { Port, PortNaming, Properties } from '../kit/contract.ts';
import { fillFormat } from './port-format.ts';

/** Types of interface: the first letters of a port's name say which, and shorten to one letter. */
const SHORT: Record<string, string> = {
  Ethernet: 'e',
  FastEthernet: 'f',
  GigabitEthernet: 'g',
  Serial: 's',
  ATM: 'a',
  POS: 'p',
};

export const shortName = (name: string): string => {
  const [, type = '', rest = ''] = /^([A-Za-z]+)(\d.*)$/.exec(name) ?? [];
  const letter = SHORT[type];
  return letter === undefined ? name : letter + rest;
};

const ETHERNET = { Ethernet: 'DLT_EN10MB' };
const SERIAL = { 'Frame Relay': 'DLT_FRELAY', 'Cisco HDLC': 'DLT_C_HDLC', 'Cisco PPP': 'DLT_PPP_SERIAL' };
export const FRAME_RELAY = { 'Frame Relay': 'DLT_FRELAY' };
export const ATM = { ATM: 'DLT_ATM_RFC1483' };

export const ethernetPort = (name: string, adapter: number, port: number, short = shortName(name)): Port => ({
  name,
  short_name: short,
  adapter_number: adapter,
  port_number: port,
  link_type: 'ethernet',
  data_link_types: { ...ETHERNET },
});

export const serialPort = (
  name: string,
  adapter: number,
  port: number,
  types: Record<string, string> = SERIAL,
): Port => ({
  name,
  short_name: shortName(name),
  adapter_number: adapter,
  port_number: port,
  link_type: 'serial',
  data_link_types: { ...types },
});

interface AdapterOptions {
  adapters: number;
  portsPerAdapter?: number;
  adapterType?: string | undefined;
  /** MAC address of adapter 0; the others count up from it. */
  mac?: string | undefined;
}

/** Ethernet ports of adapters 0..n-1, named by the node's format. A first port name takes port 0 and uses up no number. */
export const adapterPorts = (naming: PortNaming, options: AdapterOptions): Port[] => {
  const { adapters, portsPerAdapter = 1 } = options;
  const first = naming.first_port_name === '' ? null : naming.first_port_name;
  const size = naming.port_segment_size;
  // Old logs may have longer ones.
  const format = naming.port_name_format.slice(0, LENGTHS.line) || 'Ethernet{0}';
  const adapterType = options.adapterType?.slice(0, LENGTHS.line);
  let count = 0;
  return Array.from({ length: adapters * portsPerAdapter }, (_, index) => {
    const adapter = Math.floor(index / portsPerAdapter);
    const named = first !== null && index === 0;
    const at = named ? 0 : count++;
    // Without segments both numbers count on, so that formats with {segment0} still give different names.
    const [port, segment] = size > 0 ? [at % size, Math.floor(at / size)] : [at, at];
    const name = named ? first : fillFormat(format, port, segment, adapter);
    return customised(ethernetPort(name, adapter, index % portsPerAdapter), naming, { ...options, adapterType });
  });
};

/** The port with what its adapter has of its own: name, type, MAC address. */
export const customised = (
  port: Port,
  naming: PortNaming,
  options: Pick<AdapterOptions, 'adapterType' | 'mac'> = {},
): Port => {
  const { port_name, adapter_type, mac_address } = ownOf(naming, port.adapter_number);
  const type = adapter_type ?? options.adapterType;
  const mac = mac_address ?? (options.mac === undefined ? undefined : macPlus(options.mac, port.adapter_number));
  return {
    ...port,
    ...(port_name === undefined ? {} : { name: port_name, short_name: shortName(port_name) }),
    ...(type === undefined ? {} : { adapter_type: type }),
    ...(mac === undefined ? {} : { mac_address: mac }),
  };
};

/** Records of older servers may have empty texts. */
const ownOf = ({ custom_adapters }: PortNaming, adapter: number): Partial<CustomAdapter> => {
  const own = custom_adapters.find(({ adapter_number }) => adapter_number === adapter);
  return own === undefined ? {} : withoutEmpty(own);
};

type CustomAdapter = PortNaming['custom_adapters'][number];

/** An empty text of an adapter means the node's own. */
export const withoutEmpty = <A extends CustomAdapter>(adapter: A): A =>
  Object.fromEntries(Object.entries(adapter).filter(([, value]) => value !== '')) as A;

/** A MAC address counted up by n. */
export const macPlus = (mac: string, n: number): string => {
  const value = (BigInt(`0x${mac.replace(/[^0-9a-fA-F]/g, '')}`) + BigInt(n)) & 0xffffffffffffn;
  return value
    .toString(16)
    .padStart(12, '0')
    .replace(/(..)(?=.)/g, '$1:');
};

/** Kinds whose ports are listed one by one in `ports_mapping`: all on adapter 0, numbered by their place in the list. */
export const mappingOf = (properties: Properties): Record<string, unknown>[] =>
  (properties['ports_mapping'] ?? []) as Record<string, unknown>[];

export const mappedPorts = (properties: Properties, short: (index: number, name: string) => string): Port[] =>
  mappingOf(properties).map((port, index) => {
    const name = String(port['name']);
    return ethernetPort(name, 0, index, short(index, name));
  });

/** A port number given twice would be one port to its owner and two to us. */
export const noDuplicates = (properties: Properties): void => {
  const seen = new Set<unknown>();
  for (const { port_number: number } of mappingOf(properties)) {
    if (seen.has(number)) throw invalid(`ports_mapping: port_number ${String(number)} is there twice`);
    seen.add(number);
  }
};
