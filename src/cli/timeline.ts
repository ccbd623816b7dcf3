import type { AnyFact } from '../events/facts.ts';

/** Names of nodes and other things as the facts so far have told them; a timeline says `PC1`, not an id. */
export type Names = Map<string, string>;

const remember = (names: Names, fact: AnyFact): void => {
  if (fact.type === 'node.created' || fact.type === 'node.updated') {
    const name = fact.type === 'node.created' ? fact.data.name : fact.data.changes.name;
    if (name !== undefined) names.set(fact.data.node_id, name);
  }
  if (fact.type === 'link.created')
    names.set(fact.data.link_id, fact.data.nodes.map((n) => names.get(n.node_id) ?? n.node_id).join(' – '));
};

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

const changesIn = (changes: object): string =>
  Object.entries(changes)
    .map(([key, value]) => `${key} = ${short(value)}`)
    .join(', ');

/** What the fact is about, by name where one is known. */
const subject = (names: Names, { data }: AnyFact): string => {
  const d = data as Record<string, unknown>;
  const id = [d['link_id'], d['node_id'], d['drawing_id']].find((x): x is string => typeof x === 'string');
  return id === undefined ? '' : (names.get(id) ?? id);
};

const details = (fact: AnyFact): string => {
  switch (fact.type) {
    case 'project.created':
    case 'project.replaced':
      return `${fact.data.name} in ${fact.data.path}`;
    case 'project.updated':
    case 'node.updated':
    case 'link.updated':
    case 'drawing.updated':
      return changesIn(fact.data.changes);
    case 'project.nodes_requested':
      return `${fact.data.action} all nodes`;
    case 'project.nodes_finished':
      return `${fact.data.action}: ${fact.data.done} done, ${fact.data.failed.length} failed`;
    case 'node.created':
      return fact.data.kind;
    case 'node.started':
    case 'node.reloaded':
    case 'node.adopted':
      return `${fact.data.engine}${fact.data.console === null ? '' : `, console ${fact.data.console}`}`;
    case 'node.start_failed':
    case 'node.stop_failed':
    case 'node.suspend_failed':
    case 'node.resume_failed':
    case 'node.reload_failed':
    case 'project.open_failed':
    case 'capture.failed':
      return fact.data.failure.message;
    case 'node.exited':
      return `code ${fact.data.code ?? 'none'}: ${short(fact.data.output)}`;
    case 'node.lost':
      return fact.data.reason;
    case 'node.nio_added':
    case 'node.nio_updated':
      return short(fact.data.nio);
    case 'node.trace_finished':
      return `${fact.data.destination}${fact.data.reached ? '' : ' not'} reached, ${fact.data.hops.length} hops`;
    case 'capture.start_requested':
      return fact.data.path;
    case 'link.created':
      return fact.data.link_type;
    case 'request.refused':
      return `${fact.data.method} ${fact.data.path}: ${fact.data.status} ${fact.data.reason}${fact.data.count > 1 ? ` (${fact.data.count} times)` : ''}`;
    case 'warning.raised':
      return fact.data.message;
    case 'server.stopped':
      return fact.data.reason;
    default:
      return '';
  }
};

const who = ({ by }: AnyFact): string => (by.address === null ? by.principal : `${by.principal}@${by.address}`);

/** One line: version, time, who, what, of what, how; and the version that caused it. */
export const timelineRow = (names: Names, fact: AnyFact): string[] => {
  remember(names, fact);
  const cause = fact.cause === null ? '' : `(because of ${fact.cause})`;
  return [String(fact.position), fact.at, who(fact), fact.type, subject(names, fact), details(fact), cause];
};

/** Rows with their first columns aligned. */
export const layOut = (rows: string[][]): string[] => {
  const widths = [0, 1, 2, 3, 4].map((i) => Math.min(40, Math.max(0, ...rows.map((row) => (row[i] ?? '').length))));
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
