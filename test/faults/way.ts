import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A way over TCP to a port of a machine, by a program of its own: as slow or as dead as it is told. */
export class Way {
  readonly port: number;
  readonly #relay: ChildProcess;

  private constructor(port: number, relay: ChildProcess) {
    this.port = port;
    this.#relay = relay;
  }

  /** `address`: where it is taken. `prefix`: the words before a command that is to run on the machine. */
  static async open(to: number, address = '127.0.0.1', prefix: readonly string[] = []): Promise<Way> {
    const program = path.join(import.meta.dirname, 'relay.js');
    const [command, ...args] = [...prefix, process.execPath, program, address, '0', String(to)];
    const relay = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(relay, 'exit').then(([code]) => Promise.reject(new Error(`a relay ended (${code})`)));
    const [ready] = (await Promise.race([once(relay.stdout, 'data'), ended])) as [Buffer];
    ended.catch(() => undefined);
    return new Way(Number(/ready (\d+)/.exec(ready.toString())?.[1]), relay);
  }

  /** While it is cut nothing arrives, and nobody is told; all of it does afterwards. */
  cut(isCut: boolean): void {
    this.#tell(isCut ? 'cut' : 'mend');
  }

  /** While it refuses there is no connection, and those that there were have ended. */
  refuse(isRefused: boolean): void {
    this.#tell(isRefused ? 'refuse' : 'accept');
  }

  /** Milliseconds, each way. */
  delay(ms: number): void {
    this.#tell(`delay ${ms}`);
  }

  /** New connections go to another port. */
  lead(to: number): void {
    this.#tell(`to ${to}`);
  }

  async close(): Promise<void> {
    if (this.#relay.exitCode !== null || this.#relay.signalCode !== null) return;
    const ended = once(this.#relay, 'exit');
    this.#relay.stdin?.end();
    await ended;
  }

  #tell(line: string): void {
    this.#relay.stdin?.write(`${line}\n`);
  }
}
