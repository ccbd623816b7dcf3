import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programFile } from '../../../src/common/package.ts';
import { fabricPid } from '../../support/fabric-pid.ts';
import { freePort } from '../../support/free-port.ts';
import type { Machine } from '../../support/machines.ts';
import { portBlock } from '../../support/port-block.ts';
import { Way } from '../way.ts';

/** Longest wait for a fabric, and how often it is looked for. Milliseconds. */
const FABRIC_MS = 10_000;
const AGAIN_MS = 50;

/** A machine of the lab: a server that is killed and comes back to its port, and the way to it. */
export class Host {
  readonly name: string;
  readonly dataDir: string;
  readonly port: number;
  readonly #flags: readonly string[];
  readonly #machine: Machine | null;
  #child: ChildProcess | null = null;
  #way: Way | null = null;
  output = '';

  private constructor(name: string, place: Place, port: number) {
    this.name = name;
    this.dataDir = path.join(place.directory, name);
    this.port = port;
    this.#machine = place.machine ?? null;
    // The relay of a machine of its own passes on the address by which it is asked.
    const names = this.#machine === null ? [] : ['--allow-host', this.#machine.address];
    this.#flags = [...names, ...(place.flags ?? [])];
  }

  static async start(name: string, place: Place): Promise<Host> {
    const host = new Host(name, place, await freePort());
    await host.serve();
    if (place.isFar === true) await host.#openWay();
    return host;
  }

  /** Of its server, from its own machine; the controller is on this one. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** How the controller knows it. */
  get way(): { host: string; port: number } {
    return { host: this.#machine?.address ?? '127.0.0.1', port: this.#way?.port ?? this.port };
  }

  /** What a helper needs to ask its server as if there were no way between: a machine of its own is asked over the way. */
  get asked(): string {
    return this.#machine === null ? this.url : `http://${this.way.host}:${this.way.port}`;
  }

  async serve(): Promise<void> {
    const [first, last] = await portBlock();
    const flags = ['--port', String(this.port), '--data-dir', this.dataDir, '--console-ports', `${first}-${last}`];
    const words = [process.execPath, programFile('cli/topolog'), 'serve', ...flags, ...this.#flags];
    const [command = '', ...args] = [...(this.#machine?.prefix ?? []), ...words];
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    await this.#says(this.#child, /listens on \S+,/);
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || !this.isRunning) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** The server does nothing until it is woken, as on a machine that is suspended. */
  pause(isPaused: boolean): void {
    this.#child?.kill(isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  /** The next one, where the last one was killed and its place is not taken yet. */
  async killFabric(): Promise<void> {
    for (const until = Date.now() + FABRIC_MS; ; await sleep(AGAIN_MS))
      try {
        process.kill(await fabricPid(this.dataDir), 'SIGKILL');
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
      }
  }

  cut(isCut: boolean): void {
    if (this.#machine !== null) this.#machine.cut(isCut);
    else this.#way?.cut(isCut);
  }

  /** Milliseconds, each way. */
  delay(ms: number): void {
    this.#way?.delay(ms);
  }

  /** Ends the server as its users do, and the way. */
  async end(): Promise<void> {
    const ended = this.isRunning ? once(this.#child as ChildProcess, 'exit') : null;
    this.#child?.kill('SIGTERM');
    await Promise.all([ended, this.#way?.close()]);
  }

  async #openWay(): Promise<void> {
    const own = this.#machine === null ? '127.0.0.1' : this.#machine.address;
    this.#way = await Way.open(this.port, own, this.#machine?.prefix);
  }

  /** Rejects with what it printed when it ends instead. */
  #says(child: ChildProcess, what: RegExp): Promise<RegExpExecArray> {
    let printed = '';
    return new Promise((resolve, reject) => {
      const hear = (chunk: Buffer): void => {
        const text = chunk.toString();
        this.output = `${this.output}${text}`.slice(-20_000);
        printed += text;
        const found = what.exec(printed);
        if (found !== null) resolve(found);
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('exit', (code, signal) => reject(new Error(`${this.name} ended (${code ?? signal}): ${printed}`)));
    });
  }
}

interface Place {
  directory: string;
  flags?: readonly string[];
  /** It is reached over a way that can be cut. */
  isFar?: boolean;
  /** A machine of its own; absent: this one. */
  machine?: Machine;
}
