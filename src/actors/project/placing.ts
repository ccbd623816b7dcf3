import { Mailboxes } from '../../common/mailbox.ts';
import { withResolvers } from '../../common/with-resolvers.ts';

/** Files of projects that take their places just now, with the event that tells of them: who copies a project's directory waits for them. */
export class Placing {
  readonly #turns = new Mailboxes();
  readonly #underWay = new Map<string, Set<Promise<void>>>();

  /** Alone with a place, of a file or of all uploads of a project: files take theirs, or leave it, in the order of their events. */
  inTurn<T>(place: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(place, work);
  }

  /** Before the event of a file. The answer is called once it is in its place, or will not be; more than once does nothing. */
  begin(projectId: string): () => void {
    const all = this.#underWay.get(projectId) ?? new Set();
    const { promise, resolve } = withResolvers();
    this.#underWay.set(projectId, all.add(promise));
    return () => {
      all.delete(promise);
      if (all.size === 0 && this.#underWay.get(projectId) === all) this.#underWay.delete(projectId);
      resolve();
    };
  }

  /** Resolves once those that have begun are over. Others may begin in between: their events tell. */
  async settled(projectId: string): Promise<void> {
    await Promise.all([...(this.#underWay.get(projectId) ?? [])]);
  }
}
