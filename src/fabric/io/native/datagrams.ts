import { lookup } from 'node:dns/promises';
import { messageOf } from '../../../common/errors.ts';
import { FabricError } from '../../client/client.ts';
import { FrameBatch, type FrameSink } from '../../frames/frame-batch.ts';
import {
  bindError,
  type DatagramSocket,
  type DatagramSockets,
  MOST_QUEUED,
  nodeDatagramSockets,
  type Peer,
  SOCKET_BUFFER,
} from '../datagrams.ts';
import type { Reactor } from './reactor.ts';
import {
  AF_INET,
  AF_INET6,
  createMessages,
  EPOLLIN,
  EPOLLOUT,
  type Messages,
  MSG_DONTWAIT,
  pointerOfMessage,
  portOfSocketAddress,
  SO_RCVBUF,
  SO_SNDBUF,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  socketAddress,
  SOL_SOCKET,
  type System,
} from './system.ts';

/** Frames in the run queue above which sockets are not read: a full queue drops frames, while a socket keeps them. */
const MOST_WAITING = 8192;
/** Datagrams a system call. */
const BATCH = 64;
const LONGEST = 65_536;
/** Not a power of two, or all frames would share a few sets of the processor's caches. */
const STRIDE = LONGEST + 2048 + 64;

/** Buffers that all sockets share, as they are read and written one at a time. */
interface Shared {
  system: System;
  reactor: Reactor;
  outbox: Outbox;
  incoming: Messages;
  outgoing: Messages;
  received: FrameBatch;
  waiting: () => number;
}

/** Sockets by recvmmsg(2) and sendmmsg(2). */
export function createNativeSockets(system: System, reactor: Reactor, waiting: () => number): DatagramSockets {
  const shared: Shared = {
    system,
    reactor,
    outbox: createOutbox((memory) => system.addressOf(memory)),
    incoming: createMessages(system, BATCH),
    outgoing: createMessages(system, BATCH),
    received: createReceived(system),
    waiting,
  };
  for (let i = 0; i < BATCH; i++) shared.incoming.set(i, shared.received.address + i * STRIDE, LONGEST);
  return {
    open(local, peer, sink) {
      // An address with a zone needs the index of its interface, which Node finds.
      const zoned = local.host.includes('%') || peer.host.includes('%');
      return zoned ? nodeDatagramSockets.open(local, peer, sink) : open(shared, local, peer, sink);
    },
  };
}

/** The batch that frames are received into. Its pages are not allocated before a frame touches them. */
function createReceived(system: System): FrameBatch {
  const memory = new Uint8Array(new ArrayBuffer(BATCH * STRIDE));
  const offsets = Uint32Array.from({ length: BATCH }, (_, i) => i * STRIDE);
  const batch = new FrameBatch(memory, offsets, new Uint32Array(BATCH), true);
  batch.count = 0;
  batch.address = system.addressOf(memory);
  return batch;
}

async function open(shared: Shared, local: Peer, peer: Peer, sink: FrameSink): Promise<DatagramSocket> {
  const { system, reactor } = shared;
  const family = local.host.includes(':') ? 6 : 4;
  const [from, to] = [await resolve('lhost', local, family), await resolve('rhost', peer, family)];
  const fd = system.socket(family === 6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) throw new FabricError('failed', `A UDP socket cannot be made: ${errorName(system)}`);
  try {
    const size = Buffer.alloc(4);
    size.writeInt32LE(SOCKET_BUFFER);
    for (const name of [SO_RCVBUF, SO_SNDBUF]) system.setsockopt(fd, SOL_SOCKET, name, size, size.length);
    if (system.bind(fd, from, from.length) !== 0)
      throw bindError(Object.assign(new Error(`bind ${errorName(system)}`), { code: errorName(system) }), local);
    connectTo(system, fd, to, peer);
    // Discards what others than the peer sent between bind and connect.
    while (system.recvmmsg(fd, shared.incoming.pointer, BATCH, MSG_DONTWAIT, 0) > 0);
    const socket = new NativeSocket(shared, fd, family, sink);
    reactor.add(fd, EPOLLIN, (flags) => socket.onReady(flags));
    return socket;
  } catch (error) {
    system.close(fd);
    throw error;
  }
}

