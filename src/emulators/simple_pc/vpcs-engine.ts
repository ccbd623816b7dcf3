import { execFile } from 'node:child_process';
import { access, mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { asEngineFailed, TopologError } from '../../common/errors.ts';
import { processesOf } from '../../processes/end.ts';
import type { Engine, EngineContext, EngineFactory, KindNode, Missing, Started } from '../kit/contract.ts';
import { numberOf } from '../kit/fields.ts';
import {
  abilitiesOf,
  MOST_MAC,
  planOf,
  type VpcsAbilities,
  vpcsArguments,
  type VpcsPlan,
  vpcsVersion,
} from './vpcs-arguments.ts';
import { connectVpcs, type VpcsConnection } from './vpcs-connection.ts';
import { commentOutEscapes } from './vpcs-escapes.ts';
import { giveToSandboxUser, relayOf, sandboxLacks, sandboxLaunch } from './vpcs-sandbox.ts';
import { releaseRelays, keepRelays, type Relay, takeRelays } from '../shared/network/relay.ts';
import { directoryOf, OutsideEngine } from '../shared/outside-engine.ts';
import { programVersion, which } from '../shared/process/find-program.ts';
import { isPaused, pauseProcesses, resumeProcesses } from '../shared/process/pause.ts';
import { Processes, startedOf } from '../shared/process/processes.ts';
import { runFolders } from '../shared/process/run-folders.ts';

/** Runs simple PCs by the program VPCS (0.5b2 of Debian and newer), one process pair each. */
export const VPCS: EngineFactory = {
  name: 'vpcs',
  hostUse: 'VPCS is made to run programs of its machine',
  create: (context) => new VpcsEngine(context),
};

const START_MS = 20_000;
/** Short, as VPCS saves nothing at its end. Milliseconds. */
const TERM_MS = 1_500;
const MISSING: Missing = { needs: 'vpcs', install: 'apt-get install vpcs' };
const SCRIPT = 'startup.vpc';

class VpcsEngine extends OutsideEngine implements Engine {
  readonly name = 'vpcs';
  readonly concurrency = Math.max(4, 2 * availableParallelism());
  readonly #context: EngineContext;
  readonly #processes: Processes;
  readonly #lines: VpcsConnection;
  /** Runs by node. */
  readonly #runs = new Map<string, Run>();
  /** A sandbox could be made here; that does not change while the server runs. */
  #isSandboxProved = false;

  constructor(context: EngineContext) {
    super();
    this.#context = context;
    this.#lines = connectVpcs(context);
    this.#processes = new Processes({ engine: this.name, mark: context.mark, patience: { term: TERM_MS } });
    this.#processes.onExit((exit) => void this.reportEnd(exit, this.#release(exit.node_id)));
  }

  async missing(): Promise<Missing | null> {
    if ((await which('vpcs')) === null) return MISSING;
    const missing = await sandboxLacks(this.#isSandboxProved);
    this.#isSandboxProved ||= missing === null;
    return missing;
  }

  version(): Promise<string | null> {
    return programVersion('vpcs', /version ([\w.]+)/, ['-v']);
  }

  deadline(): number {
    return START_MS;
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    const program = await which('vpcs');
    if (program === null) throw new TopologError('engine_missing', { what: node.name, ...MISSING });
    // Releases what an earlier run held whose end was not reported.
    await this.#release(node.node_id);
    try {
      return await this.#launch(node, program, signal);
    } catch (error) {
      await this.#clear(node);
      signal.throwIfAborted();
      throw asEngineFailed(node, error);
    }
  }

  async #launch(node: KindNode, program: string, signal: AbortSignal): Promise<Started> {
    const nodeDirectory = directoryOf(node);
    await mkdir(nodeDirectory, { recursive: true });
    const warnings = await commentOutEscapes(nodeDirectory);
    await giveToSandboxUser(nodeDirectory);
    const abilities = await abilitiesOfProgram(program);
    const run = await this.#prepare(node, nodeDirectory);
    const args = vpcsArguments(run.plan, abilities);
    const launch = sandboxLaunch({ program, args, nodeDirectory, ...run });
    const running = await this.#processes.start(node, { ...launch, forks: !abilities.foreground }, signal);
    const console = await this.#processes.ready(node, signal, (left) => this.#lines.open(node, run, left));
    signal.throwIfAborted();
    const started = startedOf(running, console, [program, ...args].join(' '));
    return warnings.length === 0 ? started : { ...started, warnings };
  }

  async #prepare(node: KindNode, directory: string): Promise<Run> {
    const script = await access(path.join(directory, SCRIPT)).then(
      () => SCRIPT,
      () => null,
    );
    const [relay = NO_RELAY] = await takeRelays(1);
    const run = { plan: { mac: this.#freeMac(node.node_id), script }, relay, folder: '' };
    this.#runs.set(node.node_id, run);
    run.folder = await folders.make(node, this.#context);
    return run;
  }

  /** Stable for a node unless another one has it: there are few, and two of one link must differ. */
  #freeMac(nodeId: string): number {
    const taken = new Set([...this.#runs.values()].map(({ plan }) => plan.mac));
    const wished = numberOf(nodeId, MOST_MAC);
    for (let n = 0; n < MOST_MAC; n++) {
      const mac = ((wished - 1 + n) % MOST_MAC) + 1;
      if (!taken.has(mac)) return mac;
    }
    return wished;
  }

  async stop(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void> {
    // A paused process would not react to the signal.
    resumeProcesses(await processesOf(node.node_id, this.#context.mark));
    await this.#processes.stop(node);
    await this.#release(node.node_id);
  }

  async #clear(node: KindNode): Promise<void> {
    // The caller gets the first failure.
    await this.stop(node).catch(() => undefined);
  }

  async #release(nodeId: string): Promise<void> {
    await this.#lines.close(nodeId);
    const run = this.#runs.get(nodeId);
    this.#runs.delete(nodeId);
    if (run === undefined) return;
    releaseRelays([run.relay]);
    if (run.folder !== '') await rm(run.folder, { recursive: true, force: true });
  }

  async suspend(node: KindNode): Promise<void> {
    await pauseProcesses(await processesOf(node.node_id, this.#context.mark));
  }

  async resume(node: KindNode): Promise<void> {
    resumeProcesses(await processesOf(node.node_id, this.#context.mark));
  }

  async update(node: KindNode): Promise<void> {
    const run = this.#runs.get(node.node_id);
    if (run !== undefined) await this.#lines.attach(node, run);
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const running = await this.#processes.adopt(node);
    const plan = running === null ? null : planOf(running.argv);
    const relay = relayOf((await processesOf(node.node_id, this.#context.mark)).map(({ argv }) => argv));
    if (running === null || plan === null || relay === null) return null;
    const run = { plan, relay, folder: await folders.path(node, this.#context) };
    this.#runs.set(node.node_id, run);
    keepRelays([relay]);
    const started = startedOf(running, await this.#lines.attach(node, run), running.argv.join(' '));
    return { state: (await isPaused(running.pid)) ? 'suspended' : 'started', started };
  }

  sweep(keep: readonly Pick<KindNode, 'node_id' | 'project_id'>[], remove: boolean): Promise<string[]> {
    return folders.sweep(keep, this.#context, remove);
  }

  override async remove(node: KindNode): Promise<void> {
    await this.stop(node);
    await folders.remove(node, this.#context);
  }

  close(): Promise<void> {
    this.#processes.close();
    this.#lines.end();
    releaseRelays([...this.#runs.values()].map(({ relay }) => relay));
    this.#runs.clear();
    return Promise.resolve();
  }
}

interface Run {
  plan: VpcsPlan;
  relay: Relay;
  /** Directory of its sockets; empty until it is made. */
  folder: string;
}

const folders = runFolders('vpcs');
const NO_RELAY: Relay = { fabric: 0, socat: 0 };

/** Asked at each start: it takes milliseconds, and the program may have been replaced. */
const abilitiesOfProgram = async (program: string): Promise<VpcsAbilities> => {
  const { stdout } = await promisify(execFile)(program, ['-v'], { timeout: 5_000 }).catch(() => ({ stdout: '' }));
  return abilitiesOf(vpcsVersion(stdout));
};
