import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Emitter } from '../../../common/emitter.ts';
import { engineFailed, messageOf } from '../../../common/errors.ts';
import { endProcesses, haveEnded, type Patience, PATIENCE, processesOf } from '../../../processes/end.ts';
import { identityOf, isAlive, type ProcessIdentity } from '../../../processes/identity.ts';
import { type Marked, markEnvironment } from '../../../processes/marker.ts';
import type { Exit, KindNode, Started } from '../../kit/contract.ts';
import { directoryOf } from '../outside-engine.ts';
import { backgroundOf, type Ended, onceExited, openOutput, type OutputFile, tailOf, wordsOf } from './child.ts';

interface Watched {
  running: Running;
  node: Pick<KindNode, 'node_id' | 'project_id'>;
  output: OutputFile;
  /** Its end is not reported: it was told to end, or a caller waits for it. */
  ending: boolean;
  /** Resolves with how it ended. */
  exited: Promise<Ended>;
  exit: (ended: Ended) => void;
}

/** How often adopted processes are looked at: only a parent is told when one ends. */
const POLL_MS = 250;

/**
 * The processes that one engine runs for its nodes, one each. They are detached and outlive the server: a later one finds them
 * again by their marker.
 */
export class Processes {
  readonly #engine: string;
  readonly #mark: string;
  readonly #patience: Patience;
  readonly #log: ((node: KindNode) => string) | undefined;
  readonly #watched = new Map<string, Watched>();
  /** Adopted processes, which are polled. */
  readonly #looked = new Set<Watched>();
  readonly #events = new Emitter<{ exit: [Exit] }>();
  /** Gets processes that end by themselves. */
  readonly onExit = this.#events.subscriber('exit');
  /** Ends of what processes that ended by themselves have left, by node. */
  readonly #cleaning = new Map<string, Promise<unknown>>();
  /** Processes that have ended by themselves, which nobody has been told yet, by node. */
  readonly #untold = new Map<string, Watched>();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor({ engine, mark, patience, logOf }: ProcessesOptions) {
    this.#engine = engine;
    this.#mark = mark;
    this.#log = logOf;
    this.#patience = { ...PATIENCE, ...patience };
  }

  /**
   * Ends what an earlier server may have left of the node, and starts the program. Resolves once it runs, which says nothing of
   * its being ready. Its output goes to `<engine>.log` in the node's directory, or where the options say.
   */
  async start(node: KindNode, launch: Launch, signal: AbortSignal): Promise<Running> {
    signal.throwIfAborted();
    await this.#replace(node);
    const output = await openOutput(this.#logOf(node)).catch((error: unknown) => {
      throw engineFailed(node.name, `its directory cannot be written: ${messageOf(error)}`);
    });
    try {
      signal.throwIfAborted();
      const child = await this.#spawn(node, launch, output.fd);
      const file = { path: output.path, begins: output.begins };
      const watched =
        launch.forks === true
          ? await this.#background(node, child, file, signal)
          : await this.#watch(node, child, launch, file);
      if (!signal.aborted) return watched.running;
      await this.stop(node);
      throw signal.reason as Error;
    } finally {
      await output.close();
    }
  }

  /** Ends an earlier run of the node, and forgets its watcher. */
  async #replace(node: KindNode): Promise<void> {
    this.#keepQuiet(node.node_id);
    await this.#cleaning.get(node.node_id);
    const earlier = this.#watched.get(node.node_id);
    if (earlier !== undefined) earlier.ending = true;
    await this.#clear(node);
    this.#forget(earlier);
  }

  async #spawn(node: KindNode, { program, args, cwd, environment }: Launch, fd: number): Promise<ChildProcess> {
    const child = spawn(program, args, {
      cwd: cwd ?? node.node_directory ?? undefined,
      env: { ...process.env, ...environment, ...markEnvironment(node, this.#mark) },
      // In a group of its own: no signal of a terminal reaches it, and it outlives this process.
      detached: true,
      stdio: ['ignore', fd, fd],
      windowsHide: true,
    });
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw engineFailed(node.name, `${program} cannot be started: ${messageOf(error)}`);
    }
    child.on('error', () => undefined);
    child.unref();
    return child;
  }

  async #watch(node: KindNode, child: ChildProcess, launch: Launch, output: OutputFile): Promise<Watched> {
    const pid = child.pid ?? 0;
    const exit = onceExited(child);
    // Its parent has not reaped it yet, so the pid cannot be another's.
    const identity = (await identityOf(pid)) ?? { pid, started: '' };
    const watched = this.#keep(node, { ...identity, argv: [launch.program, ...launch.args] }, output);
    void exit.then((ended) => this.#exited(watched, ended));
    return watched;
  }

  /** Waits for the parent's end, and finds what it has left in the background by the marker. */
  async #background(node: KindNode, child: ChildProcess, file: OutputFile, signal: AbortSignal): Promise<Watched> {
    const { ended, found } = await backgroundOf(child, signal, () => this.#search(node));
    if (found !== null) return this.#keepLooked(node, found, file);
    await this.#clear(node);
    signal.throwIfAborted();
    throw engineFailed(node.name, await earlyEnd(ended, file));
  }

  /** Watches a process that is not a child of this one. */
  #keepLooked(node: KindNode, { pid, started, argv }: Marked, file: OutputFile): Watched {
    const watched = this.#keep(node, { pid, started, argv }, file);
    this.#looked.add(watched);
    this.#lookLater();
    return watched;
  }

  #keep({ node_id, project_id }: KindNode, running: Running, output: OutputFile): Watched {
    let exit: Watched['exit'] = () => undefined;
    const exited = new Promise<Ended>((resolve) => (exit = resolve));
    const watched: Watched = { running, node: { node_id, project_id }, output, ending: false, exited, exit };
    this.#watched.set(node_id, watched);
    return watched;
  }

  /**
   * Waits for what shows that a started program is ready; fails with its last output when it ends first. `work` gets a signal
   * that is aborted then, or with the one given.
   */
  async ready<T>(node: KindNode, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    // If the program has ended already, the start fails with what it said, and no exit is reported.
    const watched = this.#watched.get(node.node_id) ?? this.#untold.get(node.node_id);
    if (watched === undefined) throw engineFailed(node.name, 'it does not run');
    this.#keepQuiet(node.node_id);
    watched.ending = true;
    const gone = new AbortController();
    const abort = (): void => gone.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const early = watched.exited.then(async (ended): Promise<never> => {
        throw engineFailed(node.name, await earlyEnd(ended, watched.output));
      });
      signal.throwIfAborted();
      return await Promise.race([work(gone.signal), early]);
    } finally {
      watched.ending = false;
      signal.removeEventListener('abort', abort);
      gone.abort();
    }
  }

  /** The node's process when it runs, and this engine started it here or in an earlier server; it is watched from now on. */
  async adopt(node: KindNode): Promise<Running | null> {
    const known = this.#watched.get(node.node_id);
    if (known?.node.project_id === node.project_id && (await isAlive(known.running))) return known.running;
    const found = await this.#search(node);
    if (found === null) return null;
    return this.#keepLooked(node, found, { path: this.#logOf(node), begins: 0 }).running;
  }

  /** The one of the record; without one (a start that was never put on record) the oldest that leads a group. */
  async #search({ node_id, project_id, pid, pid_started }: KindNode): Promise<Marked | null> {
    const leaders = (await processesOf(node_id, this.#mark)).filter(
      (p) => p.group === p.pid && (p.project_id ?? project_id) === project_id,
    );
    const recorded = leaders.find((p) => p.pid === pid && (pid_started ?? p.started) === p.started);
    const found = recorded ?? leaders[0] ?? null;
    return found !== null && (await isAlive(found)) ? found : null;
  }

  find(nodeId: string): Running | undefined {
    return this.#watched.get(nodeId)?.running;
  }

  /** Resolves once nothing of the node runs: asked (when it can be), then SIGTERM, then SIGKILL, to its whole group. */
  async stop(node: Pick<KindNode, 'node_id' | 'name'>, ask?: AskToEnd): Promise<void> {
    this.#keepQuiet(node.node_id);
    const watched = this.#watched.get(node.node_id);
    if (watched !== undefined) {
      watched.ending = true;
      if (ask !== undefined && (await isAlive(watched.running))) await this.#ask(watched.running, ask);
    }
    try {
      await this.#clear(node);
    } catch (error) {
      if (watched !== undefined) watched.ending = false;
      throw error;
    }
    this.#forget(watched);
  }

  async #ask(running: Running, ask: AskToEnd): Promise<void> {
    // Its answer does not matter: what counts is that it ends.
    void ask(running).catch(() => undefined);
    await haveEnded([running], this.#patience.ask);
  }

  /** Ends every process of the node, whichever server started it. */
  async #clear(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void> {
    const left = await endProcesses(await processesOf(node.node_id, this.#mark), this.#patience);
    if (left.length === 0) return;
    throw engineFailed(node.name, `process ${left.map(({ pid }) => pid).join(', ')} does not end, not even by SIGKILL`);
  }

  /** Last output of the node. */
  output(node: KindNode): Promise<string> {
    return tailOf(this.#watched.get(node.node_id)?.output ?? { path: this.#logOf(node), begins: 0 });
  }

  #logOf(node: KindNode): string {
    if (this.#log !== undefined) return this.#log(node);
    return path.join(directoryOf(node), `${this.#engine}.log`);
  }

  #lookLater(): void {
    if (this.#closed || this.#looked.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#look().finally(() => this.#lookLater());
    }, POLL_MS).unref();
  }

  async #look(): Promise<void> {
    for (const watched of this.#looked)
      if (!(await isAlive(watched.running))) await this.#exited(watched, { code: null, signal: null });
  }

  async #exited(watched: Watched, { code, signal }: Ended): Promise<void> {
    this.#forget(watched);
    watched.exit({ code, signal });
    if (watched.ending || this.#closed) return;
    const { node_id, project_id } = watched.node;
    // Processes that it had started have no purpose without it.
    const cleaning = this.#clear({ node_id, name: node_id }).catch(() => undefined);
    this.#cleaning.set(node_id, cleaning);
    this.#untold.set(node_id, watched);
    await cleaning;
    if (this.#cleaning.get(node_id) === cleaning) this.#cleaning.delete(node_id);
    const output = await tailOf(watched.output).catch(() => '');
    if (this.#untold.get(node_id) !== watched) return;
    this.#untold.delete(node_id);
    this.#events.emit('exit', { node_id, project_id, code, signal, output });
  }

  /** Drops an end that was not reported yet: a caller that starts or stops the node now would take it for that of the next process. */
  #keepQuiet(nodeId: string): void {
    this.#untold.delete(nodeId);
  }

  #forget(watched: Watched | undefined): void {
    if (watched === undefined) return;
    this.#looked.delete(watched);
    if (this.#watched.get(watched.node.node_id) === watched) this.#watched.delete(watched.node.node_id);
  }

  /** Watches no more. Everything goes on running. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#looked.clear();
    this.#watched.clear();
  }
}

const earlyEnd = async (ended: Ended, output: OutputFile): Promise<string> =>
  `it ended at once (${wordsOf(ended)}): ${(await tailOf(output).catch(() => '')) || 'it said nothing'}`;

export interface Launch {
  program: string;
  args: readonly string[];
  /** Working directory; default: the node's directory. */
  cwd?: string;
  /** Added to the server's own environment. */
  environment?: Readonly<Record<string, string>>;
  /** The program goes into the background by itself: what is started ends at once, and what it leaves is the node's process. */
  forks?: boolean;
}

/** A running process of a node. */
export interface Running extends ProcessIdentity {
  /** The program and its arguments, as they were started. */
  argv: readonly string[];
}

export const startedOf = ({ pid, started }: Running, console: number | null, command_line: string): Started => ({
  pid,
  pid_started: started,
  console,
  command_line,
});

/** Asks a program to end in its own way (a command, a button), before signals do; may take as long as it likes. */
type AskToEnd = (running: Running) => Promise<void>;

interface ProcessesOptions {
  /** Name of the engine; its log is named after it. */
  engine: string;
  /** Mark of the data directory: see marker.ts. */
  mark: string;
  patience?: Partial<Patience>;
  /** File of a node's output; default: `<engine>.log` in the node's directory. */
  logOf?: (node: KindNode) => string;
}
