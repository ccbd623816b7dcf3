import path from 'node:path';
import type { Logger } from 'pino';
import { type Actor, createActor, fromPromise, waitFor } from 'xstate';
import { messageOf } from '../common/errors.ts';
import { levelStore } from '../events/store/level-store.ts';
import type { ListenerHandoff } from './handoff.ts';
import { type ListenerPorts, portsOf, ReplacedServer, type RunningServer } from './running-server.ts';
import { serverMachine, type ServerRole } from './server-machine.ts';

interface HealingParts {
  dataDir: string;
  /** Starts the server again. */
  start: (ports: ListenerPorts) => Promise<RunningServer>;
  logger: Logger;
  handoff: ListenerHandoff;
}

/** A server that only reads until the place of its log takes writes; then it is started again in this process, at the same ports. */
export class HealingServer extends ReplacedServer {
  readonly #parts: HealingParts;
  readonly #ports: ListenerPorts;
  readonly #actor: Actor<typeof serverMachine>;

  constructor(first: RunningServer, parts: HealingParts) {
    super(first);
    this.#parts = parts;
    this.#ports = portsOf(first);
    const openLog = levelStore(path.join(parts.dataDir, 'log'));
    const checkLog = async (): Promise<void> => openLog.ready?.();
    const machine = serverMachine.provide({
      actors: { checkLog: fromPromise(checkLog), replace: fromPromise(() => this.#replace()) },
    });
    this.#actor = createActor(machine, { input: { role: 'readOnly', lease: null } });
    // Without an observer an actor's error would end the process.
    this.#actor.subscribe({ error: (error) => parts.logger.error(`the server that only reads: ${messageOf(error)}`) });
    this.#actor.start();
  }

  async #replace(): Promise<ServerRole> {
    const { start, logger } = this.#parts;
    await this.current.close('the log can be written again', true);
    try {
      this.replaceBy(await start(this.#ports));
    } catch (error) {
      logger.error(`the server is not there while this lasts: ${messageOf(error)}`);
      throw error;
    }
    if (this.readOnly === null) logger.info('the log can be written again');
    if (this.readOnly?.heals === true) return 'readOnly';
    return this.readOnly === null ? 'leader' : 'settled';
  }

  async close(reason: string): Promise<boolean> {
    this.#actor.send({ type: 'close' });
    await waitFor(this.#actor, ({ status }) => status === 'done');
    const isWhole = await this.current.close(reason);
    this.#parts.handoff.release(false);
    return isWhole;
  }
}
