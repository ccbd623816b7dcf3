import { z } from 'zod';
import type {
  Engine,
  EngineContext,
  EngineFactory,
  Exit,
  Kind,
  KindNode,
  Started,
} from '../../src/emulators/kit/contract.ts';
import { Emitter } from '../../src/common/emitter.ts';
import { defineKind } from '../../src/emulators/kit/define-kind.ts';
import { ethernetHub } from '../../src/emulators/ethernet_hub/kind.ts';
import { ethernetSwitch } from '../../src/emulators/ethernet_switch/kind.ts';
import { field, int } from '../../src/emulators/kit/fields.ts';
import { ethernetPort } from '../../src/emulators/ports/ports.ts';
import { createKinds, type Kinds } from '../../src/emulators/registry.ts';
import { LICENSE } from '../../src/emulators/switch_router_emulator/license.ts';
import { simplePc } from '../../src/emulators/simple_pc/kind.ts';
import { TopologError } from '../../src/common/errors.ts';
import { type Owner, world } from './world.ts';

/** A program that an engine has started: it outlives the server. */
interface Program {
  pid: number;
  started: string;
  node_id: string;
  project_id: string;
  halted: boolean;
  alive: boolean;
  /** The server that is told of its end. */
  parent: ((exit: Exit) => void) | null;
  server: Owner | null;
}

/** How often things go wrong with programs. */
export interface ProgramMood {
  startFails: number;
  /** Of one that it ends by itself within a minute. */
  ends: number;
  /** Of one that it ends in the very moment in which it is told to run, before that is heard. */
  endsAtOnce: number;
  /** Of a look for programs that it fails. */
  lookFails: number;
  /** Usual milliseconds until it runs. */
  bootMs: number;
}

/** The programs of one machine. */
export class Programs {
  readonly all = new Set<Program>();
  readonly mood: ProgramMood;
  readonly #owner: Owner = { name: 'programs', alive: true };
  #pids = 10_000;

  constructor(mood: ProgramMood) {
    this.mood = mood;
  }

  running(): Program[] {
    return [...this.all].filter(({ alive }) => alive);
  }

  start(node: KindNode, parent: (exit: Exit) => void): Program {
    const { node_id, project_id } = node;
    const pid = ++this.#pids;
    const program: Program = {
      ...{ pid, started: `${Math.floor(world().now)}-${pid}`, node_id, project_id },
      ...{ halted: false, alive: true, parent, server: world().current },
    };
    this.all.add(program);
    if (world().chance(this.mood.ends))
      world().after(world().random.below(60_000), `program ${pid} fails`, () => this.end(program, 3), {
        owner: this.#owner,
      });
    return program;
  }

  /** It ends; its server is told some time later, or at once. */
  end(program: Program, code: number | null, atOnce = false): void {
    if (!program.alive) return;
    program.alive = false;
    world().trace(`program ${program.pid} of ${program.node_id.slice(0, 8)} has ended`);
    const { parent, server, node_id, project_id } = program;
    if (parent === null || server === null || code === null) return;
    const exit = { node_id, project_id, code, signal: null, output: 'the simulated program has failed' };
    if (atOnce) parent(exit);
    else
      world().after(world().latency(1), `the end of program ${program.pid} is told`, () => parent(exit), {
        owner: server,
      });
  }

  /** The machine is off. */
  cut(): void {
    for (const program of this.running()) program.alive = false;
  }
}

let machine = new Programs({ startFails: 0, ends: 0, endsAtOnce: 0, lookFails: 0, bootMs: 20 });
const programs = (): Programs => machine;
export const setPrograms = (next: Programs): void => {
  machine = next;
};

/** Looked at when a program is started or ended: whether something on disk explains it. */
export const programWatcher: { onStart: (node: KindNode) => void } = { onStart: () => undefined };

const failed = (node: KindNode, reason: string): TopologError =>
  new TopologError('engine_failed', { what: node.name, reason });

const wait = (usual: number, label: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    world().after(world().latency(usual), label, resolve);
    if (signal.aborted) leave();
  });

/** An engine as those of real emulators are: a process for each node, told apart by its start, found again by its mark. */
const PROGRAM: EngineFactory = { name: 'program', create: (context) => createEngine(context) };

