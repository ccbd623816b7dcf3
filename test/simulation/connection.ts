import { Emitter } from '../../src/common/emitter.ts';
import { type ControlClient, FabricError } from '../../src/fabric/client/client.ts';
import type {
  CaptureSpec,
  FabricEvent,
  Inventory,
  NodeSpec,
  Op,
  OpResult,
  PortId,
  CableSpec,
} from '../../src/fabric/protocol.ts';
import type { SimulatedFabric } from './fabric.ts';
import { type Owner, world } from './world.ts';

interface Request {
  ops: Op[];
  resolve: (results: OpResult[]) => void;
  reject: (error: Error) => void;
}

/** Looked at when ops leave the server: what of them nothing on disk explains. */
export const watcher: { onOp: (op: Op) => void } = { onOp: () => undefined };

/** The server's control connection: requests and answers keep their order, as on one socket. */
export class Connection implements ControlClient {
  readonly #fabric: SimulatedFabric;
  readonly #server: Owner;
  readonly #emitter = new Emitter<{ event: [FabricEvent]; lost: [] }>();
  readonly onEvent = this.#emitter.subscriber('event');
  readonly onLost = this.#emitter.subscriber('lost');
  readonly #waiting = new Set<Request>();
  #open = true;
  #sentAt = 0;
  #toldAt = 0;

  constructor(fabric: SimulatedFabric, server: Owner) {
    this.#fabric = fabric;
    this.#server = server;
    fabric.control?.break();
    fabric.control = this;
  }

  /** Nobody asks: a simulated fabric is not watched (`beats`), as its process has no entry in /proc. */
  beat = (): Promise<void> => Promise.resolve();

  run(ops: Op[]): Promise<OpResult[]> {
    for (const op of ops) watcher.onOp(op);
    return new Promise((resolve, reject) => {
      if (!this.#open) {
        reject(new FabricError('lost', 'The fabric is gone'));
        return;
      }
      const request = { ops: structuredClone(ops), resolve, reject };
      this.#waiting.add(request);
      this.#sentAt = Math.max(this.#sentAt, world().now + world().latency(0.1));
      const what = `fabric gets ${ops.map(({ op }) => op).join(' ')}`;
      world().after(this.#sentAt - world().now, what, () => this.#arrived(request), { owner: this.#fabric.owner });
    });
  }

  #arrived(request: Request): void {
    // One queue for all control connections, as the fabric has it.
    const { requests } = this.#fabric;
    requests.waiting.push(() => this.#carryOut(request));
    if (!requests.busy) this.#next();
  }

  #next(): void {
    const { requests } = this.#fabric;
    const next = requests.waiting.shift();
    requests.busy = next !== undefined;
    next?.();
  }

  #carryOut(request: Request): void {
    const { hungUntil, owner } = this.#fabric;
    const wait = Math.max(0, hungUntil - world().now) + world().latency(0.3);
    const done = (): void => {
      const results = request.ops.map((op) => this.#fabric.perform(op));
      this.#answer(() => {
        this.#waiting.delete(request);
        request.resolve(results);
      });
      this.#next();
    };
    world().after(wait, `fabric does ${request.ops.map(describe).join(' ')}`, done, { owner });
  }

  #answer(deliver: () => void): void {
    this.#toldAt = Math.max(this.#toldAt, world().now + world().latency(0.1));
    world().after(this.#toldAt - world().now, 'fabric answers', () => this.#open && deliver(), { owner: this.#server });
  }

  tell(event: FabricEvent): void {
    this.#answer(() => this.#emitter.emit('event', event));
  }

  async one<T>(op: Op): Promise<T> {
    const [result] = await this.run([op]);
    if (result === undefined) throw new FabricError('failed', 'no answer');
    if (!result.ok) throw new FabricError(result.code, result.message);
    return result.value as T;
  }

  inventory(): Promise<Inventory> {
    return this.one<Inventory>({ op: 'inventory' });
  }

  console(): Promise<never> {
    return Promise.reject(new FabricError('invalid', 'nobody listens to consoles here'));
  }

  close(): void {
    this.#open = false;
    if (this.#fabric.control === this) this.#fabric.control = null;
    this.#refuse();
  }

  /** The other side is gone: what waits for it is refused once the server sees that. */
  break(): void {
    if (this.#fabric.control === this) this.#fabric.control = null;
    world().after(
      world().latency(0.2),
      'the connection to the fabric breaks',
      () => {
        if (!this.#open) return;
        this.#open = false;
        this.#refuse();
        this.#emitter.emit('lost');
      },
      { owner: this.#server },
    );
  }

  #refuse(): void {
    for (const { reject } of [...this.#waiting]) reject(new FabricError('lost', 'The fabric is gone'));
    this.#waiting.clear();
  }
}

const describe = (op: Op): string => {
  const of = op as {
    node_id?: string;
    node?: NodeSpec;
    cable?: CableSpec;
    cable_id?: string;
    port?: PortId;
    capture?: CaptureSpec;
  };
  const port = of.port ?? of.capture?.port;
  const id = of.node?.node_id ?? of.node_id ?? of.cable?.cable_id ?? of.cable_id ?? port?.node_id ?? '';
  return `${op.op} ${id.slice(0, 8)}${of.capture === undefined ? '' : ` ${of.capture.path.split('/').at(-1) ?? ''}`}`;
};
