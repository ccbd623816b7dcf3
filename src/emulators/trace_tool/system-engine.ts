import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { Emitter } from '../../common/emitter.ts';
import { textIfThere } from '../../common/file.ts';
import { engineFailed, messageOf, TopologError } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import type { Hop } from '../../fabric/protocol.ts';
import type {
  Engine,
  EngineContext,
  EngineFactory,
  Exit,
  KindNode,
  Missing,
  Properties,
  Started,
  Trace,
} from '../kit/contract.ts';
import { directoryOf } from '../shared/outside-engine.ts';
import { programVersion, which } from '../shared/process/find-program.ts';
import { Processes, type Running, startedOf } from '../shared/process/processes.ts';
import { checkedDestination, destinationOf } from './schema.ts';

/**
 * Traces from the host itself, by the system's traceroute over UDP, which needs no privileges. The node stays started when the
 * trace is through, as it does with the embedded engine; what was found is told to `onTrace` and kept in the node's `trace.log`.
 */
export const SYSTEM_TRACE: EngineFactory = {
  name: 'system',
  hostUse: 'it traces from the server’s own network',
  create: (context) => new SystemTrace(context),
};

/** Mostly for a name server that does not answer. Milliseconds. */
const START_MS = 60_000;
const POLL_MS = 10;
const MISSING: Missing = { needs: 'traceroute', install: 'apt-get install traceroute' };
/** Numbers instead of names, one probe a hop, a second for each. */
const OPTIONS = ['-n', '-q', '1', '-w', '1'];

/** State of a node, kept in its directory so that a later server knows it: the program ends long before the node does. */
interface Run {
  node_id: string;
  project_id: string;
  destination: string;
  started: Started;
  /** Its result has been told. */
  told: boolean;
}

class SystemTrace implements Engine {
  readonly name = 'system';
  readonly outside = true;
  readonly concurrency = 10;
  readonly #processes: Processes;
  readonly #ended = new Map<string, Exit>();
  /** Directory of each node that runs here. */
  readonly #directories = new Map<string, string>();
  /** Nodes whose start is not through. */
  readonly #starting = new Set<string>();
  readonly #events = new Emitter<{ trace: [Trace] }>();
  readonly onTrace = this.#events.subscriber('trace');

  constructor({ mark }: EngineContext) {
    this.#processes = new Processes({ engine: 'trace', mark });
    this.#processes.onExit((exit) => {
      this.#ended.set(exit.node_id, exit);
      if (!this.#starting.has(exit.node_id)) void this.#tell(exit.node_id);
    });
  }

  async missing(): Promise<Missing | null> {
    return (await which('traceroute')) === null ? MISSING : null;
  }

  version(): Promise<string | null> {
    return programVersion('traceroute', /version (\S+\d)/);
  }

  deadline(): number {
    return START_MS;
  }

  async start(node: KindNode, args: Properties, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    const destination = checkedDestination(destinationOf(node, args));
    const program = await which('traceroute');
    if (program === null) throw new TopologError('engine_missing', { what: node.name, ...MISSING });
    const { node_id } = node;
    this.#starting.add(node_id);
    try {
      const running = await this.#launch(node, program, destination, signal);
      const started = startedOf(running, null, running.argv.join(' '));
      await writeRun(node, { node_id, project_id: node.project_id, destination, started, told: false });
      signal.throwIfAborted();
      this.#directories.set(node_id, directoryOf(node));
      // Reported after the start, in the order in which they happened.
      if (this.#ended.has(node_id)) setImmediate(() => void this.#tell(node_id));
      return started;
    } catch (error) {
      await this.stop(node).catch(() => undefined);
      throw error;
    } finally {
      this.#starting.delete(node_id);
    }
  }

  /** Resolves once it knows where to; fails with what it says when it ends before. */
  async #launch(node: KindNode, program: string, destination: string, signal: AbortSignal): Promise<Running> {
    await forget(node);
    this.#ended.delete(node.node_id);
    const running = await this.#processes.start(node, { program, args: [...OPTIONS, destination] }, signal);
    const doesTrace = async (): Promise<boolean> => {
      const ended = this.#ended.get(node.node_id);
      const output = await outputOf(directoryOf(node));
      if (hasBegun(output) && (ended === undefined || ended.code === 0)) return true;
      if (ended === undefined) return false;
      throw engineFailed(
        node.name,
        `traceroute ended (${ended.signal ?? `code ${ended.code ?? 'unknown'}`}): ${output.trim() || 'it said nothing'}`,
      );
    };
    await until(doesTrace, { every: POLL_MS, signal });
    return running;
  }

  /** Tells the result of a trace that is through, once. */
  async #tell(nodeId: string): Promise<void> {
    const directory = this.#directories.get(nodeId);
    const run = directory === undefined ? null : await readRun(directory);
    if (directory === undefined || run?.node_id !== nodeId || run.told) return;
    const { node_id, project_id, destination } = run;
    const traced = parseTraceroute(await outputOf(directory));
    // Stopped meanwhile: its file is gone, and stays so.
    if (this.#directories.get(nodeId) !== directory) return;
    await replaceRun(directory, { ...run, told: true }).catch(() => undefined);
    this.#events.emit('trace', { node_id, project_id, destination, ...traced });
  }

  async stop(node: KindNode): Promise<void> {
    this.#directories.delete(node.node_id);
    this.#ended.delete(node.node_id);
    await this.#processes.stop(node);
    await rm(runFile(directoryOf(node)), { force: true });
  }

  /** Nothing to update: the destination is fixed by the start. */
  update(): Promise<void> {
    return Promise.resolve();
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const directory = directoryOf(node);
    const run = await readRun(directory);
    // A directory that was copied has the run of the node it was copied from.
    if (run?.node_id !== node.node_id || run.project_id !== node.project_id) return null;
    this.#directories.set(node.node_id, directory);
    const running = await this.#processes.adopt(node);
    if (running === null) setImmediate(() => void this.#tell(node.node_id));
    return { state: 'started', started: run.started };
  }

  async remove(node: KindNode): Promise<void> {
    await this.stop(node);
  }

  /** A trace that is through is no end of the node, so there is none to be told. */
  onExit(): void {
    return;
  }

  close(): Promise<void> {
    this.#processes.close();
    this.#directories.clear();
    return Promise.resolve();
  }
}