async function resolve(field: string, { host, port }: Peer, family: 4 | 6): Promise<Uint8Array> {
  try {
    return socketAddress((await lookup(host, { family })).address, port);
  } catch (error) {
    throw new FabricError('invalid', `${field} ${host}: ${messageOf(error)}`);
  }
}

function connectTo(system: System, fd: number, address: Uint8Array, { host }: Peer): void {
  if (system.connect(fd, address, address.length) !== 0)
    throw new FabricError('invalid', `rhost ${host}: connect ${errorName(system)}`);
}

const errorName = (system: System): string => {
  const number = system.errno();
  return Object.entries(system.koffi.os.errno).find(([, value]) => value === number)?.[0] ?? `error ${number}`;
};

/** Frames that the system has not taken yet. */
interface Backlog {
  frames: Uint8Array[];
  bytes: number;
}

class NativeSocket implements DatagramSocket {
  readonly port: number;
  failed = 0;
  readonly #shared: Shared;
  readonly #fd: number;
  readonly #family: 4 | 6;
  readonly #sink: FrameSink;
  readonly #backlog: Backlog = { frames: [], bytes: 0 };
  #closed = false;

  constructor(shared: Shared, fd: number, family: 4 | 6, sink: FrameSink) {
    this.#shared = shared;
    this.#fd = fd;
    this.#family = family;
    this.#sink = sink;
    this.port = portOf(shared.system, fd);
  }

