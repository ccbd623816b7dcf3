import type { LabContext } from '../context.ts';
import { Mailbox } from '../../common/mailbox.ts';
import type { Runtime } from './runtime.ts';

/** What has a machine, and takes commands one at a time until their outcome. */
export abstract class Actor<State extends string, Effect extends string> {
  protected readonly context: LabContext;
  protected readonly commands = new Mailbox();
  protected abstract readonly runtime: Runtime<State, Effect>;

  constructor(context: LabContext) {
    this.context = context;
  }

  get state(): State {
    return this.runtime.state;
  }

  /** Its effect does something, or the outcome is not on record yet. */
  get isUnderWay(): boolean {
    return this.runtime.isUnderWay;
  }

  /** Resolves once what has happened so far is on record: a request hears of a log that refuses its outcome before that. */
  idle(): Promise<void> {
    return this.runtime.idle();
  }

  /** Runs alone among its commands. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.commands.run(work);
  }

  /** The command before was answered with the log's refusal of its outcome: this one is too, or waits until that is on record. */
  protected async afterOutcome(): Promise<void> {
    if (!this.isUnderWay) return;
    if (!this.context.log.writable) throw this.context.log.refusal();
    await this.idle();
  }

  stop(): void {
    this.runtime.stop();
  }
}
