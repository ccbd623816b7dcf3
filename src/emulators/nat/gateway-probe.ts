import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Relay } from '../shared/network/relay.ts';

const AGAIN_MS = 25;
/** Nobody's: locally administered. */
const SENDER = '02746c000001';
const ARP = 0x0806;
const REPLY = 2;
/** Of an Ethernet frame: its type, and the operation of an ARP packet. */
const [TYPE_AT, OPERATION_AT] = [12, 20];

/**
 * Resolves once the gateway behind a relay answers an ARP probe (RFC 5227, 2.1.1), which names no sender address. The fabric is not
 * attached yet, so it is asked from here.
 */
export const askForGateway = async (relay: Relay, gateway: string, signal: AbortSignal): Promise<void> => {
  const socket = createSocket('udp4');
  try {
    socket.bind(relay.fabric, '127.0.0.1');
    await once(socket, 'listening');
    // Datagrams that nobody takes yet are no failure.
    socket.on('error', () => undefined);
    const answered = answerOf(socket);
    const question = probeFor(gateway);
    do {
      signal.throwIfAborted();
      socket.send(question, relay.socat, '127.0.0.1');
    } while (!(await Promise.race([answered, sleep(AGAIN_MS, false)])));
  } finally {
    socket.close();
  }
};

const answerOf = (socket: Socket): Promise<true> =>
  new Promise((resolve) => {
    socket.on('message', (frame) => {
      if (frame.length < OPERATION_AT + 2 || frame.readUInt16BE(TYPE_AT) !== ARP) return;
      if (frame.readUInt16BE(OPERATION_AT) === REPLY) resolve(true);
    });
  });

const probeFor = (address: string): Buffer =>
  Buffer.concat([
    Buffer.from(`ffffffffffff${SENDER}0806`, 'hex'),
    Buffer.from(`0001080006040001${SENDER}00000000000000000000`, 'hex'),
    Buffer.from(address.split('.').map(Number)),
  ]);
