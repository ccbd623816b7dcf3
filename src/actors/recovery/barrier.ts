/** Longest wait for nodes whose look has not come about. Milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * Keeps the nodes that are to be started again waiting until all have been looked for. Ports of a node that still runs may seem free
 * while the fabric's ends of them are down: a start could be given them, and then the node that runs could not be adopted.
 */
export class Barrier {
  readonly #left: Set<string>;
  #over: () => void = () => undefined;
  /** Resolves once every node has been looked for, or it takes too long. */
  readonly all: Promise<void>;

  constructor(nodeIds: Iterable<string>) {
    this.#left = new Set(nodeIds);
    this.all = new Promise((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS);
      this.#over = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#check();
  }

  /** A node is known to run or not to. */
  done(nodeId: string): void {
    this.#left.delete(nodeId);
    this.#check();
  }

  #check(): void {
    if (this.#left.size === 0) this.#over();
  }
}
