import type { LogEvent } from '../events/event.ts';
import { asData } from '../projections/past/timeline/kinds.ts';

/** What somebody did, as the words after who did it. `name`: of what the event is about. */
export const told = ({ type, data: given }: Pick<LogEvent, 'type' | 'data'>, name: string): string => {
  const data = asData(given);
  const changes = asData(data['changes']);
  switch (type) {
    case 'link.updated':
      return linkTold(changes, name);
    case 'node.updated':
      return nodeTold(changes, name);
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
  'project.restored': 'restored a snapshot of the project',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const linkTold = (changes: Readonly<Record<string, unknown>>, name: string): string => {
  if (changes['suspend'] === true) return `suspended the link ${name}`;
  if (changes['filters'] !== undefined) return `set the filters ${short(changes['filters'])} on the link ${name}`;
  return changes['suspend'] === false ? `resumed the link ${name}` : `changed the link ${name}`;
};

const nodeTold = (changes: Readonly<Record<string, unknown>>, name: string): string => {
  if (changes['texts'] !== undefined)
    return `gave ${name} the text ${short(Object.values(asData(changes['texts'])).join('\n'))}`;
  const what = Object.keys(asData(changes['properties']));
  return what.length === 0 ? `changed ${name}` : `changed ${name}: ${what.join(', ')}`;
};

const LONGEST = 120;
const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
};
