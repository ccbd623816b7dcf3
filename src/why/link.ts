import { loadProgram, matches } from '../fabric/filters/bpf.ts';
import { expressionsOf } from '../fabric/filters/filters.ts';
import type { CableFilters } from '../fabric/protocol.ts';
import { withWeather } from '../projections/weather.ts';
import type { Obstacle } from './contract.ts';
import { type Lab, type LabLink, linkName } from './lab.ts';

/** Milliseconds that a ping waits for its answer. */
export const PATIENCE_MS = 1000;
/** Percentage of lost frames from which a link gets a note. */
const WORTH_A_NOTE = 1;
/** Percentage of lost frames from which a ping may well fail. */
const MOST_LOST = 50;

/** How long a link holds a frame back. `obstacle`: the link, if that is too long. */
export interface Wait {
  ms: number;
  /** Milliseconds that it may be more or less. */
  jitter: number;
  obstacle: Obstacle;
}

/** Effect of a link on frames in one direction. */
export interface Effect {
  obstacle: Obstacle | null;
  /** Reason why frames may be lost, as a sentence. */
  note: string | null;
  /** Absent: it holds none back. */
  wait?: Wait;
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
  const of = (code: Obstacle['code'], what: string, by = ''): Obstacle => ({
    code,
    key: `${code}:${link_id}${by === '' ? '' : `:${by}`}`,
    sentence: `${name} ${what}`,
    link_id,
  });
  const stop = (obstacle: Obstacle): Effect => ({ obstacle, note: null });
  if (link.isGone) return stop(of('link_gone', 'is gone'));
  if (link.suspend) return stop(of('link_suspended', 'is suspended'));
  const filters = link.filters[way];
  const dropped = refusing(link, way, frames) ?? dropping(filters, frames);
  if (dropped !== null) return stop(of('link_filter', dropped.what, dropped.by));
  const doubt = doubtful(filters);
  if (doubt !== null && doubt.lost >= MOST_LOST)
    return stop({ ...of('link_filter', doubt.what, doubt.by), maybe: true });
  const held = holding(filters, frames);
  return {
    obstacle: null,
    note: doubt === null ? null : `${name} ${doubt.what}`,
    ...(held === null
      ? {}
      : { wait: { ms: held.ms, jitter: held.jitter, obstacle: of('link_filter', held.what, held.by) } }),
  };
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
  if (ms - (delay?.jitter_ms ?? 0) >= PATIENCE_MS)
    return { by: `delay ${ms}`, what: `delays frames by ${ms} ms, longer than a ping waits` };
  const sent = sending(filters, frames);
  return sent !== null && sent.ms >= PATIENCE_MS ? sent : null;
};

/** Milliseconds that the rate needs for the longest frame. One frame alone fits every queue. */
const sending = ({ rate }: CableFilters, frames: readonly Uint8Array[]): (Drop & { ms: number }) | null => {
  if (rate === undefined || rate.kbit_s === 0) return null;
  const ms = (Math.max(...frames.map(({ length }) => length)) * 8) / rate.kbit_s;
  const { kbit_s } = rate;
  const what = `needs ${Math.round(ms)} ms for one of these frames (rate ${kbit_s} kbit/s)`;
  return { by: `rate ${kbit_s}`, what, ms };
};

/** Milliseconds that a frame waits at a link, and the filter that takes the most of it. */
const holding = (filters: CableFilters, frames: readonly Uint8Array[]): (Drop & Omit<Wait, 'obstacle'>) | null => {
  const { latency_ms: latency = 0, jitter_ms = 0 } = filters.delay ?? {};
  const sent = sending(filters, frames);
  const ms = latency + (sent?.ms ?? 0);
  if (ms === 0) return null;
  const jitter = jitter_ms + (filters.jitter?.ms ?? 0);
  const most =
    sent !== null && sent.ms > latency ? sent : { by: `delay ${latency}`, what: `delays frames by ${latency} ms` };
  return { by: most.by, what: most.what, ms, jitter };
};

/** A filter that loses some frames. `lost`: percent, in the long run. */
const doubtful = ({
  frequency_drop: every,
  packet_loss: loss = 0,
  burst_loss: burst,
  corrupt = 0,
}: CableFilters): (Drop & { lost: number }) | null => {
  if (loss >= WORTH_A_NOTE) return { by: `packet_loss ${loss}`, what: `loses ${loss} % of the frames`, lost: loss };
  if (corrupt >= WORTH_A_NOTE)
    return { by: `corrupt ${corrupt}`, what: `spoils ${corrupt} % of the frames`, lost: corrupt };
  if (every !== undefined && every !== 0)
    return { by: `frequency_drop ${every}`, what: `drops every ${ordinal(every)} frame`, lost: 100 / every };
  if (burst === undefined) return null;
  const { begin, end, within, between } = burst;
  const share = begin === 0 ? 0 : begin / (begin + end);
  return { by: 'burst_loss', what: 'loses frames in bursts', lost: share * within + (1 - share) * between };
};

/** `2nd`, `11th` */
const ordinal = (count: number): string => `${count}${ENDINGS[ORDINALS.select(count)] ?? 'th'}`;
const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
