/** Answers ARP requests for, and pings of, the address of `ip address` in a configuration. null: no answer. */
export const answerOf = (frame: Buffer, mac: Buffer, configuration: string): Buffer | null => {
  const [, address] = /^ *ip address (\d+\.\d+\.\d+\.\d+)/m.exec(configuration) ?? [];
  if (address === undefined || frame.length < 42) return null;
  const own = Buffer.from(address.split('.').map(Number));
  const answer = Buffer.from(frame);
  frame.copy(answer, 0, 6, 12);
  mac.copy(answer, 6);
  switch (frame.readUInt16BE(12)) {
    case 0x0806:
      return frame.readUInt16BE(20) === 1 && frame.subarray(38, 42).equals(own) ? arpReply(frame, answer, mac) : null;
    case 0x0800:
      return frame[23] === 1 && frame[34] === 8 && frame.subarray(30, 34).equals(own) ? echoReply(frame, answer) : null;
    default:
      return null;
  }
};

const arpReply = (request: Buffer, reply: Buffer, mac: Buffer): Buffer => {
  reply.writeUInt16BE(2, 20);
  request.copy(reply, 32, 22, 32);
  mac.copy(reply, 22);
  request.copy(reply, 28, 38, 42);
  return reply;
};

/** Addresses that change places leave the header's checksum as it is; type 8 that becomes 0 adds as much to the message's. */
const echoReply = (request: Buffer, reply: Buffer): Buffer => {
  request.copy(reply, 26, 30, 34);
  request.copy(reply, 30, 26, 30);
  reply[34] = 0;
  const sum = request.readUInt16BE(36) + 0x0800;
  reply.writeUInt16BE((sum & 0xffff) + (sum >>> 16), 36);
  return reply;
};
