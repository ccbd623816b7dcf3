import type { Metric } from 'prom-client';
import type { Histogram } from './counts.ts';

type Labels = Readonly<Record<string, string | number>>;

interface Sample {
  labels: Labels;
  value: number;
  /** Absent: the name of its family. */
  metricName?: string;
}

/** Samples of one name, as the text format groups them: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: Sample[];
}

/** Value with its labels. */
export type Labelled<T> = readonly [T, Labels];

const plain =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, given: number | readonly Labelled<number>[]): Family => {
    const values = typeof given === 'number' ? [[given, {}] as const] : given;
    return { name, help, type, values: values.map(([value, labels]) => ({ labels, value })) };
  };

export const gauge = plain('gauge');
export const counter = plain('counter');

export const histogram = (name: string, help: string, given: Histogram | readonly Labelled<Histogram>[]): Family => {
  const all = 'buckets' in given ? [[given, {}] as const] : given;
  return { name, help, type: 'histogram', values: all.flatMap(([one, labels]) => samplesOf(name, one, labels)) };
};

/** Each bucket has what is in those below it. */
const samplesOf = (name: string, { bounds, buckets, sum }: Histogram, labels: Labels): Sample[] => {
  let count = 0;
  const below = buckets.map((n, i) => {
    count += n;
    return { labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...below,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
};

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What the process itself measures, from the first time on that somebody asks: its timers and listeners cost a little. */
let ofProcess: Promise<() => Promise<string>> | null = null;

const measureProcess = async (): Promise<() => Promise<string>> => {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const register = new Registry();
  // Milliseconds between two looks at the event loop: half as many as by default, which is half as much processor while all is quiet.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 20 });
  return () => register.metrics();
};

/** The text that a scraper reads: these families, and what is known of the process. */
export const exposition = async (families: readonly Family[]): Promise<string> => {
  const { Registry } = await import('prom-client');
  const registry = new Registry();
  // All that a registry wants of a metric is its name and what it has.
  for (const family of families)
    registry.registerMetric({ name: family.name, get: () => Promise.resolve(family) } as unknown as Metric);
  const process = await (ofProcess ??= measureProcess());
  return `${await registry.metrics()}\n${await process()}`;
};
