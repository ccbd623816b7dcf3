import { portsOf } from '../../../actors/kinds.ts';
import type { NodeRecord } from '../../../projections/records.ts';
import { shownStatus } from '../../../projections/states.ts';
import type { Kinds } from '../../../emulators/registry.ts';

export interface NodeJsonOptions {
  /** Address of this server's consoles. */
  console_host: string;
  /** Of the computes that are not this server, by their id. */
  hosts: ReadonlyMap<string, string>;
  /** This server runs nodes with this compute_id itself. */
  isHere(computeId: string): boolean;
  kinds: Kinds;
  /** Name of a kind as answers carry it. */
  emit(token: string): string;
  /** Answers are for programs that know the existing server. */
  asExisting: boolean;
}

/** The controller's record. It has no key beyond those of v2, so what we add stands under `properties`. */
export const nodeToJson = (n: NodeRecord, options: NodeJsonOptions) => ({
  compute_id: n.compute_id,
  project_id: n.project_id,
  node_id: n.node_id,
  template_id: n.template_id,
  node_type: options.emit(n.kind),
  node_directory: n.node_directory,
  name: n.name,
  command_line: n.command_line,
  console: n.console,
  console_host: consoleHostOf(n, options),
  // Browser clients call string methods on it.
  console_type: n.console_type ?? 'none',
  console_auto_start: n.console_auto_start,
  properties: {
    ...n.properties,
    ...(options.asExisting ? options.kinds.get(n.kind)?.standIn?.properties(n.properties) : {}),
    ...(n.engine === 'simulated' ? { engine: n.engine } : {}),
    ...(n.failure ? { failure: n.failure } : {}),
    ...warningsOf(n, options),
    ...(n.unreachable === undefined || options.asExisting ? {} : { unreachable: n.unreachable }),
  },
  status: shownStatus(n.state),
  label: {
    text: n.label.text,
    style: n.label.style ?? null,
    x: n.label.x ?? null,
    y: n.label.y ?? 0,
    rotation: n.label.rotation ?? 0,
  },
  symbol: n.symbol,
  width: n.width,
  height: n.height,
  x: n.x,
  y: n.y,
  z: n.z,
  locked: n.locked,
  port_name_format: n.port_name_format,
  port_segment_size: n.port_segment_size,
  first_port_name: n.first_port_name,
  custom_adapters: n.custom_adapters,
  ports: portsOf(options.kinds, n),
});

/** Labs from elsewhere name computes that are not here. */
const warningsOf = (n: NodeRecord, options: NodeJsonOptions): { warnings?: string[] } => {
  const isKnown = options.hosts.has(n.compute_id) || options.isHere(n.compute_id);
  const absent = isKnown ? [] : [`there is no compute ${n.compute_id}: add it, or put ${n.name} on another one`];
  const warnings = [...(n.warnings ?? []), ...absent];
  return warnings.length === 0 ? {} : { warnings };
};

/** Addresses for all interfaces: programs that say them mean the machine that they are on. */
const ANY = new Set(['0.0.0.0', '::', '[::]']);

const consoleHostOf = ({ compute_id }: NodeRecord, { hosts, console_host }: NodeJsonOptions): string => {
  const host = hosts.get(compute_id);
  if (host === undefined) return console_host;
  return ANY.has(host) ? '127.0.0.1' : host;
};