const runFile = (directory: string): string => path.join(directory, 'trace.json');
const logFile = (directory: string): string => path.join(directory, 'trace.log');

/** Output of traceroute in this run. */
const outputOf = async (directory: string): Promise<string> =>
  (await textIfThere(logFile(directory), LENGTHS.content).catch(() => null)) ?? '';

/** Each run has a log of its own. */
const forget = async (node: KindNode): Promise<void> => {
  const directory = directoryOf(node);
  await Promise.all([logFile(directory), runFile(directory)].map((file) => rm(file, { force: true })));
};

/** A reader finds the old or the new one, never half of it. */
const replaceRun = async (directory: string, run: Run): Promise<void> => {
  const file = runFile(directory);
  await writeFile(`${file}.part`, JSON.stringify(run));
  await rename(`${file}.part`, file);
};

const writeRun = async (node: KindNode, run: Run): Promise<void> => {
  try {
    await replaceRun(directoryOf(node), run);
  } catch (error) {
    throw engineFailed(node.name, messageOf(error), error);
  }
};

const readRun = async (directory: string): Promise<Run | null> => {
  try {
    return JSON.parse((await textIfThere(runFile(directory), LENGTHS.content)) ?? 'null') as Run | null;
  } catch {
    return null;
  }
};

/** Result of the system's traceroute. */
interface TraceResult {
  reached: boolean;
  hops: Hop[];
}

/** `traceroute to host.example (192.0.2.7), 30 hops max, 60 byte packets` */
const HEADER = /^traceroute6? to \S+ \(([^)]+)\),/m;
/** ` 2  10.2.0.2  0.775 ms !X`, ` 3  *` */
const HOP = /^ *(\d+) +(?:\*|(\S+) +(\d+(?:\.\d+)?) ms(?: +(!\S+))?)/;

/** Whether the name was resolved and the trace has begun. */
export const hasBegun = (output: string): boolean => HEADER.test(output);

/**
 * Reads what `traceroute -n -q 1` prints (Debian's traceroute, and BSD's), also when it was ended half-way. The destination is
 * reached when it answered itself, without an annotation that it is not to be had (`!H`, `!N`, …).
 */
export const parseTraceroute = (output: string): TraceResult => {
  const destination = HEADER.exec(output)?.[1];
  const hops: Hop[] = [];
  let reached = false;
  for (const line of output.split('\n')) {
    const [, ttl, address = null, ms, problem] = HOP.exec(line) ?? [];
    if (ttl === undefined) continue;
    hops.push({ ttl: Number(ttl), address, rtt_ms: ms === undefined ? null : Number(ms) });
    reached ||= address !== null && address === destination && problem === undefined;
  }
  return { reached, hops };
};
