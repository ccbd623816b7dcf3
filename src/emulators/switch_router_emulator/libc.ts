import { importKoffi, type Koffi } from '../../common/koffi.ts';
import type { Missing } from '../kit/contract.ts';

/** Calls that Node does not have: unix datagram sockets, and locks that other programs see. By koffi, which calls the C library. */
export interface Libc {
  /** File descriptor of a datagram socket bound to a path, which must be free. Throws Error. */
  bindDatagram(path: string): number;
  /** Sends without waiting. */
  send(fd: number, to: Address, message: Uint8Array): 'sent' | 'full' | 'nobody';
  /** Octets of the next message, taken without waiting; null: there is none. */
  receive(fd: number, into: Buffer): number | null;
  /** Resolves once a socket has a message, or is shut down. Until then the process cannot end by itself. */
  wait(fd: number): Promise<void>;
  /** Wakes the waiters. */
  shutDown(fd: number): void;
  close(fd: number): void;
  /** Locks all of a file that is open for writing (fcntl(2)); false: another process holds it. */
  lock(fd: number): boolean;
}

/** sockaddr_un of a path. */
type Address = Buffer;

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const POLLIN = 1;
const SHUT_RDWR = 2;
const F_SETLK = 6;
const F_WRLCK = 1;
/** Octets of struct flock (64-bit offsets) and struct pollfd. */
const FLOCK = 32;
const POLLFD = 8;
/** Longest path of a sockaddr_un. */
const LONGEST_PATH = 107;

/** null when the library can be loaded here. */
export const libcLacks = async (): Promise<Missing | null> => {
  try {
    await importKoffi();
    return null;
  } catch {
    return { needs: 'koffi for its ports', install: 'npm install koffi, in the directory of this server' };
  }
};

export const addressOf = (path: string): Address => {
  if (Buffer.byteLength(path) > LONGEST_PATH) throw new Error(`${path} is too long for a socket`);
  const name = Buffer.from(`${path}\0`);
  const address = Buffer.alloc(2 + name.length);
  address.writeUInt16LE(AF_UNIX);
  name.copy(address, 2);
  return address;
};

type Call = (...args: (number | Uint8Array)[]) => number;
interface Calls {
  socket: Call;
  bind: Call;
  sendto: Call;
  recv: Call;
  shutdown: Call;
  close: Call;
  fcntl: Call;
  /** Called in a thread of Node's pool. */
  poll: (fds: Buffer, count: number, timeout: number, done: () => void) => void;
}

const callsOf = (library: ReturnType<Koffi['load']>): Calls => {
  const call = (prototype: string): Call => library.func(prototype) as Call;
  return {
    socket: call('int socket(int, int, int)'),
    bind: call('int bind(int, const uint8_t *, uint32_t)'),
    sendto: call('intptr_t sendto(int, const uint8_t *, size_t, int, const uint8_t *, uint32_t)'),
    recv: call('intptr_t recv(int, _Out_ uint8_t *, size_t, int)'),
    shutdown: call('int shutdown(int, int)'),
    close: call('int close(int)'),
    fcntl: call('int fcntl(int, int, _Inout_ uint8_t *)'),
    poll: library.func('int poll(_Inout_ uint8_t *, unsigned long, int)').async as Calls['poll'],
  };
};

/** Throws Error where there is no koffi, or no C library of Linux. */
export const loadLibc = async (): Promise<Libc> => {
  const koffi = await importKoffi();
  // null: the C library that Node itself is linked with.
  const libc = callsOf(koffi.load(null));
  const { EAGAIN, ENOBUFS } = koffi.os.errno;

  return {
    bindDatagram(path) {
      const address = addressOf(path);
      const fd = libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      if (fd < 0) throw new Error(`a socket cannot be made: error ${koffi.errno()}`);
      if (libc.bind(fd, address, address.length) === 0) return fd;
      const errno = koffi.errno();
      libc.close(fd);
      throw new Error(`${path} cannot be bound: error ${errno}`);
    },
    send(fd, to, message) {
      if (libc.sendto(fd, message, message.length, MSG_DONTWAIT, to, to.length) >= 0) return 'sent';
      const errno = koffi.errno();
      return errno === EAGAIN || errno === ENOBUFS ? 'full' : 'nobody';
    },
    receive(fd, into) {
      const length = libc.recv(fd, into, into.length, MSG_DONTWAIT);
      // A socket that was shut down gives 0 octets.
      return length > 0 ? length : null;
    },
    wait(fd) {
      const wanted = Buffer.alloc(POLLFD);
      wanted.writeInt32LE(fd);
      wanted.writeInt16LE(POLLIN, 4);
      // A signal that interrupts it is as good as a message.
      return new Promise((resolve) => libc.poll(wanted, 1, -1, () => resolve()));
    },
    shutDown: (fd) => void libc.shutdown(fd, SHUT_RDWR),
    close: (fd) => void libc.close(fd),
    lock(fd) {
      const wanted = Buffer.alloc(FLOCK);
      wanted.writeInt16LE(F_WRLCK);
      return libc.fcntl(fd, F_SETLK, wanted) === 0;
    },
  };
};
