import { endianness } from 'node:os';
import type { Koffi } from '../../../common/koffi.ts';

/** An address in this process, or an offset of one: below 2^47, so a number holds it. 0 is NULL. */
export type Pointer = number;

/** Calls of Linux that Node has none for, as their manual pages (section 2) say: -1 is a failure, `errno` tells which. */
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

/** What the structures of structures.ts are laid out for. */
const isKnown = (): boolean =>
  process.platform === 'linux' &&
  endianness() === 'LE' &&
  ['x64', 'arm64', 'riscv64', 'loong64'].includes(process.arch);

/** Throws Error where the calls are not there. */
export function openSystem(koffi: Koffi): System {
  if (!isKnown()) throw new Error(`${process.platform} on ${process.arch} is not supported`);
  // What Node itself is linked with.
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
