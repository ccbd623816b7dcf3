import { isDeepStrictEqual } from 'node:util';
import { FabricError } from '../../src/fabric/client/client.ts';
import {
  type AttachmentSpec,
  type CaptureSpec,
  type FabricEvent,
  type Inventory,
  type NodeSpec,
  type Op,
  type OpenedConsole,
  type OpResult,
  portKey,
  type RecordingSpec,
  type CableSpec,
} from '../../src/fabric/protocol.ts';
import type { Connection } from './connection.ts';
import { type Owner, world } from './world.ts';

type Running = Inventory['nodes'][number];

/** How often things go wrong in the fabric by themselves. */
export interface FabricMood {
  /** Of one op that it fails. */
  opFails: number;
  /** Of an embedded node that it ends by itself within a minute after its start. */
  nodeEnds: number;
}

/** A data plane as a process of its own: what it holds outlives the server. It moves no frames. */
export class SimulatedFabric {
  readonly owner: Owner;
  readonly pid = ++world().fabrics;
  readonly nodes = new Map<string, Running>();
  readonly cables = new Map<string, CableSpec>();
  readonly captures = new Map<string, CaptureSpec>();
  /** Cables that it has refused last: what the records say of them is not so, as was reported. */
  readonly refused = new Set<string>();
  readonly attachments = new Map<string, AttachmentSpec>();
  readonly consoles = new Map<string, OpenedConsole>();
  readonly recordings = new Map<string, RecordingSpec>();
  readonly #next = new Map<string, RecordingSpec>();
  readonly mood: FabricMood;
  /** It does nothing before. */
  hungUntil = 0;
  control: Connection | null = null;
  /** What was asked of it and has arrived. */
  readonly requests: { waiting: (() => void)[]; busy: boolean } = { waiting: [], busy: false };
  #ports = 0;

  constructor(mood: FabricMood) {
    this.owner = { name: `fabric ${this.pid}`, alive: true };
    this.mood = mood;
  }

  die(): void {
    if (!this.owner.alive) return;
    world().kill(this.owner);
    this.control?.break();
  }

  emit(event: FabricEvent): void {
    this.control?.tell(event);
  }

