import { LENGTHS } from '../../common/bounds.ts';
import { invalid } from '../../common/errors.ts';
import type { Port, PortNaming } from '../kit/contract.ts';

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

/**
 * Fills a port name format: `{0}` or `{port0}` the number in the segment, `{1}` or `{segment0}` the segment, `{port1}`..`{port8}`
 * and `{segment1}`..`{segment8}` the same counted from 1..8, `{adapter}` the adapter.
 */
export const fillFormat = (format: string, port: number, segment: number, adapter: number): string =>
  format.replace(/\{([^{}]*)\}/g, (_, key: string) => {
    if (key === '' || key === '0') return String(port);
    if (key === '1') return String(segment);
    if (key === 'adapter') return String(adapter);
    const [, what, offset] = /^(port|segment)([0-8])$/.exec(key) ?? [];
    if (what === undefined) throw unknownPlaceholder(key);
    return String((what === 'port' ? port : segment) + Number(offset));
  });

const unknownPlaceholder = (key: string): Error =>
  invalid(`port_name_format: {${key}} is not known; possible are {0}, {1}, {port0..8}, {segment0..8} and {adapter}`);

export interface AdapterOptions {
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
  const format = naming.port_name_format.slice(0, LENGTHS.line);
  const adapterType = options.adapterType?.slice(0, LENGTHS.line);
  let count = 0;
  return Array.from({ length: adapters * portsPerAdapter }, (_, index) => {
    const adapter = Math.floor(index / portsPerAdapter);
    const named = first !== null && index === 0;
    const at = named ? 0 : count++;
    // Without segments both numbers run on, so that formats with {segment0} still give names of their own.
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
  const own = naming.custom_adapters.find((a) => a.adapter_number === port.adapter_number);
  const type = own?.adapter_type ?? options.adapterType;
  const mac = own?.mac_address ?? (options.mac === undefined ? undefined : macPlus(options.mac, port.adapter_number));
  return {
    ...port,
    ...(own?.port_name === undefined ? {} : { name: own.port_name, short_name: shortName(own.port_name) }),
    ...(type === undefined ? {} : { adapter_type: type }),
    ...(mac === undefined ? {} : { mac_address: mac }),
  };
};

/** A MAC address counted up by n. */
export const macPlus = (mac: string, n: number): string => {
  const value = (BigInt(`0x${mac.replace(/[^0-9a-fA-F]/g, '')}`) + BigInt(n)) & 0xffffffffffffn;
  return value
    .toString(16)
    .padStart(12, '0')
    .replace(/(..)(?=.)/g, '$1:');
};