const createEngine = (context: EngineContext): Engine => {
  const emitter = new Emitter<{ exit: [Exit] }>();
  const mine = new Map<string, Program>();
  const exited =
    (program: () => Program | undefined) =>
    (exit: Exit): void => {
      // One that was told to end, or that another has followed, is nobody's news.
      if (mine.get(exit.node_id) !== program()) return;
      mine.delete(exit.node_id);
      emitter.emit('exit', exit);
    };
  const ofNode = (node: KindNode): Program[] =>
    programs()
      .running()
      .filter(({ node_id }) => node_id === node.node_id);
  const port = (node: KindNode) => ({ node_id: node.node_id, adapter_number: 0, port_number: 0 });
  const attach = (node: KindNode, { pid }: Program) =>
    context.fabric.one({
      op: 'port.attach',
      attachment: {
        port: port(node),
        project_id: node.project_id,
        to: { type: 'udp', lport: pid, rhost: '127.0.0.1', rport: pid + 1 },
      },
    });
  const end = async (node: KindNode, signal: AbortSignal): Promise<void> => {
    mine.delete(node.node_id);
    for (const program of ofNode(node)) {
      await wait(5, `program ${program.pid} is told to end`, signal);
      programs().end(program, null);
    }
  };
  const stop = async (node: KindNode, signal: AbortSignal): Promise<void> => {
    await end(node, signal);
    await context.fabric.one({ op: 'port.detach', port: port(node) });
  };
  const launch = async (node: KindNode, signal: AbortSignal): Promise<Program> => {
    await end(node, signal);
    signal.throwIfAborted();
    const { mood } = programs();
    if (world().chance(mood.startFails)) throw failed(node, 'the simulated program does not start');
    programWatcher.onStart(node);
    const program: Program = programs().start(
      node,
      exited(() => program),
    );
    mine.set(node.node_id, program);
    await wait(mood.bootMs, `program ${program.pid} boots`, signal);
    if (!program.alive) throw failed(node, 'the simulated program ended while it booted');
    return program;
  };
  return {
    name: 'program',
    concurrency: 3,
    outside: true,
    missing: () => Promise.resolve(null),
    async start(node, _args, signal) {
      try {
        const program = await launch(node, signal);
        await attach(node, program);
        signal.throwIfAborted();
        if (!program.alive) throw failed(node, 'the simulated program ended while it was attached');
        return runs(program);
      } catch (error) {
        await stop(node, new AbortController().signal).catch(() => undefined);
        throw error;
      }
    },
    stop,
    async suspend(node, signal) {
      await wait(2, 'a program is halted', signal);
      for (const program of ofNode(node)) program.halted = true;
    },
    async resume(node, signal) {
      await wait(2, 'a program goes on', signal);
      for (const program of ofNode(node)) program.halted = false;
    },
    update: () => Promise.resolve(),
    async adopt(node, signal) {
      await wait(3, 'programs are looked for', signal);
      if (world().chance(programs().mood.lookFails)) throw failed(node, 'the list of programs cannot be read');
      const program =
        ofNode(node).find(({ pid, started }) => node.pid === pid || node.pid == null || node.pid_started === started) ??
        ofNode(node)[0];
      if (program === undefined) return null;
      world().trace(`program ${program.pid} is found`);
      mine.set(node.node_id, program);
      program.server = world().current;
      program.parent = exited(() => program);
      await attach(node, program);
      if (!program.alive) return null;
      return { state: program.halted ? 'suspended' : 'started', started: runs(program) };
    },
    remove: stop,
    deadline: () => 20_000,
    onExit: emitter.subscriber('exit'),
    close: () => Promise.resolve(),
  };
};

/** What its engine says of one that runs. */
const runs = (program: Program): Started => {
  if (world().chance(programs().mood.endsAtOnce)) programs().end(program, 3, true);
  return startedOf(program);
};

const startedOf = ({ pid, started }: Program): Started => ({
  pid,
  pid_started: started,
  console: null,
  command_line: `program ${pid}`,
});

const programKind = defineKind({
  name: 'program',
  directory: 'program',
  capabilities: { suspend: true },
  look: { symbol: ':/symbols/cloud.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'P{0}' },
  fields: { boot_ms: field(int(0, 60_000), 0), words: field(z.array(z.string()), []) },
  shown: ['node_directory', 'command_line'],
  hot: [],
  images: { folder: 'programs', fields: [] },
  setting: LICENSE,
  ports: () => [ethernetPort('Ethernet0', 0, 0)],
  engines: [PROGRAM],
});

/** Without the engines that would start something on this machine. */
const inFabric = (kind: Kind): Kind => ({ ...kind, engines: kind.engines.filter(({ name }) => name === 'embedded') });

export const simulatedKinds = (): Kinds =>
  createKinds([inFabric(simplePc), inFabric(ethernetSwitch), inFabric(ethernetHub), programKind]);
