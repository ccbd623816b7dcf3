import { z } from 'zod';
import { field, type Fields, filled, kept, listOf, name, nullable, tcpPort, text } from '../kit/fields.ts';
import { part } from '../kit/texts.ts';

const common = {
  name: part(name, 'Name', 'What the port is called.'),
  port_number: part(z.int().min(0), 'Number', 'Number of the port, each once.'),
};
const type = <T extends string>(value: T): z.ZodLiteral<T> =>
  part(z.literal(value), 'Type', 'An interface of the compute, a TAP interface, or a UDP tunnel.');
const toInterface = { ...common, interface: part(filled, 'Interface', 'Of the compute, such as eth0.') };

const portMapping = z.discriminatedUnion('type', [
  z.strictObject({ ...toInterface, type: type('ethernet') }),
  z.strictObject({ ...toInterface, type: type('tap') }),
  z.strictObject({
    ...common,
    type: type('udp'),
    lport: part(tcpPort, 'Local port', 'UDP port that frames come to.'),
    rhost: part(filled, 'Remote host', 'Where frames go.'),
    rport: part(tcpPort, 'Remote port', 'UDP port that frames go to.'),
  }),
]);
export type Mapping = z.infer<typeof portMapping>;
export type PortType = Mapping['type'];
/** A port towards an interface of the host. */
export type InterfaceMapping = Exclude<Mapping, { type: 'udp' }>;

export const fields: Fields = {
  ports_mapping: field(listOf(portMapping), []),
  /** Interfaces of the host, as other servers list them; stored unchanged, never read. */
  interfaces: field(kept(listOf(z.looseObject({}))), []),
  remote_console_host: field(text, ''),
  remote_console_port: nullable(tcpPort),
  remote_console_type: field(z.enum(['telnet', 'vnc', 'spice', 'http', 'https', 'none']), 'none'),
  remote_console_http_path: field(text, '/'),
};
