import { setTimeout as pause } from 'node:timers/promises';
import { conflict, messageOf } from '../../common/errors.ts';
import type { WallClock } from '../capture/wall-clock.ts';
import type { Echo, Probed, ProbeSpec } from '../questions.ts';
import type { FabricEvent } from '../protocol.ts';
import type { Model } from './model.ts';
import type { Nodes } from './nodes.ts';

interface Parts {
  nodes: Pick<Nodes, 'get'>;
  clock: WallClock;
  emit: (event: FabricEvent) => void;
}

/** Beyond the wait for an answer: a node that was suspended meanwhile does not answer at all. Milliseconds. */
const GRACE_MS = 1_000;

/** Sends echo requests from nodes, without their consoles, and tells what became of them. */
export const createProbing = ({ nodes, clock, emit }: Parts) => {
  let identifier = 0;
  return (spec: ProbeSpec): void => {
    // Several series from one node may be under way.
    identifier = (identifier % 0xffff) + 1;
    const { probe_id } = spec;
    const tell = (address: string | null, probes: Probed[], problem: string | null): void =>
      emit({ type: 'node.probed', probe_id, address, probes, problem });
    const ready = prepare(nodes, spec);
    if (typeof ready === 'string') return tell(null, [], ready);
    void probes({ ...ready, identifier }, spec, clock).then(
      (done) => tell(ready.address, done, null),
      (error: unknown) => tell(ready.address, [], messageOf(error)),
    );
  };
};

interface Ready {
  address: string;
  probe: NonNullable<Model['probe']>;
}

/** A text says why nothing can be sent. Throws for a node that could not send anything at all. */
const prepare = (nodes: Parts['nodes'], { node_id, to }: ProbeSpec): Ready | string => {
  const from = nodeOf(nodes, node_id);
  if (from.model === null) return `${from.spec.name} is suspended`;
  const { model } = from;
  // Whether it would be answered nobody knows.
  if (model.probe === undefined) throw conflict(`${from.spec.name} ${SENDS_NONE}`);
  const address = 'address' in to ? to.address : addressOf(nodes, to.node_id);
  if (address === null) return 'the node that is to answer has no address';
  return { address, probe: (...asked) => model.probe?.(...asked) ?? Promise.reject(new Error('it sends no probes')) };
};

const SENDS_NONE = 'sends no probes by itself; a check of its console can type ping';

/** Of a real system the fabric has cables and a console only. */
const nodeOf = (nodes: Parts['nodes'], nodeId: string): ReturnType<Nodes['get']> => {
  try {
    return nodes.get(nodeId);
  } catch {
    throw conflict(`It does not run inside and ${SENDS_NONE}`);
  }
};

const addressOf = (nodes: Parts['nodes'], nodeId: string): string | null => {
  const node = nodes.get(nodeId);
  return node.model?.addresses?.()[0] ?? null;
};

const probes = async (
  { address, probe, identifier }: Ready & Pick<Echo, 'identifier'>,
  { count, interval_ms, timeout_ms, size }: ProbeSpec,
  clock: WallClock,
): Promise<Probed[]> => {
  const echo = { identifier, timeout_ms, ...(size === undefined ? {} : { size }) };
  const one = async (sequence: number): Promise<Probed> => {
    await pause(sequence * interval_ms);
    const sent_us = clock.now();
    const late = new AbortController();
    const nothing = { rtt_ms: null, why: `no answer within ${timeout_ms} ms` };
    const silence = pause(timeout_ms + GRACE_MS, nothing, { signal: late.signal }).catch(() => nothing);
    const result = await Promise.race([probe(address, { ...echo, sequence }), silence]);
    late.abort();
    return { sent_us, ...result };
  };
  return Promise.all(Array.from({ length: count }, (_, sequence) => one(sequence)));
};
