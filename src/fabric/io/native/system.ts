import { endianness } from 'node:os';
import type { Koffi } from '../../../common/koffi.ts';

/** An address in this process: below 2^47, so a number holds it. 0 is NULL. */
export type Pointer = number;

/** System calls of Linux that Node does not offer (manual pages, section 2): -1 is a failure, `errno` tells which. */
export interface System {
  socket(family: number, type: number, protocol: number): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  connect(fd: number, address: Uint8Array, length: number): number;
  getsockname(fd: number, address: Uint8Array, length: Uint8Array): number;
  getsockopt(fd: number, level: number, name: number, value: Uint8Array, length: Uint8Array): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number;
  send(fd: number, frame: Uint8Array, length: number, flags: number): number;
  recvmmsg(fd: number, headers: Pointer, count: number, flags: number, timeout: Pointer): number;
  sendmmsg(fd: number, headers: Pointer, count: number, flags: number): number;
  read(fd: number, into: Uint8Array, length: number): number;
  close(fd: number): number;
  epoll_create1(flags: number): number;
  epoll_ctl(epoll: number, operation: number, fd: number, event: Uint8Array): number;
  epoll_wait(epoll: number, events: Uint8Array, count: number, ms: number): number;
  timerfd_create(clock: number, flags: number): number;
  timerfd_settime(fd: number, flags: number, value: Uint8Array, old: Pointer): number;
  errno(): number;
  addressOf(memory: Uint8Array): Pointer;
  koffi: Koffi;
}

/** Whether the structures below are laid out for this machine. */
const isSupported = (): boolean =>
  process.platform === 'linux' &&
  endianness() === 'LE' &&
  ['x64', 'arm64', 'riscv64', 'loong64'].includes(process.arch);

/** Throws an Error on other systems than Linux and other processors. */
export function openSystem(koffi: Koffi): System {
  if (!isSupported()) throw new Error(`${process.platform} on ${process.arch} is not supported`);
  // The libraries that Node itself is linked with.
  const library = koffi.load(null);
  const call = <Name extends keyof System>(name: Name, types: string): System[Name] =>
    library.func(`int ${name}(${types})`) as unknown as System[Name];
  return {
    socket: call('socket', 'int, int, int'),
    bind: call('bind', 'int, const uint8_t *, uint32_t'),
    connect: call('connect', 'int, const uint8_t *, uint32_t'),
    getsockname: call('getsockname', 'int, _Out_ uint8_t *, _Inout_ uint8_t *'),
    getsockopt: call('getsockopt', 'int, int, int, _Out_ uint8_t *, _Inout_ uint8_t *'),
    setsockopt: call('setsockopt', 'int, int, int, const uint8_t *, uint32_t'),
    send: library.func('intptr_t send(int, const uint8_t *, size_t, int)') as System['send'],
    recvmmsg: call('recvmmsg', 'int, uintptr_t, uint32_t, int, uintptr_t'),
    sendmmsg: call('sendmmsg', 'int, uintptr_t, uint32_t, int'),
    read: library.func('intptr_t read(int, _Out_ uint8_t *, size_t)') as System['read'],
    close: call('close', 'int'),
    epoll_create1: call('epoll_create1', 'int'),
    epoll_ctl: call('epoll_ctl', 'int, int, int, const uint8_t *'),
    epoll_wait: call('epoll_wait', 'int, _Out_ uint8_t *, int, int'),
    timerfd_create: call('timerfd_create', 'int, int'),
    timerfd_settime: call('timerfd_settime', 'int, int, const uint8_t *, uintptr_t'),
    errno: () => koffi.errno(),
    addressOf: (memory) => Number(koffi.address(memory)),
    koffi,
  };
}

