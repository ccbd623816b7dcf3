import { loadProgram, matches } from '../fabric/bpf/interpret.ts';
import type { CableFilters } from '../fabric/protocol.ts';
import type { Obstacle } from './contract.ts';
import { type Lab, type LabLink, linkName } from './lab.ts';

/** Milliseconds that a ping waits for its answer. */
const PATIENCE_MS = 1000;
/** Percent of lost frames from which on it is worth a note. */
const WORTH_A_NOTE = 1;

/** What a link does to frames in one direction. */
export interface Effect {
  obstacle: Obstacle | null;
  /** What makes it unsure, as a sentence. */
  note: string | null;
}

/** `way`: 0 from its first end to its second. */
export const effectOf = (lab: Lab, link: LabLink, way: 0 | 1, frames: readonly Uint8Array[]): Effect => {
  const { link_id } = link.record;
  const name = `the link ${linkName(lab, link.record)}`;
  const of = (code: Obstacle['code'], what: string): Effect => ({
    obstacle: { code, key: `${code}:${link_id}`, sentence: `${name} ${what}`, link_id },
    note: null,
  });
  if (link.isGone) return of('link_gone', 'is gone');
  if (link.suspend) return of('link_suspended', 'is suspended');
  const filters = link.filters[way];
  const dropped = dropping(filters, frames);
  if (dropped !== null) return of('link_filter', dropped);
  const doubt = doubtful(filters);
  return { obstacle: null, note: doubt === null ? null : `${name} ${doubt}` };
};

/** Why none of these frames, or not all that are needed, gets over; null: nothing keeps them. */
const dropping = (filters: CableFilters, frames: readonly Uint8Array[]): string | null => {
  const { frequency_drop: every, packet_loss: loss, burst_loss: burst, corrupt, delay, bpf = [] } = filters;
  const program = bpf.findIndex((one) => frames.some((frame) => matches(loadProgram(one), frame)));
  if (program !== -1) return 'has a filter (bpf) that drops these frames';
  if (every === -1 || every === 1) return 'drops every frame (frequency_drop)';
  if (loss === 100) return 'loses every frame (packet_loss 100 %)';
  if (
    burst !== undefined &&
    burst.within === 100 &&
    ((burst.begin === 100 && burst.end === 0) || burst.between === 100)
  )
    return 'loses every frame (burst_loss)';
  if (corrupt === 100) return 'spoils every frame (corrupt 100 %)';
  if ((delay?.latency_ms ?? 0) >= PATIENCE_MS)
    return `delays frames by ${delay?.latency_ms} ms, longer than a ping waits`;
  return slow(filters, frames);
};

/** A frame that fits in no queue is dropped. */
const slow = ({ rate }: CableFilters, frames: readonly Uint8Array[]): string | null => {
  const longest = Math.max(...frames.map(({ length }) => length));
  if (rate === undefined) return null;
  if (rate.queue_octets > 0 && rate.queue_octets < longest)
    return `has a queue of ${rate.queue_octets} octets, less than one of these frames (rate)`;
  const ms = (longest * 8) / rate.kbit_s;
  return ms >= PATIENCE_MS ? `needs ${Math.round(ms)} ms for one of these frames (rate ${rate.kbit_s} kbit/s)` : null;
};

const doubtful = ({ frequency_drop: every, packet_loss: loss = 0, burst_loss, corrupt = 0 }: CableFilters) => {
  if (loss >= WORTH_A_NOTE) return `loses ${loss} % of the frames`;
  if (corrupt >= WORTH_A_NOTE) return `spoils ${corrupt} % of the frames`;
  if (every !== undefined) return `drops every ${every}th frame`;
  return burst_loss === undefined ? null : 'loses frames in bursts';
};
