import { EventEmitter } from 'eventemitter3';

interface ListenOptions {
  /** Removes the listener when it is aborted. */
  signal?: AbortSignal;
}

/** Registers a listener of one event. */
export type Subscribe<Args extends unknown[]> = (listener: (...args: Args) => void, options?: ListenOptions) => void;

/**
 * The one way to notify others inside a process: an EventEmitter3 whose listeners are removed by a signal, like those of an EventTarget.
 * `Events`: arguments by name of the event. What a listener throws reaches the caller of `emit`, and later listeners are not called.
 */
export class Emitter<Events extends Record<keyof Events, unknown[]>> extends EventEmitter<Events> {
  override on<T extends EventEmitter.EventNames<Events>>(
    event: T,
    listener: EventEmitter.EventListener<Events, T>,
    { signal }: ListenOptions = {},
  ): this {
    if (signal === undefined) return super.on(event, listener);
    if (signal.aborted) return this;
    signal.addEventListener('abort', () => this.off(event, listener, signal), { once: true });
    // As its context, so that a listener registered twice leaves once.
    return super.on(event, listener, signal);
  }

  /** `on` for one event, to be offered to others without `emit`. */
  subscriber<T extends keyof Events & EventEmitter.EventNames<Events>>(event: T): Subscribe<Events[T]> {
    return (listener, options) => void this.on(event, listener as EventEmitter.EventListener<Events, T>, options);
  }
}
