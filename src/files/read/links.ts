import { knownInFiles } from '../../model/derive.ts';
import { LINK } from '../../model/link.ts';
import * as f from '../fields/field-table.ts';
import { identities } from '../fields/identity.ts';
import { type Bag, isBag, quoted } from '../fields/json.ts';
import type { ParsedLink, ParsedLinkEnd } from './parsed.ts';
import type { Steps } from '../../common/slices.ts';

export const LINK_FIELDS = f.readersOf(knownInFiles(LINK));

/** Known keys that are read separately or computed by the server. */
export const LINK_DERIVED = [
  'link_id',
  'nodes',
  'project_id',
  'link_type',
  'capturing',
  'capture_file_name',
  'capture_file_path',
  'capture_compute_id',
];

export interface ReadLinks {
  links: ParsedLink[];
  /** Elements as they were in the file. */
  rejected: unknown[];
  warnings: string[];
}

/** `ids`: id in the file → id of the node. `isCurrent`: the file has the revision that is written. */
export function* readLinks(
  list: readonly unknown[],
  ids: ReadonlyMap<unknown, string>,
  isCurrent: boolean,
  newId: () => string,
): Steps<ReadLinks> {
  const identify = identities('link_id', newId);
  const links: ParsedLink[] = [];
  const rejected: unknown[] = [];
  const warnings: string[] = [];
  for (const [index, raw] of list.entries()) {
    yield;
    const where = `Link ${index + 1} of the file`;
    const ends = readEnds(raw, ids);
    if (!isBag(raw) || ends.reason !== null) {
      rejected.push(raw);
      warnings.push(`${where} was left out: ${ends.reason ?? 'it is not an object'}`);
      continue;
    }
    const { id, reason } = identify(raw.link_id);
    const { values, wrong, extra } = f.readFields(raw, LINK_FIELDS, LINK_DERIVED);
    links.push({ ...values, link_id: id, nodes: ends.nodes, extra, given: isCurrent ? raw : null });
    warnings.push(
      ...[...(reason === null ? [] : [reason]), ...ends.notes, ...wrong].map((text) => `${where}: ${text}`),
    );
  }
  return { links, rejected, warnings };
}

interface Ends {
  nodes: ParsedLinkEnd[];
  notes: string[];
  /** Why the link cannot be used; null: it can. */
  reason: string | null;
}

const unusable = (reason: string): Ends => ({ nodes: [], notes: [], reason });

const readEnds = (raw: unknown, ids: ReadonlyMap<unknown, string>): Ends => {
  if (!isBag(raw)) return unusable(`it is ${quoted(raw)}, not an object`);
  if (!Array.isArray(raw.nodes) || raw.nodes.length !== 2) return unusable('nodes must be a list of its two ends');
  const notes: string[] = [];
  const nodes: ParsedLinkEnd[] = [];
  for (const end of raw.nodes as unknown[]) {
    if (!isBag(end)) return unusable(`an end must be an object, not ${quoted(end)}`);
    const nodeId = ids.get(end.node_id);
    if (nodeId === undefined) return unusable(`there is no node with the node_id ${quoted(end.node_id)}`);
    const port = readPort(end);
    if (port === undefined) return unusable('adapter_number and port_number must be whole numbers from 0');
    const { label, note } = readLabel(end.label);
    if (note !== null) notes.push(note);
    nodes.push({ node_id: nodeId, ...port, label });
  }
  return { nodes, notes, reason: null };
};

const readPort = (end: Bag): Pick<ParsedLinkEnd, 'adapter_number' | 'port_number'> | undefined => {
  const { adapter_number, port_number } = end;
  return isIndex(adapter_number) && isIndex(port_number) ? { adapter_number, port_number } : undefined;
};

/** Beyond any device, and safe for arithmetic. */
const MAX_INDEX = 65535;
const isIndex = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INDEX;

const LABEL = f.label();

/** A wrong label of a port is replaced by the default, as it is only decoration. */
const readLabel = (given: unknown): { label: ParsedLinkEnd['label']; note: string | null } => {
  if (given === undefined || given === null) return { label: null, note: null };
  const label = LABEL.read(given);
  if (label !== undefined) return { label, note: null };
  return { label: null, note: `the label of an end must be ${LABEL.expected}; the usual one is used` };
};
