import { z } from 'zod';
import { field, type Fields, filled, kept, listOf, name, nullable, tcpPort, text } from '../kit/fields.ts';

const common = { name, port_number: z.int().min(0) };
const toInterface = { ...common, interface: filled };

const portMapping = z.discriminatedUnion('type', [
  z.strictObject({ ...toInterface, type: z.literal('ethernet') }),
  z.strictObject({ ...toInterface, type: z.literal('tap') }),
  z.strictObject({ ...common, type: z.literal('udp'), lport: tcpPort, rhost: filled, rport: tcpPort }),
]);
export type Mapping = z.infer<typeof portMapping>;
export type PortType = Mapping['type'];
/** A port towards an interface of the host. */
export type InterfaceMapping = Exclude<Mapping, { type: 'udp' }>;

export const fields: Fields = {
  ports_mapping: field(listOf(portMapping), []),
  /** Of the host, as other servers list them; kept as it came, never read. */
  interfaces: field(kept(listOf(z.looseObject({}))), []),
  remote_console_host: field(text, ''),
  remote_console_port: nullable(tcpPort),
  remote_console_type: field(z.enum(['telnet', 'vnc', 'spice', 'http', 'https', 'none']), 'none'),
  remote_console_http_path: field(text, '/'),
};
