import { Emitter } from '../../common/emitter.ts';
import { engineFailed } from '../../common/errors.ts';
import type { Exit, KindNode, NodeWarning } from '../kit/contract.ts';

/** Directory of a node's files. Throws `engine_failed` for a node that has none. */
export const directoryOf = ({ name, node_directory }: Pick<KindNode, 'name' | 'node_directory'>): string => {
  if (node_directory === null) throw engineFailed(name, 'it has no directory for its files');
  return node_directory;
};

/** Base of engines whose nodes run outside the fabric. */
export abstract class OutsideEngine {
  readonly outside = true;
  readonly #events = new Emitter<{ exit: [Exit]; warning: [NodeWarning] }>();
  readonly onExit = this.#events.subscriber('exit');
  readonly onWarning = this.#events.subscriber('warning');

  abstract stop(node: KindNode, signal: AbortSignal): Promise<void>;

  remove(node: KindNode, signal: AbortSignal): Promise<void> {
    return this.stop(node, signal);
  }

  protected reportWarning(warning: NodeWarning): void {
    this.#events.emit('warning', warning);
  }

  /** Reports an end, in any case, after the release of what the node had: what could not be released now is at the next start. */
  protected async reportEnd(exit: Exit, release: Promise<void> = Promise.resolve()): Promise<void> {
    await release.catch(() => undefined);
    this.#events.emit('exit', exit);
  }
}
