import { isDeepStrictEqual } from 'node:util';
import { partsOf } from '../common/forms/filters.ts';
import type { LogEvent } from '../events/event.ts';
import { findFilter } from '../fabric/filters/filters.ts';
import { asData } from '../projections/past/timeline/kinds.ts';

export interface EventContext {
  /** The actor: a user, or the weather. */
  who: string;
  /** Name of the object. */
  name: string;
  /** Properties of the node or link before the event; empty if they are not known. */
  before?: Bag;
}

/** Tells an event as a sentence without its full stop: who did what, or what happened to a node. */
export const eventSentence = (
  { type, data: given, cause }: Pick<LogEvent, 'type' | 'data' | 'cause'>,
  { who, name, before = {} }: EventContext,
): string => {
  const data = asData(given);
  const changes = asData(data['changes']);
  switch (type) {
    case 'link.updated':
      return `${who} ${linkText(changes, name, before)}`;
    case 'node.updated':
      return `${who} ${nodeText(changes, name, before)}`;
    case 'node.stop_requested':
      return `${who} ${data['restart'] === true ? 'reloaded' : 'stopped'} ${name}`;
    case 'node.exited':
      // An exit with a cause is a crash by the weather.
      return cause === null ? `${name} ${endText(data)}` : `${who} crashed ${name}`;
    case 'node.lost':
      return `${name} was lost: ${textOf(data['reason'])}`;
    case 'node.start_failed':
      return `${name} could not be started: ${textOf(asData(data['failure'])['message'])}`;
    case 'node.unreachable':
      return `${name} could not be reached any more: ${textOf(data['reason'])}`;
    case 'project.nodes_requested':
      return `${who} asked all nodes to ${textOf(data['action'])}`;
    default:
      return `${who} ${PHRASES[type] ?? `was behind ${type}:`} ${name}`.trim();
  }
};

/** The weather as an actor, with the names of its storms. */
export const weatherName = (storms: readonly string[]): string =>
  storms.length === 0 ? 'The weather' : `The weather (${storms.join(', ')})`;

const endText = ({ code, signal }: Bag): string =>
  typeof code === 'number' ? `ended by itself with code ${code}` : `was ended by ${textOf(signal) || 'unknown'}`;

const PHRASES: Readonly<Record<string, string>> = {
  'link.created': 'linked',
  'link.deleted': 'deleted the link',
  'link.restored': 'put back the link',
  'node.created': 'made',
  'node.deleted': 'deleted',
  'node.restored': 'put back',
  'node.start_requested': 'started',
  'node.started': 'started',
  'node.stopped': 'stopped',
  'node.suspend_requested': 'suspended',
  'node.suspended': 'suspended',
  'node.reload_requested': 'reloaded',
  'project.close_requested': 'closed the project',
  'project.closed': 'closed the project',
  'project.apply_requested': 'applied a text to the project',
  'project.restored': 'restored a snapshot of the project',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const linkText = (changes: Bag, name: string, before: Bag): string => {
  if (changes['suspend'] === true) return `suspended the link ${name}`;
  if (changes['filters'] !== undefined) return filtersText(changes['filters'], before['filters'], name);
  if (changes['weather'] === null) return `left the link ${name}`;
  if (changes['weather'] !== undefined) {
    const [now, then] = [asData(changes['weather']), asData(before['weather'])];
    const isCut = now['suspend'] === true && then['suspend'] !== true;
    return isCut ? `suspended the link ${name}` : filtersText(now['filters'], then['filters'], name);
  }
  return changes['suspend'] === false ? `resumed the link ${name}` : `changed the link ${name}`;
};

/** Tells the filters that have changed. The seed is left out, as it drops no frame. */
const filtersText = (after: unknown, before: unknown, link: string): string => {
  const [now, then] = [asData(after), asData(before)];
  const isOther = (name: string): boolean => name !== 'seed' && !isDeepStrictEqual(now[name], then[name]);
  const set = Object.keys(now).filter(isOther);
  const gone = Object.keys(then).filter((name) => now[name] === undefined && isOther(name));
  const values = set.map((name) => [name, filterText(name, now[name])] as const);
  const [first, ...more] = values;
  if (first !== undefined && more.length === 0) return `set ${first[0]} to ${first[1]} on the link ${link}`;
  if (first !== undefined)
    return `set the filters ${values.map((one) => one.join(' ')).join(', ')} on the link ${link}`;
  if (gone.length === 0) return `changed the link ${link}`;
  return `removed the filter${gone.length === 1 ? '' : 's'} ${gone.join(', ')} from the link ${link}`;
};

/** Values with their units: `100 %`, `50 ms 5 ms`; the suffix of an ordinal is left out. */
const filterText = (name: string, values: unknown): string => {
  const { parameters = [] } = findFilter(partsOf(name)[0])?.description ?? {};
  const unitOf = (index: number): string => parameters[index]?.unit?.replace(/^th frame$/, '') ?? '';
  const texts = (Array.isArray(values) ? values : []).map((value, n) => `${value} ${unitOf(n)}`.trim());
  return short(texts.join(' ').replaceAll(/\s+/g, ' '));
};

const nodeText = (changes: Bag, name: string, before: Bag): string => {
  if (changes['texts'] !== undefined)
    return `gave ${name} the text ${short(JSON.stringify(Object.values(asData(changes['texts'])).join('\n')))}`;
  const after = asData(changes['properties']);
  const keys = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
  return keys.length === 0
    ? `changed ${name}`
    : `changed ${name}: ${keys.map((key) => valueText(key, after[key], before[key])).join(', ')}`;
};

/** Tells a changed property; of a list of ports only those that have changed. */
const valueText = (key: string, after: unknown, before: unknown): string => {
  if (!Array.isArray(after) || !Array.isArray(before)) return key;
  const changed = after.map(asData).flatMap((one, n) => entryText(one, asData(before[n])));
  return changed.length === 0 ? key : changed.join(', ');
};

const entryText = (after: Bag, before: Bag): string[] => {
  const keys = Object.keys(after).filter((key) => after[key] !== before[key]);
  const values = keys.map((key) => `${key} ${plainText(before[key])} to ${plainText(after[key])}`);
  return keys.length === 0 || typeof after['name'] !== 'string' ? [] : [`${after['name']} from ${values.join(', ')}`];
};

const plainText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none'));

type Bag = Readonly<Record<string, unknown>>;

const LONGEST = 120;
const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
