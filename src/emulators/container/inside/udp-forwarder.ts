#!/usr/bin/env node
import { createSocket, type Socket } from 'node:dgram';

/**
 * Forwards UDP ports that a container publishes: runs in its network, with sockets that were bound in that of the machine. Arguments: its
 * ports; the sockets come by messages, in the same order, and then it is nobody's child. Each sender has a socket of its own towards the
 * container, so that answers find back.
 */

/** A sender is forgotten after this time without a datagram from either side. Milliseconds. */
const IDLE_MS = 60_000;
/** One more replaces the sender that has been silent longest. */
const MOST_SENDERS = 1_000;
const INSIDE = '127.0.0.1';

interface Sender {
  socket: Socket;
  timer: NodeJS.Timeout;
}

class Forwarder {
  readonly #outside: Socket;
  readonly #to: number;
  /** Senders by address and port, the most recently active last. */
  readonly #senders = new Map<string, Sender>();

  constructor(outside: Socket, to: number) {
    this.#outside = outside;
    this.#to = to;
    outside.on('message', (datagram, { address, port }) => {
      const key = `${address} ${port}`;
      const sender = this.#senders.get(key) ?? this.#enter(key, port, address);
      this.#heard(key, sender);
      sender.socket.send(datagram, to, INSIDE);
    });
    outside.on('error', tell);
  }

  #enter(key: string, port: number, address: string): Sender {
    const [longest] = this.#senders.keys();
    if (this.#senders.size >= MOST_SENDERS && longest !== undefined) this.#leave(longest);
    const socket = createSocket('udp4');
    const sender = { socket, timer: setTimeout(() => this.#leave(key), IDLE_MS) };
    socket.on('message', (answer, from) => {
      if (from.port !== this.#to) return;
      this.#heard(key, sender);
      this.#outside.send(answer, port, address);
    });
    socket.on('error', tell);
    return sender;
  }

  #heard(key: string, sender: Sender): void {
    sender.timer.refresh();
    this.#senders.delete(key);
    this.#senders.set(key, sender);
  }

  #leave(key: string): void {
    const sender = this.#senders.get(key);
    this.#senders.delete(key);
    clearTimeout(sender?.timer);
    sender?.socket.close();
  }
}

/** A datagram is lost, as it may be on any network. */
const tell = (error: Error): void => void process.stderr.write(`${error.message}\n`);

const ports = process.argv.slice(2).map(Number);
process.on('message', (_, socket) => {
  const to = ports.shift();
  if (to !== undefined) new Forwarder(socket as Socket, to);
  // Node itself still has the channel in hand.
  if (ports.length === 0) setImmediate(() => process.disconnect());
});
