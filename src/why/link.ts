import { loadProgram, matches } from '../fabric/filters/bpf.ts';
import { expressionsOf } from '../fabric/filters/filters.ts';
import type { CableFilters } from '../fabric/protocol.ts';
import { withWeather } from '../projections/weather.ts';
import type { Obstacle } from './contract.ts';
import { type Lab, type LabLink, linkName } from './lab.ts';

/** Milliseconds that a ping waits for its answer. */
const PATIENCE_MS = 1000;
/** Percentage of lost frames from which a link gets a note. */
const WORTH_A_NOTE = 1;

/** Effect of a link on frames in one direction. */
export interface Effect {
  obstacle: Obstacle | null;
  /** Reason why frames may be lost, as a sentence. */
  note: string | null;
}

/** A filter that drops the frames. */
interface Drop {
  /** Name of the filter with its value. */
  by: string;
  what: string;
}

/** Determines the effect of a link on a set of frames. `way`: 0 from its first end to its second, 1 back. */
export const effectOf = (lab: Lab, link: LabLink, way: 0 | 1, frames: readonly Uint8Array[]): Effect => {
  const { link_id } = link.record;
  const name = `the link ${linkName(lab, link.record)}`;
  const of = (code: Obstacle['code'], what: string, by = ''): Effect => ({
    obstacle: { code, key: `${code}:${link_id}${by === '' ? '' : `:${by}`}`, sentence: `${name} ${what}`, link_id },
    note: null,
  });
  if (link.isGone) return of('link_gone', 'is gone');
  if (link.suspend) return of('link_suspended', 'is suspended');
  const filters = link.filters[way];
  const dropped = refusing(link, way, frames) ?? dropping(filters, frames);
  if (dropped !== null) return of('link_filter', dropped.what, dropped.by);
  const doubt = doubtful(filters);
  return { obstacle: null, note: doubt === null ? null : `${name} ${doubt}` };
};

/** Finds a `bpf` expression that matches one of these frames. */
const refusing = ({ record, filters }: LabLink, way: 0 | 1, frames: readonly Uint8Array[]): Drop | null => {
  const { bpf = [] } = filters[way];
  const program = bpf.findIndex((one) => frames.some((frame) => matches(loadProgram(one), frame)));
  if (program === -1) return null;
  const set = withWeather(record).filters;
  const [text = ''] = set[`bpf${way === 0 ? '>' : '<'}`] ?? set['bpf'] ?? [];
  const by = `bpf ${expressionsOf(String(text))[program] ?? ''}`;
  return { by, what: 'has a filter (bpf) that drops these frames' };
};

/** Finds another filter that drops all frames, or some that are needed; null without one. */
const dropping = (filters: CableFilters, frames: readonly Uint8Array[]): Drop | null => {
  const { frequency_drop: every, packet_loss: loss, burst_loss: burst, corrupt, delay } = filters;
  if (every === -1 || every === 1) return { by: `frequency_drop ${every}`, what: 'drops every frame (frequency_drop)' };
  if (loss === 100) return { by: 'packet_loss 100', what: 'loses every frame (packet_loss 100 %)' };
  if (
    burst !== undefined &&
    burst.within === 100 &&
    ((burst.begin === 100 && burst.end === 0) || burst.between === 100)
  )
    return { by: 'burst_loss', what: 'loses every frame (burst_loss)' };
  if (corrupt === 100) return { by: 'corrupt 100', what: 'spoils every frame (corrupt 100 %)' };
  const ms = delay?.latency_ms ?? 0;
  if (ms >= PATIENCE_MS) return { by: `delay ${ms}`, what: `delays frames by ${ms} ms, longer than a ping waits` };
  return slow(filters, frames);
};

/** Whether the rate is too low, or the queue too short for a frame, which is dropped then. */
const slow = ({ rate }: CableFilters, frames: readonly Uint8Array[]): Drop | null => {
  const longest = Math.max(...frames.map(({ length }) => length));
  if (rate === undefined) return null;
  const { queue_octets: queue, kbit_s } = rate;
  if (queue > 0 && queue < longest)
    return {
      by: `queue_octets ${queue}`,
      what: `has a queue of ${queue} octets, less than one of these frames (rate)`,
    };
  const ms = (longest * 8) / kbit_s;
  if (ms < PATIENCE_MS) return null;
  return { by: `rate ${kbit_s}`, what: `needs ${Math.round(ms)} ms for one of these frames (rate ${kbit_s} kbit/s)` };
};

const doubtful = ({ frequency_drop: every, packet_loss: loss = 0, burst_loss, corrupt = 0 }: CableFilters) => {
  if (loss >= WORTH_A_NOTE) return `loses ${loss} % of the frames`;
  if (corrupt >= WORTH_A_NOTE) return `spoils ${corrupt} % of the frames`;
  if (every !== undefined) return `drops every ${ordinal(every)} frame`;
  return burst_loss === undefined ? null : 'loses frames in bursts';
};

/** `2nd`, `11th` */
const ordinal = (count: number): string => `${count}${ENDINGS[ORDINALS.select(count)] ?? 'th'}`;
const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
