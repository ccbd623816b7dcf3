import type { AnyEvent } from '../events/schemas.ts';
import { mapTexts } from './mapping.ts';
import type { Bag } from './requests.ts';

/** An event without data that differs from run to run: times, positions, ids of requests, processes, ports of the machine, directories. */
export interface Canon {
  type: AnyEvent['type'];
  /** Ids of its objects, as in the recording. */
  subject: string;
  data: Bag;
}

export interface Side {
  /** Replaces ids, names and paths in a text by those of the recording. */
  text(text: string): string;
  /** The recording's number of a UDP port. */
  udpPort(port: number): number;
  /** Whether it matters which engine runs a node. */
  engines: boolean;
}

/** Events that are not compared: the answers of requests are compared instead, and files are written when there is time. */
const LEFT_OUT = new Set<AnyEvent['type']>([
  'request.refused',
  'warning.raised',
  'project.file_written',
  'project.unattended',
  'project.attended',
  'node.recording_started',
  'node.recording_stopped',
  'project.apply_requested',
  'project.applied',
  'project.apply_finished',
  'weather.paused',
  'weather.resumed',
  'run.begun',
  'run.ended',
]);
const OF_THE_MACHINE = [
  'pid',
  'pid_started',
  'command_line',
  'node_directory',
  'path',
  'filename',
  'file_sha256',
  'output',
  'extra',
  // Versions describe files differently, and newer ones have no ports.
  'text_files',
  'as_read',
  'content',
  'ports',
  'written',
  'asked',
  'restart',
  // Start time of the weather.
  'since',
  // Warnings about the initial state.
  'warnings',
  'failed_commands',
  // Time and evidence of verdicts.
  'after_ms',
  'text',
  'evidence',
  // Events of snapshots, and files that contain times.
  'created',
  'created_at',
  'position',
  'staged',
  'files',
  'bytes',
  'manifest_sha256',
];

/** null for an event that is not compared. */
export const normalise = (event: AnyEvent, side: Side): Canon | null => {
  if (LEFT_OUT.has(event.type)) return null;
  // A simulated lab does not meet checks.
  if (isVerdict(event.type) && !side.engines) return null;
  const data = mapTexts(scrub(event.data as Bag, side), (text) => side.text(text));
  // A replay closes the project by a request where the last viewer had left.
  if (event.type === 'project.close_requested') delete data['reason'];
  if (event.type.endsWith('.updated') && Object.keys(data['changes'] as Bag).length === 0) return null;
  return { type: event.type, subject: subjectOf(data), data };
};

/** Whether an event is a verdict. Their number is random, so only the kinds of verdicts of a check are compared. */
export const isVerdict = (type: AnyEvent['type']): boolean => type === 'check.met' || type === 'check.broken';

const subjectOf = (data: Bag): string =>
  ['node_id', 'link_id', 'drawing_id', 'snapshot_id', 'check_id', 'adapter_number', 'port_number']
    .flatMap((key) => (data[key] === undefined || data[key] === null ? [] : [String(data[key] as string | number)]))
    .join(' ');

const scrub = (data: Bag, side: Side): Bag => {
  const out: Bag = {};
  for (const [key, value] of Object.entries(data)) {
    if (OF_THE_MACHINE.includes(key) || (key === 'engine' && !side.engines)) continue;
    out[key] = scrubbed(key, value, side);
  }
  if (isBag(out['changes'])) delete out['changes']['console'];
  return out;
};

/** Drops empty texts, which some versions leave out. */
const said = (properties: Bag): Bag =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== ''));

const scrubbed = (key: string, value: unknown, side: Side): unknown => {
  if (key === 'console') return value === null ? null : 'a port';
  if (key === 'changes' && isBag(value)) return scrub(value, side);
  if (key === 'properties' && isBag(value)) return said(side.engines ? value : without(value, 'engine'));
  if (key === 'nio' && isBag(value)) return withPorts(value, side);
  // Nodes of a project-wide action end in any order.
  if (key === 'failed' && Array.isArray(value)) return sorted(value);
  if (key === 'hops' && Array.isArray(value)) return (value as Bag[]).map((hop) => without(hop, 'rtt_ms'));
  return value;
};

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (bag: Bag, key: string): Bag => Object.fromEntries(Object.entries(bag).filter(([k]) => k !== key));

const withPorts = (nio: Bag, side: Side): Bag =>
  Object.fromEntries(
    Object.entries(nio).map(([key, value]) => [
      key,
      (key === 'lport' || key === 'rport') && typeof value === 'number' ? side.udpPort(value) : value,
    ]),
  );

const sorted = (items: unknown[]): unknown[] =>
  [...items].sort((a, b) => String((a as Bag)['name']).localeCompare(String((b as Bag)['name'])));

/** JSON with sorted keys: equal values have equal texts. */
export const stableText = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    isBag(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );

/** Replaces ports of the machine and lists of accepted values, which differ between versions. */
export const normaliseReason = (reason: string, side: Side): string =>
  side
    .text(reason)
    .replace(/\bport \d+(?!\/)/g, 'port N')
    .replace(/\bmust be one of [^\s,;]+(?:, [^\s,;]+)*/g, 'must be one of …');
