/**
 * How instances of IOU reach one another: each has a unix datagram socket named after its application id in a directory of the
 * user, and sends its frames there behind a header of eight octets. The file NETMAP says which interface leads to which. As
 * GNS3's iouyap and uBridge, which are public, speak it.
 */
export interface NetioHeader {
  /** Application ids. */
  to: number;
  from: number;
  /** Interfaces: see `interfaceByte`. */
  toInterface: number;
  fromInterface: number;
  type: number;
  channel: number;
}

/** Octets. */
export const HEADER_LENGTH = 8;
export const DATA = 1;
/** Over sockets of its own directory: the interface has something at its other end. */
export const KEEPALIVE = 3;

type Place = Readonly<{ adapter_number: number; port_number: number }>;

export const encodeHeader = (header: NetioHeader): Buffer => {
  const bytes = Buffer.alloc(HEADER_LENGTH);
  bytes.writeUInt16BE(header.to, 0);
  bytes.writeUInt16BE(header.from, 2);
  bytes.set([header.toInterface, header.fromInterface, header.type, header.channel], 4);
  return bytes;
};

/** null when there is no whole header. */
export const decodeHeader = (bytes: Buffer): NetioHeader | null => {
  if (bytes.length < HEADER_LENGTH) return null;
  const [toInterface = 0, fromInterface = 0, type = 0, channel = 0] = bytes.subarray(4, HEADER_LENGTH);
  return { to: bytes.readUInt16BE(0), from: bytes.readUInt16BE(2), toInterface, fromInterface, type, channel };
};

/** Port number in the upper four bits, adapter in the lower four. */
export const interfaceByte = ({ adapter_number, port_number }: Place): number =>
  ((port_number & 0xf) << 4) | (adapter_number & 0xf);

/** The id under which the other end of all interfaces of an instance is: beyond those that instances have. */
export const relayIdOf = (applicationId: number): number => applicationId + 512;

/** `<id>:<adapter>/<port> <id>:<adapter>/<port>`, a line for each interface. */
export const netmapOf = (applicationId: number, ports: readonly Place[]): string =>
  ports
    .map(({ adapter_number, port_number }) => {
      const place = `${adapter_number}/${port_number}`;
      return `${relayIdOf(applicationId)}:${place} ${applicationId}:${place}\n`;
    })
    .join('');

/** Images have these names built in: neither TMPDIR nor anything else changes them. */
export const netioDirectory = (uid: number): string => `/tmp/netio${uid}`;
export const netioSocket = (uid: number, id: number): string => `${netioDirectory(uid)}/${id}`;
export const keepaliveDirectory = (uid: number): string => `/tmp/netl1${uid}`;
export const keepaliveSocket = (uid: number, id: number): string => `${keepaliveDirectory(uid)}/L1${id}`;
