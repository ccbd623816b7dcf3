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
  TFD_CLOEXEC,
  TFD_NONBLOCK,
  timerValue,
} from './structures.ts';
import type { System } from './system.ts';

/** Called with the events of a descriptor: EPOLLIN, EPOLLOUT and what the system adds. */
export type OnReady = (flags: number) => void;

/**
 * Descriptors of the system in Node's event loop: one epoll set for all of them, itself watched by libuv. While frames flow, it is
 * asked again without a turn of the event loop, for a millisecond at most; at rest it costs nothing.
 */
export interface Reactor {
  add(fd: number, events: number, onReady: OnReady): void;
  change(fd: number, events: number): void;
  /** Before it is closed. */
  remove(fd: number): void;
  /** By a timer of the system: late by tens of microseconds. */
  createAlarm(fire: () => void): Alarm;
  close(): void;
}

const MOST_EVENTS = 256;
const SLICE_MS = 1;

/** `waiting`: frames that are delivered once the pump has returned. */
export function createReactor(system: System, waiting: () => number): Reactor {
  const epoll = system.epoll_create1(SOCK_CLOEXEC);
  if (epoll < 0) throw new Error(`epoll_create1: error ${system.errno()}`);
  const events = Buffer.alloc(MOST_EVENTS * EPOLL_EVENT);
  const ready = new Map<number, OnReady>();
  let pumping = false;
  let closed = false;

  const pump = (): void => {
    pumping = false;
    if (closed) return;
    const until = performance.now() + SLICE_MS;
    for (;;) {
      const count = system.epoll_wait(epoll, events, MOST_EVENTS, 0);
      if (count <= 0) return;
      for (let i = 0; i < count; i++) {
        const { flags, fd } = epollEventAt(events, i);
        ready.get(fd)?.(flags);
      }
      // What is left over makes libuv call again.
      if (waiting() > 0 || performance.now() >= until) return;
    }
  };
  // Only schedules: libuv's call is none of Node's own, after which microtasks would run. Immediates come right behind it.
  const handle = system.koffi.node.poll(epoll, { readable: true }, () => {
    if (pumping) return;
    pumping = true;
    setImmediate(pump);
  });
  handle.unref();
  let needed = 0;
  /** A process with nothing to wait for can end. */
  const need = (change: 1 | -1): void => {
    needed += change;
    if (closed) return;
    if (needed === 0) handle.unref();
    else if (needed === 1 && change === 1) handle.ref();
  };
  const control = (operation: number, fd: number, flags: number): void => {
    // Its number may be another descriptor's by now.
    if (closed) return;
    if (system.epoll_ctl(epoll, operation, fd, epollEvent(flags, fd)) !== 0)
      throw new Error(`epoll_ctl: error ${system.errno()}`);
  };
  const reactor: Reactor = {
    add(fd, flags, onReady) {
      control(EPOLL_CTL_ADD, fd, flags);
      ready.set(fd, onReady);
      need(1);
    },
    change: (fd, flags) => control(EPOLL_CTL_MOD, fd, flags),
    remove(fd) {
      control(EPOLL_CTL_DEL, fd, 0);
      ready.delete(fd);
      need(-1);
    },
    createAlarm: (fire) => createAlarm(system, control, ready, need, fire),
    close() {
      if (closed) return;
      closed = true;
      handle.close();
      system.close(epoll);
    },
  };
  return reactor;
}

/** The descriptor is watched only while the alarm is set, so that one that is not keeps no process. */
function createAlarm(
  system: System,
  control: (operation: number, fd: number, flags: number) => void,
  ready: Map<number, OnReady>,
  need: (change: 1 | -1) => void,
  fire: () => void,
): Alarm {
  const fd = system.timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (fd < 0) throw new Error(`timerfd_create: error ${system.errno()}`);
  const [value, count] = [Buffer.alloc(32), Buffer.alloc(8)];
  const off = Buffer.alloc(32);
  let set = false;
  let closed = false;
  const mark = (now: boolean): void => {
    if (now !== set) need(now ? 1 : -1);
    set = now;
  };
  control(EPOLL_CTL_ADD, fd, EPOLLIN);
  ready.set(fd, () => {
    // Nothing to read: it was set again, or cleared, after epoll saw it.
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
      control(EPOLL_CTL_DEL, fd, 0);
      ready.delete(fd);
      system.close(fd);
    },
  };
}