// Constants and structures of Linux on 64 bits, little-endian.
export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCK_DGRAM = 2;
export const SOCK_NONBLOCK = 0o4000;
export const SOCK_CLOEXEC = 0o2000000;
export const SOL_SOCKET = 1;
export const SO_ERROR = 4;
export const SO_SNDBUF = 7;
export const SO_RCVBUF = 8;
/** Socket options for the path MTU by family; `discoverDo`: packets are not fragmented. */
export const MTU_OPTIONS = {
  4: { level: 0, discover: 10, discoverDo: 2, mtu: 14 },
  6: { level: 41, discover: 23, discoverDo: 2, mtu: 24 },
} as const;
export const MSG_DONTWAIT = 0x40;
export const EPOLL_CTL_ADD = 1;
export const EPOLL_CTL_DEL = 2;
export const EPOLL_CTL_MOD = 3;
export const EPOLLIN = 1;
export const EPOLLOUT = 4;
export const CLOCK_MONOTONIC = 1;
export const TFD_NONBLOCK = 0o4000;
export const TFD_CLOEXEC = 0o2000000;

/** struct epoll_event: packed on x86-64 only. */
export const EPOLL_EVENT = process.arch === 'x64' ? 12 : 16;
const EPOLL_DATA = EPOLL_EVENT - 8;

export function epollEvent(events: number, fd: number): Uint8Array {
  const event = Buffer.alloc(EPOLL_EVENT);
  event.writeUInt32LE(events, 0);
  event.writeInt32LE(fd, EPOLL_DATA);
  return event;
}

export const epollEventAt = (events: Buffer, index: number): { flags: number; fd: number } => ({
  flags: events.readUInt32LE(index * EPOLL_EVENT),
  fd: events.readInt32LE(index * EPOLL_EVENT + EPOLL_DATA),
});

/** struct sockaddr_in or sockaddr_in6; `address` is numeric. */
export function socketAddress(address: string, port: number): Uint8Array {
  const six = address.includes(':');
  const bytes = Buffer.alloc(six ? 28 : 16);
  bytes.writeUInt16LE(six ? AF_INET6 : AF_INET, 0);
  bytes.writeUInt16BE(port, 2);
  if (six) bytes.set(ipv6Octets(address), 8);
  else bytes.set(address.split('.').map(Number), 4);
  return bytes;
}

export const portOfSocketAddress = (address: Buffer): number => address.readUInt16BE(2);

/** The text forms of RFC 4291 section 2.2, as a resolver gives them. */
function ipv6Octets(address: string): Uint8Array {
  const [head = '', tail] = dottedAsHex(address).split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const all = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** `::ffff:10.0.0.1` as `::ffff:a00:1`. */
const dottedAsHex = (address: string): string =>
  address.replace(/(?<!\d)\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });

/** struct itimerspec that fires once. Zero would switch the timer off. */
export function timerValue(into: Buffer, ms: number): Buffer {
  const nanoseconds = Math.max(1, Math.ceil(ms * 1e6));
  into.writeBigInt64LE(BigInt(Math.floor(nanoseconds / 1e9)), 16);
  into.writeBigInt64LE(BigInt(nanoseconds % 1e9), 24);
  return into;
}

/** Octets of struct mmsghdr, and of struct iovec. */
const MMSGHDR = 64;
const IOVEC = 16;

/** An array of struct mmsghdr, each with one struct iovec. */
export interface Messages {
  readonly pointer: Pointer;
  /** Sets the buffer of message i. */
  set(i: number, base: Pointer, length: number): void;
  /** Octets received in message i. */
  received(i: number): number;
}

export const pointerOfMessage = (messages: Messages, i: number): Pointer => messages.pointer + i * MMSGHDR;

export function createMessages(system: System, count: number): Messages {
  const headers = Buffer.alloc(count * MMSGHDR);
  const vectors = Buffer.alloc(count * IOVEC);
  const words = new Uint32Array(headers.buffer, headers.byteOffset, headers.length / 4);
  const vectorWords = new Uint32Array(vectors.buffer, vectors.byteOffset, vectors.length / 4);
  const pointer = system.addressOf(headers);
  const vectorPointer = system.addressOf(vectors);
  for (let i = 0; i < count; i++) {
    headers.writeBigUInt64LE(BigInt(vectorPointer + i * IOVEC), i * MMSGHDR + 16);
    headers.writeBigUInt64LE(1n, i * MMSGHDR + 24);
  }
  return {
    pointer,
    set(i, base, length) {
      const at = i * 4;
      vectorWords[at] = base;
      vectorWords[at + 1] = base / 0x1_0000_0000;
      vectorWords[at + 2] = length;
    },
    received: (i) => words[i * 16 + 14] ?? 0,
  };
}
