import type { Alarm } from '../../frames/timers.ts';
import {
  CLOCK_MONOTONIC,
  EPOLL_CTL_ADD,
  EPOLL_CTL_DEL,
  EPOLL_CTL_MOD,
  EPOLL_EVENT,
  epollEvent,
  epollEventAt,
  EPOLLIN,
  SOCK_CLOEXEC,
  type System,
  TFD_CLOEXEC,
  TFD_NONBLOCK,
  timerValue,
} from './system.ts';

/** Called with the events of a descriptor: EPOLLIN, EPOLLOUT and what the system adds. */
export type OnReady = (flags: number) => void;

const MOST_EVENTS = 256;
const SLICE_MS = 1;

/**
 * Native file descriptors in Node's event loop: one epoll set for all of them, itself watched by libuv. While frames flow, it is polled
 * again without a turn of the event loop, for a millisecond at most; when idle it costs nothing.
 */
export class Reactor {
  readonly #system: System;
  readonly #waiting: () => number;
  readonly #epoll: number;
  readonly #handle: ReturnType<System['koffi']['node']['poll']>;
  readonly #events = Buffer.alloc(MOST_EVENTS * EPOLL_EVENT);
  readonly #ready = new Map<number, OnReady>();
  #needed = 0;
  #pumping = false;
  #closed = false;

  /** `waiting`: number of frames in the run queue, which are delivered once the pump has returned. */
  constructor(system: System, waiting: () => number) {
    this.#system = system;
    this.#waiting = waiting;
    this.#epoll = system.epoll_create1(SOCK_CLOEXEC);
    if (this.#epoll < 0) throw new Error(`epoll_create1: error ${system.errno()}`);
    const pump = (): void => this.#pump();
    // Only schedules: no microtasks run after a callback of libuv that is not Node's own. Immediates run right after it.
    this.#handle = system.koffi.node.poll(this.#epoll, { readable: true }, () => {
      if (this.#pumping) return;
      this.#pumping = true;
      setImmediate(pump);
    });
    this.#handle.unref();
  }

  #pump(): void {
    this.#pumping = false;
    if (this.#closed) return;
    const until = performance.now() + SLICE_MS;
    for (;;) {
      const count = this.#system.epoll_wait(this.#epoll, this.#events, MOST_EVENTS, 0);
      if (count <= 0) return;
      for (let i = 0; i < count; i++) {
        const { flags, fd } = epollEventAt(this.#events, i);
        this.#ready.get(fd)?.(flags);
      }
      // libuv calls again for remaining events.
      if (this.#waiting() > 0 || performance.now() >= until) return;
    }
  }

  add(fd: number, flags: number, onReady: OnReady): void {
    this.watch(fd, flags, onReady);
    this.need(1);
  }

  change(fd: number, flags: number): void {
    this.#control(EPOLL_CTL_MOD, fd, flags);
  }

  /** To be called before the descriptor is closed. */
  remove(fd: number): void {
    this.unwatch(fd);
    this.need(-1);
  }

  /** As `add` and `remove`, without keeping the process alive. */
  watch(fd: number, flags: number, onReady: OnReady): void {
    this.#control(EPOLL_CTL_ADD, fd, flags);
    this.#ready.set(fd, onReady);
  }

  unwatch(fd: number): void {
    this.#control(EPOLL_CTL_DEL, fd, 0);
    this.#ready.delete(fd);
  }

  /** Keeps the process alive while the count is above 0. */
  need(change: 1 | -1): void {
    this.#needed += change;
    if (this.#closed) return;
    if (this.#needed === 0) this.#handle.unref();
    else if (this.#needed === 1 && change === 1) this.#handle.ref();
  }

  #control(operation: number, fd: number, flags: number): void {
    // After closing, another descriptor may have the number.
    if (this.#closed) return;
    if (this.#system.epoll_ctl(this.#epoll, operation, fd, epollEvent(flags, fd)) !== 0)
      throw new Error(`epoll_ctl: error ${this.#system.errno()}`);
  }

  /** An alarm by timerfd: late by tens of microseconds. */
  createAlarm(fire: () => void): Alarm {
    return createAlarm(this.#system, this, fire);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handle.close();
    this.#system.close(this.#epoll);
  }
}

/** Keeps the process alive only while it is set. */
function createAlarm(system: System, reactor: Reactor, fire: () => void): Alarm {
  const fd = system.timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (fd < 0) throw new Error(`timerfd_create: error ${system.errno()}`);
  const [value, count] = [Buffer.alloc(32), Buffer.alloc(8)];
  const off = Buffer.alloc(32);
  let set = false;
  let closed = false;
  const mark = (now: boolean): void => {
    if (now !== set) reactor.need(now ? 1 : -1);
    set = now;
  };
  reactor.watch(fd, EPOLLIN, () => {
    // Nothing to read: it was set again or cleared after epoll reported it.
    if (system.read(fd, count, count.length) <= 0 || !set) return;
    mark(false);
    fire();
  });
  return {
    set(ms) {
      if (closed) return;
      system.timerfd_settime(fd, 0, timerValue(value, ms), 0);
      mark(true);
    },
    clear() {
      if (closed) return;
      system.timerfd_settime(fd, 0, off, 0);
      mark(false);
    },
    close() {
      if (closed) return;
      this.clear();
      closed = true;
      reactor.unwatch(fd);
      system.close(fd);
    },
  };
}
