import { Emitter } from '../../src/common/emitter.ts';
import type { Engine, Exit, KindNode, Started } from '../../src/emulators/kit/contract.ts';
import type { Engines } from '../../src/emulators/kit/engines.ts';

type Action = 'start' | 'stop' | 'suspend' | 'resume' | 'reload' | 'update' | 'remove';

/** An engine that does what a test says, and notes what it was asked. */
export class FakeEngine {
  readonly calls: Action[] = [];
  /** Instead of success at once; gone after one use. */
  readonly #next = new Map<Action, (signal: AbortSignal) => Promise<void>>();
  readonly #events = new Emitter<{ exit: [Exit] }>();
  /** Whether it reloads in place. */
  inPlace = true;
  deadline = 10_000;
  /** What a look for a node finds. */
  adopt: Engine['adopt'] = () => Promise.resolve(null);
  starts = 0;
  /** Hears of each change of a node that has been carried out. */
  updated: (node: KindNode) => void = () => undefined;
  /** Of the last start. */
  args: Record<string, unknown> = {};

  once(action: Action, how: (signal: AbortSignal) => Promise<void>): void {
    this.#next.set(action, how);
  }

  exit(node: { node_id: string; project_id: string }): void {
    const { node_id, project_id } = node;
    this.#events.emit('exit', { node_id, project_id, code: 3, signal: null, output: 'it fell over' });
  }

  async #do(action: Action, signal: AbortSignal): Promise<void> {
    this.calls.push(action);
    const how = this.#next.get(action);
    this.#next.delete(action);
    await how?.(signal);
  }

  async #launch(action: 'start' | 'reload', signal: AbortSignal): Promise<Started> {
    await this.#do(action, signal);
    this.starts++;
    return { pid: 100 + this.starts, console: null, command_line: `fake ${this.starts}` };
  }

  get engine(): Engine {
    return {
      name: 'fake',
      concurrency: Infinity,
      missing: () => Promise.resolve(null),
      start: (_node, args, signal) => {
        this.args = args;
        return this.#launch('start', signal);
      },
      stop: (_node, signal) => this.#do('stop', signal),
      suspend: (_node, signal) => this.#do('suspend', signal),
      resume: (_node, signal) => this.#do('resume', signal),
      ...(this.inPlace ? { reload: (_node: KindNode, signal: AbortSignal) => this.#launch('reload', signal) } : {}),
      update: async (node, signal) => {
        await this.#do('update', signal);
        this.updated(node);
      },
      adopt: (node, signal) => this.adopt(node, signal),
      remove: (_node, signal) => this.#do('remove', signal),
      deadline: () => this.deadline,
      onExit: () => undefined,
      close: () => Promise.resolve(),
    };
  }

  /** Runs every node by this engine. */
  readonly engines = (made: Engines): Engines => ({
    ...made,
    forNode: () => Promise.resolve(this.engine),
    running: (_kind, name) => (name === 'fake' ? this.engine : undefined),
    onExit: this.#events.subscriber('exit'),
  });
}

/** Something that lasts until the test ends it. */
export const lasting = (): { how: () => Promise<void>; begun: Promise<void>; end: () => void } => {
  let end: () => void = () => undefined;
  let begin: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return {
    how: () => {
      begin();
      return over;
    },
    begun,
    end: () => end(),
  };
};
