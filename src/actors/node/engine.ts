import { conflict, TopologError } from '../../common/errors.ts';
import { Limiter } from '../../common/mailbox.ts';
import type { Engine, Kind, KindNode, Started } from '../../emulators/kit/contract.ts';
import { otherImages } from '../../emulators/shared/images/checksum.ts';
import type { AnyEvent, DataOf } from '../../events/schemas.ts';
import { killProcess } from '../../processes/end.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { NodeEffect } from '../../projections/states.ts';
import { appendOne, type LabContext, SYSTEM_CALLER, toKindNode } from '../context.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Outcome } from '../runtime/runtime.ts';
import { refuseGone } from './gone.ts';
import type { NodeRecording } from './recording.ts';

/** Everything but a start is quick; beyond this the engine is stuck. */
const EFFECT_MS = 60_000;

/** Throws a conflict where the kind is unknown here. */
export const kindOfNode = ({ kinds }: LabContext, { kind: name, name: node, failure }: NodeRecord): Kind => {
  const kind = kinds.get(name);
  if (kind === undefined) throw conflict(failure?.message ?? `${node} is of the unknown kind ${name}`);
  return kind;
};

/** The engine that runs a node; undefined: none, or this server does not have it. */
export const engineOf = (
  { kinds, engines, computes }: LabContext,
  { kind: name, engine, compute_id }: NodeRecord,
): Engine | undefined => {
  const kind = kinds.get(name);
  if (kind === undefined) return undefined;
  return computes.engine(kind, compute_id) ?? (engine === null ? undefined : engines.running(kind, engine));
};

/** It runs at a server that wrote this log before, and stays there. */
export const isLeft = ({ pending }: LabContext, { server, project_id }: NodeRecord): boolean =>
  server !== undefined && pending.get('project', project_id)?.on_takeover !== 'restart';

/** Throws where its compute is away: nothing is asked of it, and nothing waits. */
export const checkReachable = (
  { computes }: LabContext,
  { compute_id, server, unreachable: reason = '' }: NodeRecord,
): void => {
  if (server !== undefined) throw new TopologError('compute_unreachable', { name: compute_id, reason });
  const place = computes.find(compute_id);
  if (place === undefined) return;
  computes.check(compute_id);
  // It is back, and its nodes are being looked at.
  if (reason !== '') throw new TopologError('compute_unreachable', { name: place.compute.target.name, reason });
};

/** Programs take another port where theirs is somebody else's by now. */
const otherConsole = ({ console: wished }: NodeRecord, { console: port }: Started): string[] =>
  wished === null || port === null || port === wished
    ? []
    : [`console port ${wished} could not be had; the console is at ${port} now`];

/** Carries out the effects of a node's machine by the node's engine. */
export class NodeEngine {
  readonly #context: LabContext;
  readonly #limits: Map<string, Limiter>;
  readonly #recording: NodeRecording;

  /** `limits`: of starts at once, by engine, for all nodes of the server. */
  constructor(context: LabContext, limits: Map<string, Limiter>, recording: NodeRecording) {
    this.#context = context;
    this.#limits = limits;
    this.#recording = recording;
  }

  /** `given`: arguments of a start, secrets included; null: those of its event. */
  async perform(
    effect: NodeEffect,
    record: NodeRecord,
    event: AnyEvent | null,
    { given, left }: { given: Record<string, unknown> | null; left: AbortSignal },
  ): Promise<Outcome> {
    const node = { ...toKindNode(this.#context, record), ...(event === null ? {} : { asked: event.position }) };
    if (effect !== 'start')
      return withDeadline(left, EFFECT_MS, (signal) => this.#change(effect, record, node, signal));
    const args = given ?? (event?.type === 'node.start_requested' ? event.data.arguments : {});
    const { started, warnings } = await this.#start(record, node, args, left);
    const caller = { ...SYSTEM_CALLER, cause: event?.position ?? null };
    const settled = otherConsole(record, started);
    for (const message of warnings) {
      const data = {
        ...{ message: `${record.name}: ${message}`, node_id: record.node_id },
        ...(settled.includes(message) ? { settled: true as const } : {}),
      };
      await appendOne(this.#context, caller, record.project_id, 'warning.raised', data);
    }
    return { type: 'node.started', data: started };
  }

  /** Ends what runs at once. What has a process of its own is killed; the rest is stopped by its engine. */
  async kill(record: NodeRecord): Promise<void> {
    const { pid, pid_started: started } = record;
    const isHere = this.#context.computes.isHere(record.compute_id);
    if (isHere && pid !== null && started !== undefined) await killProcess({ pid, started });
    const node = toKindNode(this.#context, record);
    const never = new AbortController().signal;
    await withDeadline(never, EFFECT_MS, async (signal) => engineOf(this.#context, record)?.stop(node, signal));
  }

  async #change(
    effect: Exclude<NodeEffect, 'start'>,
    record: NodeRecord,
    node: KindNode,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const engine = engineOf(this.#context, record);
    if (effect === 'stop') {
      // A node whose engine is gone from this server has nothing running.
      await engine?.stop(node, signal);
      return { type: 'node.stopped', data: {} };
    }
    if (effect === 'reload' && engine?.reload !== undefined)
      return { type: 'node.reloaded', data: { engine: engine.name, ...(await engine.reload(node, signal)) } };
    if (effect === 'suspend' && engine?.suspend !== undefined) {
      await engine.suspend(node, signal);
      return { type: 'node.suspended', data: {} };
    }
    if (effect === 'resume' && engine?.resume !== undefined) {
      await engine.resume(node, signal);
      return { type: 'node.resumed', data: {} };
    }
    throw conflict(`${record.name}: its engine cannot ${effect}`);
  }

  async #start(
    record: NodeRecord,
    node: KindNode,
    args: Record<string, unknown>,
    left: AbortSignal,
  ): Promise<{ started: Omit<DataOf<'node.started'>, 'node_id' | 'project_id'>; warnings: readonly string[] }> {
    const kind = kindOfNode(this.#context, record);
    refuseGone(this.#context, record);
    const engine = await this.#context.engines.forNode(kind, node);
    const missing = await engine.missing(node);
    if (missing !== null) throw new TopologError('engine_missing', { what: record.name, ...missing });
    const { warnings, ...started } = await this.#limit(engine).run(async () => {
      await this.#recording.prepare(record);
      return withDeadline(left, engine.deadline(node), async (signal) => {
        const other = await this.#otherImages(kind, engine, node);
        const started = await engine.start(node, args, signal);
        return { ...started, warnings: [...other, ...otherConsole(record, started), ...(started.warnings ?? [])] };
      });
    });
    const told = warnings.length === 0 ? {} : { warnings };
    return { started: { engine: engine.name, ...started, ...told }, warnings };
  }

  /** Only what really runs has images. */
  async #otherImages(kind: Kind, engine: Engine, node: KindNode): Promise<string[]> {
    if (!kind.engines.some(({ name }) => name === engine.name)) return [];
    const { strictImages: strict, ...context } = this.#context.settings;
    return otherImages(kind, node, { ...context, strict });
  }

  #limit(engine: Engine): Limiter {
    const group = engine.group ?? engine.name;
    let limit = this.#limits.get(group);
    if (limit === undefined) this.#limits.set(group, (limit = new Limiter(engine.concurrency)));
    return limit;
  }
}
