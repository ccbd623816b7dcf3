import type { LogEvent } from '../events/event.ts';
import { asData } from '../projections/past/timeline/kinds.ts';

/**
 * What somebody did, as the words after who did it. `name`: of what the event is about; `before`: properties of the node before it, where they
 * are known.
 */
export const told = (
  { type, data: given }: Pick<LogEvent, 'type' | 'data'>,
  name: string,
  before: Bag = {},
): string => {
  const data = asData(given);
  const changes = asData(data['changes']);
  switch (type) {
    case 'link.updated':
      return linkTold(changes, name);
    case 'node.updated':
      return nodeTold(changes, name, before);
    case 'node.exited':
      return `${name} ended by itself`;
    case 'node.lost':
      return `${name} was lost: ${textOf(data['reason'])}`;
    case 'node.start_failed':
      return `${name} could not be started: ${textOf(asData(data['failure'])['message'])}`;
    case 'node.unreachable':
      return `${name} could not be reached any more: ${textOf(data['reason'])}`;
    case 'project.nodes_requested':
      return `asked all nodes to ${textOf(data['action'])}`;
    default:
      return `${PHRASES[type] ?? `was behind ${type}:`} ${name}`.trim();
  }
};

const PHRASES: Readonly<Record<string, string>> = {
  'link.created': 'linked',
  'link.deleted': 'deleted the link',
  'link.restored': 'put back the link',
  'node.created': 'made',
  'node.deleted': 'deleted',
  'node.restored': 'put back',
  'node.start_requested': 'started',
  'node.started': 'started',
  'node.stop_requested': 'stopped',
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

const linkTold = (changes: Bag, name: string): string => {
  if (changes['suspend'] === true) return `suspended the link ${name}`;
  if (changes['filters'] !== undefined) return `set the filters ${short(changes['filters'])} on the link ${name}`;
  if (changes['weather'] !== undefined) return `changed the link ${name} by its weather`;
  return changes['suspend'] === false ? `resumed the link ${name}` : `changed the link ${name}`;
};

const nodeTold = (changes: Bag, name: string, before: Bag): string => {
  if (changes['texts'] !== undefined)
    return `gave ${name} the text ${short(Object.values(asData(changes['texts'])).join('\n'))}`;
  const after = asData(changes['properties']);
  const keys = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
  return keys.length === 0
    ? `changed ${name}`
    : `changed ${name}: ${keys.map((key) => valueTold(key, after[key], before[key])).join(', ')}`;
};

/** Of a list of ports only those that are others than before. */
const valueTold = (key: string, after: unknown, before: unknown): string => {
  if (!Array.isArray(after) || !Array.isArray(before)) return key;
  const changed = after.map(asData).flatMap((one, n) => entryTold(one, asData(before[n])));
  return changed.length === 0 ? key : changed.join(', ');
};

const entryTold = (after: Bag, before: Bag): string[] => {
  const keys = Object.keys(after).filter((key) => after[key] !== before[key]);
  const values = keys.map((key) => `${key} ${plainText(before[key])} to ${plainText(after[key])}`);
  return keys.length === 0 || typeof after['name'] !== 'string' ? [] : [`${after['name']} from ${values.join(', ')}`];
};

const plainText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none'));

type Bag = Readonly<Record<string, unknown>>;

const LONGEST = 120;
const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
};
