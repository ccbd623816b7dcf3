import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { invalid, TopologError } from '../../common/errors.ts';
import type { TracePoint, WeatherForm } from '../../common/forms/weather.ts';
import { portsOf } from '../../emulators/recorded-node.ts';
import type { Filters, WeatherEntry } from '../../events/fields.ts';
import { checkFilters } from '../../fabric/client/plumbing.ts';
import type { LinkRecord, NodeRecord, RecordView } from '../../projections/records.ts';
import { weatherAt } from '../../projections/weather.ts';
import type { LabContext } from '../context.ts';
import type { WeatherInput } from './interface.ts';

/** Columns of a trace, with the largest value of each. Seconds, kbit/s, milliseconds, percent. */
const COLUMNS = { time: 86_400, rate: 10_000_000, delay: 32_767, loss: 100 } as const;
type Column = keyof typeof COLUMNS;
const MOST_POINTS = 2_000;

/** Of a text of CSV: a line of names first, then a point a line; an empty place says nothing, and # begins a comment. */
const parseTrace = (csv: string): TracePoint[] => {
  const lines = csv
    .split(/\r?\n/)
    .map((text, index) => ({ text: text.replace(/#.*/, '').trim(), number: index + 1 }))
    .filter(({ text }) => text !== '');
  const [head, ...rows] = lines;
  const names = (head?.text ?? '').split(',').map((name) => name.trim().toLowerCase());
  const wrong = names.find((name) => !Object.hasOwn(COLUMNS, name));
  if (head === undefined || wrong !== undefined || !names.includes('time'))
    throw refusal(`its first line must name columns among ${Object.keys(COLUMNS).join(', ')}, time among them`);
  return checkTrace(rows.map(({ text, number }) => pointOf(names as Column[], text, number)));
};

/** Throws where points are too many, or not in the order of their times. */
const checkTrace = (points: TracePoint[]): TracePoint[] => {
  if (points.length === 0 || points.length > MOST_POINTS) throw refusal(`it must have 1 to ${MOST_POINTS} points`);
  points.forEach(({ time }, index) => {
    const before = points[index - 1];
    if (before !== undefined && time - before.time < 0.001)
      throw refusal(`point ${index + 1} must be at least 1 ms behind the one before it`);
  });
  return points;
};

const pointOf = (names: readonly Column[], line: string, number: number): TracePoint => {
  const cells = line.split(',').map((cell) => cell.trim());
  if (cells.length !== names.length) throw refusal(`line ${number} must have ${names.length} values`);
  const values = names.flatMap((name, index): [Column, number][] => {
    const cell = cells[index] ?? '';
    if (cell === '' && name !== 'time') return [];
    const value = Number(cell);
    if (cell !== '' && value >= 0 && value <= COLUMNS[name]) return [[name, value]];
    throw refusal(`line ${number}: ${name} must be a number from 0 to ${COLUMNS[name]}`);
  });
  return Object.fromEntries(values) as unknown as TracePoint;
};

const refusal = (what: string): Error => invalid(`trace: ${what}`, { field: 'trace' });

/** An entry as people say it, and as it is kept: nodes and links by id, the trace read, filters checked. */

type LinkRef = NonNullable<WeatherForm['links']>[number];

type Known = Pick<LabContext, 'kinds'> & { pending: Pick<RecordView, 'ofProject'> };

/** Throws TopologError that names the field. */
export const entryOf = async (
  context: Known,
  projectId: string,
  { weather_id = randomUUID(), ...form }: WeatherInput,
): Promise<WeatherEntry> => {
  const { links, filters, trace, crash, ...rest } = form;
  const entry: WeatherEntry = {
    weather_id,
    ...rest,
    ...(links === undefined ? {} : { links: links.map((link) => linkIdOf(context, projectId, link)) }),
    ...(filters === undefined ? {} : { filters: await checked('filters', filters) }),
    ...(trace === undefined ? {} : { trace: traceOf(trace) }),
    ...(crash === undefined ? {} : { crash: crash.map((node) => nodeIdOf(context, projectId, node)) }),
  };
  await checkRamp(entry);
  return entry;
};

/** What inputs come to. One that says the same as one that is there, and no id, has the id of that: nothing has changed then. */
export const entriesOf = async (
  context: Known,
  projectId: string,
  inputs: readonly WeatherInput[],
  known: readonly WeatherEntry[],
): Promise<WeatherEntry[]> => {
  const left = [...known];
  const entries: WeatherEntry[] = [];
  for (const input of inputs) {
    const made = await entryOf(context, projectId, input);
    const isSame = (one: WeatherEntry): boolean =>
      isDeepStrictEqual({ ...one, weather_id: '' }, { ...made, weather_id: '' });
    const same = input.weather_id === undefined ? left.findIndex(isSame) : -1;
    entries.push((same < 0 ? undefined : left.splice(same, 1)[0]) ?? made);
  }
  return entries;
};

const traceOf = ({ file, csv, points }: NonNullable<WeatherForm['trace']>): NonNullable<WeatherEntry['trace']> => {
  if (points === undefined && csv === undefined)
    throw invalid('trace: a server reads no files; send csv or points', { field: 'trace' });
  const read = points === undefined ? parseTrace(csv ?? '') : checkTrace(points);
  return { ...(file === undefined ? {} : { file }), points: read };
};

/** Filters that switch one of the link's own off are kept as they are. */
const checked = async (field: string, filters: Filters): Promise<Filters> => {
  try {
    await checkFilters(filters);
    return filters;
  } catch (error) {
    if (!(error instanceof TopologError)) throw error;
    const { field: at } = error.details;
    const where = typeof at === 'string' ? at.replace('filters', field) : field;
    throw TopologError.saying(error.code, error.message, { ...error.details, field: where });
  }
};

/** Values change evenly, so that what is right at the first two steps and the last is right at all of them. */
const checkRamp = async (entry: WeatherEntry): Promise<void> => {
  const { ramp, for: lasts = 0 } = entry;
  if (ramp === undefined) return;
  await checked('ramp.from', ramp.from ?? {});
  await checked('ramp.to', ramp.to);
  for (const step of [0, 1, ramp.steps - 1]) {
    const sky = weatherAt([{ ...entry, at: 0 }], Math.ceil((step * lasts) / ramp.steps));
    await checked('ramp', sky.links[0]?.weather.filters ?? {});
  }
};

const nodeIdOf = ({ pending }: Pick<Known, 'pending'>, projectId: string, wanted: string): string =>
  nodeNamed(pending.ofProject('node', projectId), wanted, 'crash').node_id;

const nodeNamed = (nodes: readonly NodeRecord[], wanted: string, field: string): NodeRecord => {
  const found = nodes.find(({ node_id, name }) => node_id === wanted || name === wanted);
  if (found === undefined) throw invalid(`${field}: there is no node ${wanted}`, { field });
  return found;
};

const linkIdOf = (context: Known, projectId: string, wanted: LinkRef): string => {
  const links = context.pending.ofProject('link', projectId);
  const said = typeof wanted === 'string' ? [wanted] : wanted;
  const known = links.find(({ link_id }) => link_id === wanted);
  if (known !== undefined) return known.link_id;
  const ends = said.map((text) => endNamed(context, projectId, text));
  const found = links.filter(({ nodes }) => ends.every((isEnd) => nodes.some(isEnd)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.link_id;
  const text = said.join(' – ');
  throw invalid(only === undefined ? `links: there is no link ${text}` : `links: ${text} is more than one link`, {
    field: 'links',
  });
};

/** Whether an end of a link is what a text names: `PC1`, or with a port by its name, `adapter/port`, or its place from 0. */
const endNamed = (context: Known, projectId: string, text: string): ((end: LinkRecord['nodes'][number]) => boolean) => {
  const nodes = context.pending.ofProject('node', projectId);
  const colon = text.lastIndexOf(':');
  const whole = nodes.find(({ node_id, name }) => node_id === text || name === text);
  const node = whole ?? nodeNamed(nodes, colon < 0 ? text : text.slice(0, colon), 'links');
  if (whole !== undefined) return ({ node_id }) => node_id === node.node_id;
  const port = portNamed(context, node, text.slice(colon + 1));
  return (end) =>
    end.node_id === node.node_id && end.adapter_number === port.adapter_number && end.port_number === port.port_number;
};

const portNamed = (context: Pick<LabContext, 'kinds'>, node: NodeRecord, wanted: string) => {
  const ports = portsOf(context.kinds, node);
  const low = wanted.toLowerCase();
  const found =
    ports.find(({ name, short_name }) => name.toLowerCase() === low || short_name.toLowerCase() === low) ??
    ports.find(({ adapter_number, port_number }) => `${adapter_number}/${port_number}` === wanted) ??
    (/^\d+$/.test(wanted) ? ports[Number(wanted)] : undefined);
  if (found === undefined) throw invalid(`links: ${node.name} has no port ${wanted}`, { field: 'links' });
  return found;
};
