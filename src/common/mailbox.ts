import { withResolvers } from './promises.ts';

/** Runs tasks one at a time, in order. A failure goes to its caller, and the next task runs all the same. */
export class Mailbox {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Tasks that wait or run. */
  get size(): number {
    return this.#waiting;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const result = this.#last.then(work).finally(() => this.#waiting--);
    // The queue itself never rejects; the caller holds the promise that does.
    this.#last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Resolves once every task that is in the queue now has run. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Runs a task once it is its turn in all mailboxes. It enters all queues at once, so that two tasks never wait for each other. */
export const inAll = async <T>(mailboxes: readonly Mailbox[], work: () => Promise<T>): Promise<T> => {
  const end = withResolvers();
  const turns = mailboxes.map((mailbox) => {
    const turn = withResolvers();
    void mailbox.run(() => {
      turn.resolve();
      return end.promise;
    });
    return turn.promise;
  });
  try {
    await Promise.all(turns);
    return await work();
  } finally {
    end.resolve();
  }
};

/** One mailbox for each name, as long as it is in use. */
export class Mailboxes {
  readonly #boxes = new Map<string, Mailbox>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const box = this.#boxes.get(name) ?? new Mailbox();
    this.#boxes.set(name, box);
    try {
      return await box.run(work);
    } finally {
      if (box.size === 0) this.#boxes.delete(name);
    }
  }
}

/** Runs at most `size` tasks at once; the others wait in order. */
export class Limiter {
  readonly #size: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#size) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running++;
    try {
      return await work();
    } finally {
      // A waiter takes over this place; only without one it becomes free.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