  /** What it does for one op; everything takes its time before and after. */
  perform(op: Op): OpResult {
    if (op.op === 'cable.put') this.refused.delete(op.cable.cable_id);
    // What is so already is not refused.
    const isThere = op.op === 'capture.start' && this.captures.has(portKey(op.capture.port));
    if (
      world().chance(this.mood.opFails) &&
      !isThere &&
      !/inventory|stop|remove|detach|configure|shutdown|record/.test(op.op)
    ) {
      if (op.op === 'cable.put') this.refused.add(op.cable.cable_id);
      return { ok: false, code: 'failed', message: 'the simulated fabric fails now and then' };
    }
    try {
      return { ok: true, value: this.#do(op) };
    } catch (error) {
      if (error instanceof FabricError && error.code !== 'lost')
        return { ok: false, code: error.code, message: error.message };
      throw error;
    }
  }

  #do(op: Op): unknown {
    switch (op.op) {
      case 'node.start':
        return this.#start(op.node);
      case 'node.stop':
        return this.#stop(op.node_id);
      case 'node.suspend':
        return void (this.#node(op.node_id).state = 'suspended');
      case 'node.resume':
        return void (this.#node(op.node_id).state = 'started');
      case 'node.configure': {
        const node = this.#node(op.node_id);
        node.spec = { ...node.spec, name: op.name, config: op.config, ports: op.ports };
        return undefined;
      }
      case 'cable.put':
        return this.#put(op.cable);
      case 'cable.remove':
        return void this.cables.delete(op.cable_id);
      case 'port.attach':
        return void this.attachments.set(portKey(op.attachment.port), op.attachment);
      case 'port.detach':
        return void this.attachments.delete(portKey(op.port));
      case 'capture.start':
        return this.#capture(op.capture);
      case 'capture.stop':
        return void this.captures.delete(portKey(op.port));
      case 'project.remove':
        return this.#removeProject(op.project_id);
      case 'inventory':
        return this.inventory();
      case 'path.probe':
        return undefined;
      case 'cable.counts':
        return [];
      case 'totals':
        return { frames: 0, bytes: 0, dropped: 0, delayed: 0, cables: this.cables.size };
      case 'shutdown':
        return void world().after(1, 'the fabric ends', () => this.die(), { owner: world().outside });
      default:
        return this.#console(op);
    }
  }

  #console(op: Op): unknown {
    switch (op.op) {
      case 'console.open': {
        const { op: _, ...spec } = op;
        const opened = { ...spec, port: spec.console.port || spec.console.range[0] + ++this.#ports };
        this.consoles.set(op.node_id, opened);
        return { console: opened.port };
      }
      case 'console.close':
        return void this.consoles.delete(op.node_id);
      case 'console.record':
        this.#node(op.recording.node_id);
        return void this.recordings.set(op.recording.node_id, op.recording);
      case 'console.record_next':
        return void this.#next.set(op.recording.node_id, op.recording);
      case 'console.record_stop':
        this.#next.delete(op.node_id);
        return void this.recordings.delete(op.node_id);
      default:
        return undefined;
    }
  }

  #node(id: string): Running {
    const node = this.nodes.get(id);
    if (node === undefined) throw new FabricError('not_found', `Node ${id} does not run`);
    return node;
  }

  #start(spec: NodeSpec): { console: number | null } {
    const known = this.nodes.get(spec.node_id);
    if (known !== undefined) {
      if (isDeepStrictEqual(known.spec, spec)) return { console: known.console };
      throw new FabricError('exists', `Node ${spec.node_id} already runs with other settings; stop it first`);
    }
    const console = spec.console === null ? null : spec.console.port || spec.console.range[0] + 500 + ++this.#ports;
    const running: Running = { spec, state: 'started', console };
    this.nodes.set(spec.node_id, running);
    const next = this.#next.get(spec.node_id);
    if (next !== undefined) this.recordings.set(spec.node_id, next);
    this.#next.delete(spec.node_id);
    if (world().chance(this.mood.nodeEnds))
      world().after(world().random.below(60_000), 'a model fails', () => this.#exit(running), { owner: this.owner });
    return { console };
  }

  #exit(running: Running): void {
    const { node_id, project_id } = running.spec;
    if (this.nodes.get(node_id) !== running) return;
    this.#stop(node_id);
    this.emit({ type: 'node.exited', node_id, project_id, output: 'the simulated model has failed' });
  }

  #stop(id: string): void {
    this.nodes.delete(id);
    this.recordings.delete(id);
  }

  #put(cable: CableSpec): void {
    const ports = cable.ends.flatMap((end) => (end.type === 'port' ? [portKey(end)] : []));
    for (const other of this.cables.values())
      if (
        other.cable_id !== cable.cable_id &&
        other.ends.some((end) => end.type === 'port' && ports.includes(portKey(end)))
      )
        throw new FabricError(
          'exists',
          `A port of ${cable.cable_id} already has cable ${other.cable_id}; a port takes one cable`,
        );
    this.cables.set(cable.cable_id, cable);
  }

  #capture(capture: CaptureSpec): void {
    const key = portKey(capture.port);
    const known = this.captures.get(key);
    if (known !== undefined && known.path !== capture.path)
      throw new FabricError('exists', `A capture to ${known.path} already runs at port ${key}`);
    this.captures.set(key, capture);
  }

  #removeProject(id: string): void {
    for (const [key, { spec }] of this.nodes) if (spec.project_id === id) this.#stop(key);
    for (const table of [this.cables, this.captures, this.attachments, this.consoles, this.recordings, this.#next])
      for (const [key, { project_id }] of table) if (project_id === id) table.delete(key);
  }

  inventory(): Inventory {
    return structuredClone({
      pid: this.pid,
      nodes: [...this.nodes.values()],
      cables: [...this.cables.values()],
      captures: [...this.captures.values()],
      attachments: [...this.attachments.values()],
      consoles: [...this.consoles.values()],
      recordings: [...this.recordings.values()],
    });
  }
}