  take(frame: Uint8Array): void {
    if (this.#closed) this.failed++;
    else this.#shared.outbox.add(this, frame);
  }

  /** The outbox calls this as well, after removing what it passes. */
  takeBatch(batch: FrameBatch): void {
    this.#shared.outbox.flush();
    if (this.#closed) {
      this.failed += batch.count;
      return;
    }
    const waits = this.#backlog.frames.length > 0;
    const result = waits ? { done: 0, failed: 0 } : sendAll(this.#shared, this.#fd, batch);
    this.failed += result.failed;
    if (result.done < batch.count) for (const frame of batch.frames().slice(result.done)) this.#keep(frame);
  }

  #keep(frame: Uint8Array): void {
    const backlog = this.#backlog;
    if (backlog.bytes + frame.length > MOST_QUEUED) {
      this.failed++;
      return;
    }
    if (backlog.frames.length === 0) this.#shared.reactor.change(this.#fd, EPOLLIN | EPOLLOUT);
    backlog.frames.push(frame);
    backlog.bytes += frame.length;
  }

  onReady(flags: number): void {
    if ((flags & EPOLLOUT) !== 0 && this.#backlog.frames.length > 0) this.#sendBacklog();
    // Receiving also consumes a pending network error (no such peer).
    if ((flags & ~EPOLLOUT) !== 0 && this.#shared.waiting() < MOST_WAITING) this.#receive();
  }

  #sendBacklog(): void {
    this.failed += sendFrames(this.#shared.system, this.#fd, this.#backlog);
    if (this.#backlog.frames.length === 0) this.#shared.reactor.change(this.#fd, EPOLLIN);
  }

  #receive(): void {
    const { system, incoming, received } = this.#shared;
    const count = system.recvmmsg(this.#fd, incoming.pointer, BATCH, MSG_DONTWAIT, 0);
    if (count <= 0) return;
    for (let i = 0; i < count; i++) received.lengths[i] = incoming.received(i);
    received.count = count;
    this.#sink.takeBatch(received);
  }

  async connect(peer: Peer): Promise<void> {
    const address = await resolve('rhost', peer, this.#family);
    if (!this.#closed) connectTo(this.#shared.system, this.#fd, address, peer);
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const { system, reactor, outbox } = this.#shared;
    outbox.flush();
    this.#closed = true;
    reactor.remove(this.#fd);
    system.close(this.#fd);
    return Promise.resolve();
  }
}

function portOf(system: System, fd: number): number {
  const [address, length] = [Buffer.alloc(28), Buffer.alloc(4)];
  length.writeUInt32LE(address.length);
  system.getsockname(fd, address, length);
  return portOfSocketAddress(address);
}

/** Sends until the system takes no more. `done`: frames sent or given up; `failed`: those given up. */
function sendAll({ system, outgoing }: Shared, fd: number, batch: FrameBatch): { done: number; failed: number } {
  const base = batch.address === 0 ? (batch.address = system.addressOf(batch.memory)) : batch.address;
  let failed = 0;
  let done = 0;
  /** Index of the frame tried again: an error may belong to an earlier frame, so each one is tried twice. */
  let retried = -1;
  while (done < batch.count) {
    const count = Math.min(BATCH, batch.count - done);
    for (let i = 0; i < count; i++)
      outgoing.set(i, base + (batch.offsets[done + i] ?? 0), batch.lengths[done + i] ?? 0);
    const sent = sendSome(system, fd, outgoing, count);
    done += sent;
    if (sent === count) continue;
    if (isFull(system)) break;
    if (retried === done) {
      failed++;
      done++;
    } else retried = done;
  }
  return { done, failed };
}

/** Sends frames until one fails; returns how many were sent. */
function sendSome(system: System, fd: number, outgoing: Messages, count: number): number {
  let sent = 0;
  while (sent < count) {
    const more = system.sendmmsg(fd, pointerOfMessage(outgoing, sent), count - sent, MSG_DONTWAIT);
    if (more <= 0) break;
    sent += more;
  }
  return sent;
}

const isFull = (system: System): boolean => {
  const { EAGAIN, ENOBUFS, EINTR } = system.koffi.os.errno;
  return [EAGAIN, ENOBUFS, EINTR].includes(system.errno());
};

/** Sends from a backlog until the system takes no more; returns how many failed. */
function sendFrames(system: System, fd: number, backlog: Backlog): number {
  let failed = 0;
  let done = 0;
  for (const frame of backlog.frames) {
    if (system.send(fd, frame, frame.length, MSG_DONTWAIT) < 0) {
      if (isFull(system)) break;
      failed++;
    }
    done++;
    backlog.bytes -= frame.length;
  }
  backlog.frames.splice(0, done);
  return failed;
}

/** A socket with frames in the outbox. It must send a batch at once: the memory is reused afterwards. */
type Sender = Pick<FrameSink, 'takeBatch'>;

/**
 * Collects the frames of one tick, so that each socket needs one system call for them. Copies them into one arena, as the address of
 * each frame's own memory would have to be looked up.
 */
interface Outbox {
  add(sender: Sender, frame: Uint8Array): void;
  /** Sends what was added. */
  flush(): void;
}

const ARENA = 256 * 1024;
const MOST_FRAMES = 1024;

function createOutbox(addressOf: (memory: Uint8Array) => number): Outbox {
  let arena: Buffer | undefined;
  let address = 0;
  let used = 0;
  let count = 0;
  let scheduled = false;
  const waiting = new Map<Sender, [offsets: number[], lengths: number[]]>();

  const flush = (): void => {
    scheduled = false;
    if (arena === undefined || waiting.size === 0) return;
    used = count = 0;
    const all = [...waiting];
    waiting.clear();
    for (const [sender, [offsets, lengths]] of all) {
      const batch = new FrameBatch(arena, Uint32Array.from(offsets), Uint32Array.from(lengths), true);
      batch.address = address;
      sender.takeBatch(batch);
    }
  };
  const open = (): Buffer => {
    const memory = Buffer.allocUnsafeSlow(ARENA);
    address = addressOf(memory);
    return memory;
  };
  return {
    add(sender, frame) {
      if (count === MOST_FRAMES || used + frame.length > ARENA) flush();
      arena ??= open();
      arena.set(frame, used);
      const known = waiting.get(sender);
      if (known === undefined) waiting.set(sender, [[used], [frame.length]]);
      else {
        known[0].push(used);
        known[1].push(frame.length);
      }
      used += frame.length;
      count++;
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(flush);
    },
    flush,
  };
}
